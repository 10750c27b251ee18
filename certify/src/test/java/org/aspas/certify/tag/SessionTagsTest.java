package org.aspas.certify.tag;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.crdt.value.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tags convince a server: those of the newest session at the home in whose log the entry is, and no others. */
class SessionTagsTest {
    private static final int HERE = 3;
    private static final int HOME = TaggedSession.HOME;

    private long now = 1_000;
    private boolean doubt;
    private final SessionTags tags = tags(SessionTags.Bounds.USUAL);

    private SessionTags tags(SessionTags.Bounds bounds) {
        return new SessionTags(
                TaggedSession.DEPLOYMENT, HERE, TaggedSession.server(HERE), () -> now, () -> doubt, bounds);
    }

    private boolean convinces(SessionTags tags, TaggedSession session, long number) {
        Signed<ClientSigned> request = session.request(number);
        return tags.convinces(HOME, request, session.tags().of(request), HERE);
    }

    private boolean convinces(TaggedSession session, long number) {
        return convinces(tags, session, number);
    }

    /** A session whose secret is derived. */
    private TaggedSession known(int client, long number) {
        TaggedSession session = TaggedSession.of(client, number);
        tags.accepted(HOME, session.record());
        used(tags, session);
        return session;
    }

    private void used(SessionTags tags, TaggedSession session) {
        for (int number = 1; number < SessionTags.Bounds.USUAL.worthwhile(); number++) {
            assertThat(convinces(tags, session, number)).isFalse();
        }
        assertThat(convinces(tags, session, 5)).isTrue();
    }

    // ---- The recipe ----

    /** The vector of docs/formats.md, computed by another program. */
    @Test
    void tagsAreThoseOfTheRecipe() {
        byte[] seed = new byte[32];
        for (int i = 0; i < seed.length; i++) {
            seed[i] = (byte) i;
        }
        AgreementKey server = AgreementKey.ofServer(SigningKey.of(seed));
        AgreementKey own = AgreementKey.of(filled(0x77, 32));
        ClientId client = new ClientId(PublicKey.of(filled(0xc1, 32)), 1, 2);
        Hash deployment = Hash.of(filled(0xdd, 32));
        byte[] payload = HexFormat.of()
                .parseHex("86025830" + "c1".repeat(32) + "00000000000000010000000000000002" + "01005820"
                        + "1cf579aba45a10ba1d1ef06d91fca2aa9ed0a1150515653155405d0b18cb9a67" + "00");
        Signed<ClientSigned> record = new Signed<>(
                new OpenSession(client, 1, 0, new OpenSession.Share(own.share(), 0)), payload, filled(0, 64));
        Signed<ClientSigned> request = new Signed<>(
                new Request(client, 1, "", "", Operation.of("")), "request payload".getBytes(), filled(0x5a, 64));
        List<AgreementShare> servers = List.of(server.share(), server.share(), server.share(), server.share());
        byte[] made =
                RequestTags.of(own, servers, deployment, record.identity()).of(request);
        assertThat(HexFormat.of().formatHex(made, 0, 16)).isEqualTo("55549f7f23d552dcacb82e0ac50e42b1");
        assertThat(HexFormat.of().formatHex(made, 48, 64)).isEqualTo("7e55a89d08f2426f0d5f81dd693f0a47");
        SessionTags there =
                new SessionTags(deployment, 3, server, () -> 0, () -> false, new SessionTags.Bounds(1, 1, 1));
        there.accepted(0, record);
        assertThat(there.convinces(0, request, made, 3)).isTrue();
        assertThat(there.convinces(0, request, made, 0)).as("of another server").isFalse();
    }

    private static byte[] filled(int with, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }

    /** Before that, signatures cost less than the secret. */
    @Test
    void fromTheFifthTagOnTagsConvince() {
        TaggedSession session = known(1, 1);
        assertThat(convinces(session, 6)).isTrue();
        assertThat(tags.unknown()).isEqualTo(4);
        assertThat(tags.right()).isEqualTo(2);
        assertThat(tags.wrong()).isZero();
    }

    @Test
    void everyServerKnowsItsOwnTagOnly() {
        TaggedSession session = TaggedSession.of(1, 1);
        Signed<ClientSigned> request = session.request(1);
        byte[] all = session.tags().of(request);
        assertThat(all).hasSize(4 * TaggedRequest.TAG_BYTES);
        for (int server = 0; server < 4; server++) {
            SessionTags there = new SessionTags(
                    TaggedSession.DEPLOYMENT,
                    server,
                    TaggedSession.server(server),
                    () -> now,
                    () -> false,
                    new SessionTags.Bounds(9, 9, 1));
            there.accepted(HOME, session.record());
            for (int place = 0; place < 4; place++) {
                assertThat(there.convinces(HOME, request, all, place)).isEqualTo(place == server);
            }
        }
    }

    @Test
    void whateverIsChangedTheTagIsWrong() {
        TaggedSession session = known(1, 1);
        Signed<ClientSigned> request = session.request(9);
        byte[] all = session.tags().of(request);
        for (int bit = 0; bit < 8 * TaggedRequest.TAG_BYTES; bit++) {
            byte[] other = all.clone();
            other[HERE * TaggedRequest.TAG_BYTES + bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(tags.convinces(HOME, request, other, HERE)).isFalse();
        }
        byte[] signature = request.signature().clone();
        signature[63] ^= (byte) 0x80;
        assertThat(tags.convinces(HOME, new Signed<>(request.message(), request.payload(), signature), all, HERE))
                .isFalse();
        byte[] payload = request.payload().clone();
        payload[payload.length - 1] ^= 1;
        assertThat(tags.convinces(HOME, new Signed<>(request.message(), payload, request.signature()), all, HERE))
                .isFalse();
        assertThat(tags.convinces(HOME, session.request(10), all, HERE)).isFalse();
        assertThat(tags.wrong()).isEqualTo(8 * TaggedRequest.TAG_BYTES + 3);
        assertThat(tags.convinces(HOME, request, all, HERE)).isTrue();
    }

    @Test
    void theSecretIsOfOneDeploymentOneServerAndOneRecord() {
        TaggedSession session = TaggedSession.of(1, 1);
        Signed<ClientSigned> request = session.request(1);
        byte[] all = session.tags().of(request);
        SessionTags.Bounds atOnce = new SessionTags.Bounds(9, 9, 1);
        Hash other = Hash.sha256(new byte[] {8});
        for (SessionTags there : List.of(
                new SessionTags(other, HERE, TaggedSession.server(HERE), () -> now, () -> false, atOnce),
                new SessionTags(
                        TaggedSession.DEPLOYMENT, 2, TaggedSession.server(HERE), () -> now, () -> false, atOnce),
                new SessionTags(
                        TaggedSession.DEPLOYMENT, HERE, TaggedSession.server(2), () -> now, () -> false, atOnce))) {
            there.accepted(HOME, session.record());
            assertThat(there.convinces(HOME, request, all, HERE)).isFalse();
            assertThat(there.wrong()).isEqualTo(1);
        }
        // The share of another client's session, of which the one who copies it has no secret with anybody.
        TaggedSession copied = TaggedSession.of(2, 1, AgreementKey.of(new byte[32]), shareOf(session));
        tags.accepted(HOME, session.record());
        tags.accepted(HOME, copied.record());
        used(tags, session);
        assertThat(convinces(copied, 1)).isFalse();
    }

    private static OpenSession.Share shareOf(TaggedSession session) {
        OpenSession.Share share = ((OpenSession) session.record().message()).share();
        assertThat(share).isNotNull();
        return share;
    }

    /** Every low-order share, at the server and at the client: no secret, no exception. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000000000000000000000000000000000000000000000000000000000000000",
                "0100000000000000000000000000000000000000000000000000000000000000",
                "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
                "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
            })
    void ofAShareOfSmallOrderComeNoTags(String hex) {
        AgreementShare small = AgreementShare.of(HexFormat.of().parseHex(hex));
        TaggedSession session =
                TaggedSession.of(1, 1, AgreementKey.of(filled(1, 32)), new OpenSession.Share(small, HOME));
        tags.accepted(HOME, session.record());
        for (int number = 1; number < 9; number++) {
            assertThat(convinces(session, number)).isFalse();
        }
        assertThat(tags.unknown()).isEqualTo(8);
        Signed<ClientSigned> request = session.request(1);
        byte[] made = RequestTags.of(
                        session.own(),
                        List.of(small, TaggedSession.server(1).share()),
                        TaggedSession.DEPLOYMENT,
                        session.record().identity())
                .of(request);
        assertThat(Arrays.copyOf(made, TaggedRequest.TAG_BYTES)).containsOnly(0);
        assertThat(made).hasSize(2 * TaggedRequest.TAG_BYTES).isNotEqualTo(new byte[2 * TaggedRequest.TAG_BYTES]);
    }

    // ---- Which session ----

    @Test
    void theHighestNumberRules() {
        TaggedSession first = known(1, 3);
        TaggedSession second = TaggedSession.of(1, 4);
        TaggedSession before = TaggedSession.of(1, 2);
        tags.accepted(HOME, second.record());
        tags.accepted(HOME, before.record());
        tags.accepted(HOME, first.record());
        used(tags, second);
        assertThat(convinces(first, 9)).isFalse();
        assertThat(convinces(before, 9)).isFalse();
    }

    @Test
    void ofOneNumberTheFirstRules() {
        TaggedSession first = known(1, 3);
        TaggedSession second = TaggedSession.of(1, 3, 1);
        tags.accepted(HOME, second.record());
        assertThat(convinces(first, 6)).isTrue();
        assertThat(convinces(second, 6)).isFalse();
    }

    @Test
    void aSessionWithoutAShareEndsTheTags() {
        TaggedSession first = known(1, 3);
        tags.accepted(HOME, first.sealer().seal(new OpenSession(first.client(), 3, 1)));
        assertThat(convinces(first, 6)).as("not a higher number").isTrue();
        tags.accepted(HOME, first.sealer().seal(new OpenSession(first.client(), 4, 1)));
        assertThat(convinces(first, 7)).isFalse();
    }

    /** Whoever has a stolen secret and is not the home can do nothing with it. */
    @Test
    void tagsCountInTheLogOfTheHomeOnly() {
        TaggedSession session = known(1, 3);
        Signed<ClientSigned> request = session.request(6);
        for (int origin = 0; origin < 4; origin++) {
            assertThat(tags.convinces(origin, request, session.tags().of(request), HERE))
                    .isEqualTo(origin == HOME);
        }
    }

    @Test
    void aRecordInAnotherLogThanItsHomesGivesNoTags() {
        TaggedSession session = TaggedSession.of(1, 3);
        tags.accepted(2, session.record());
        for (int number = 1; number < 9; number++) {
            Signed<ClientSigned> request = session.request(number);
            assertThat(tags.convinces(2, request, session.tags().of(request), HERE))
                    .isFalse();
            assertThat(convinces(session, number)).isFalse();
        }
    }

    @Test
    void clientsOfOneKeyDoNotDisturbEachOther() {
        TaggedSession session = known(1, 9);
        ClientId twin = new ClientId(session.client().key(), 5, 5);
        tags.accepted(HOME, session.sealer().seal(new OpenSession(twin, 10, 0)));
        assertThat(convinces(session, 6)).isTrue();
    }

    @Test
    void requestsOpenNoSession() {
        TaggedSession session = known(1, 3);
        tags.accepted(HOME, session.request(1_000));
        assertThat(convinces(session, 6)).isTrue();
    }

    // ---- For how long ----

    @Test
    void tagsCountForTwoHours() {
        TaggedSession session = known(1, 3);
        now += SessionTags.Bounds.USUAL.lifeMillis() - 1;
        assertThat(convinces(session, 6)).isTrue();
        tags.accepted(HOME, session.record());
        now++;
        assertThat(convinces(session, 7)).isFalse();
        assertThat(SessionTags.Bounds.USUAL.lifeMillis()).isEqualTo(7_200_000);
        TaggedSession next = known(1, 4);
        assertThat(convinces(next, 6)).isTrue();
    }

    @Test
    void whatIsForgottenIsKnownNoMore() {
        TaggedSession session = known(1, 3);
        tags.forget();
        assertThat(convinces(session, 6)).isFalse();
        tags.accepted(HOME, session.record());
        used(tags, session);
    }

    /** Whoever opens sessions, however many, puts out nobody who had a right tag. */
    @Test
    void clientsWithARightTagStayLongest() {
        SessionTags few = tags(new SessionTags.Bounds(2, 1_000_000, 1));
        TaggedSession one = TaggedSession.of(1, 1);
        TaggedSession other = TaggedSession.of(2, 1);
        TaggedSession third = TaggedSession.of(3, 1);
        few.accepted(HOME, one.record());
        assertThat(convinces(few, one, 1)).isTrue();
        few.accepted(HOME, other.record());
        assertThat(convinces(few, other, 1)).isTrue();
        for (int client = 10; client < 20; client++) {
            few.accepted(HOME, TaggedSession.of(client, 1).record());
        }
        few.accepted(HOME, third.record());
        assertThat(convinces(few, one, 2)).as("used last").isTrue();
        assertThat(convinces(few, third, 1)).as("the third").isTrue();
        assertThat(convinces(few, other, 2)).as("used longest ago").isFalse();
        assertThat(convinces(few, one, 3)).isTrue();
    }

    @Test
    void ofClientsWithoutARightTagTheNewestStay() {
        SessionTags few = tags(new SessionTags.Bounds(2, 1_000_000, 1));
        List<TaggedSession> three = List.of(TaggedSession.of(1, 1), TaggedSession.of(2, 1), TaggedSession.of(3, 1));
        three.forEach(one -> few.accepted(HOME, one.record()));
        assertThat(convinces(few, three.get(0), 1)).isFalse();
        assertThat(convinces(few, three.get(1), 1)).isTrue();
        assertThat(convinces(few, three.get(2), 1)).isTrue();
    }

    @Test
    void aClientWithARightTagKeepsItsPlaceWithItsNextSession() {
        SessionTags few = tags(new SessionTags.Bounds(1, 1_000_000, 1));
        TaggedSession session = TaggedSession.of(1, 1);
        few.accepted(HOME, session.record());
        assertThat(convinces(few, session, 1)).isTrue();
        TaggedSession next = TaggedSession.of(1, 2);
        few.accepted(HOME, next.record());
        few.accepted(HOME, TaggedSession.of(2, 1).record());
        assertThat(convinces(few, next, 2)).isTrue();
    }

    // ---- What a tag is ----

    @Test
    void aDoubtedTagConvincesNobodyAndIsRightAllTheSame() {
        TaggedSession session = known(1, 3);
        doubt = true;
        assertThat(convinces(session, 6)).isFalse();
        assertThat(tags.right()).isEqualTo(2);
        doubt = false;
        assertThat(convinces(session, 6)).isTrue();
    }

    @Test
    void zerosAndNothingAreNoTag() {
        TaggedSession session = known(1, 3);
        Signed<ClientSigned> request = session.request(6);
        byte[] tag = Arrays.copyOfRange(session.tags().of(request), 16 * HERE, 16 * HERE + 16);
        assertThat(tags.convinces(HOME, request, tag, 0)).isTrue();
        assertThat(tags.convinces(HOME, request, new byte[0], 0)).isFalse();
        assertThat(tags.convinces(HOME, request, Arrays.copyOf(tag, 15), 0)).isFalse();
        assertThat(tags.convinces(HOME, request, tag, 1)).isFalse();
        assertThat(tags.convinces(HOME, request, new byte[16], 0)).isFalse();
        assertThat(tags.absent()).isEqualTo(4);
        assertThat(tags.wrong() + tags.unknown()).isEqualTo(4);
    }

    @Test
    void whereThereAreNoTagsNoneConvinces() {
        SessionTags none = SessionTags.none(TaggedSession.DEPLOYMENT, HERE);
        TaggedSession session = TaggedSession.of(1, 1);
        none.accepted(HOME, session.record());
        for (int number = 1; number < 9; number++) {
            assertThat(convinces(none, session, number)).isFalse();
        }
        assertThat(none.enabled()).isFalse();
        assertThat(tags.enabled()).isTrue();
    }
}
