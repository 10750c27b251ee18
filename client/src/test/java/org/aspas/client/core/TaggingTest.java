package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.tag.RequestTags;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.client.ScriptedServer;
import org.aspas.client.ScriptedWorld;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Which requests leave a client with tags, and by which key. */
class TaggingTest {
    private static final long TOLERANCE = 100;
    private static final long KEY_MILLIS = 3_000_000;

    private static List<AgreementShare> servers() {
        return IntStream.range(0, ScriptedServer.SERVERS)
                .mapToObj(i -> AgreementKey.of(secret(50 + i)).share())
                .toList();
    }

    private static byte[] secret(int number) {
        return Hash.sha256(new byte[] {(byte) number}).toBytes();
    }

    /** The keys of sessions are those of {@link #secret}, from 1. */
    static Tagging tagging() {
        AtomicInteger made = new AtomicInteger();
        return new Tagging(servers(), () -> secret(made.incrementAndGet()));
    }

    private static ScriptedSession session(ClientState record) {
        ScriptedSession session =
                new ScriptedSession(TOLERANCE, ScriptedSession.BOUNDS, record, record != ClientState.FRESH, tagging());
        session.connect();
        return session;
    }

    private static ScriptedSession session() {
        return session(ClientState.FRESH);
    }

    private static List<Frame.Sealed> sealed(ScriptedSession session) {
        return session.seen(Effect.Send.class).stream()
                .map(Effect.Send::frame)
                .filter(Frame.Sealed.class::isInstance)
                .map(Frame.Sealed.class::cast)
                .toList();
    }

    private static List<Frame.Sealed> requests(ScriptedSession session) {
        return sealed(session).stream()
                .filter(frame -> frame.signed().message() instanceof Request)
                .toList();
    }

    private static List<Signed<OpenSession>> openings(ScriptedSession session) {
        return sealed(session).stream()
                .flatMap(frame -> frame.signed().as(OpenSession.class).stream())
                .toList();
    }

    private static void update(ScriptedSession session, int times) {
        for (int i = 0; i < times; i++) {
            session.increment("c");
            session.serve();
        }
        session.certify();
    }

    /** Of the last requests the first four have no tags, and the others those of the session with this key. */
    private static void assertTagged(ScriptedSession session, int requests, int key, Signed<OpenSession> opening) {
        RequestTags tags =
                RequestTags.of(AgreementKey.of(secret(key)), servers(), ScriptedSession.DEPLOYMENT, opening.identity());
        List<Frame.Sealed> all = requests(session);
        List<Frame.Sealed> last = all.subList(all.size() - requests, all.size());
        for (int i = 0; i < last.size(); i++) {
            Signed<Request> request = last.get(i).signed().as(Request.class).orElseThrow();
            assertThat(last.get(i).tags()).as("request %d", i + 1).isEqualTo(i < 4 ? new byte[0] : tags.of(request));
        }
    }

    private static void assertShare(Signed<OpenSession> opening, long number, long tolerance, int key, int home) {
        AgreementShare share = AgreementKey.of(secret(key)).share();
        assertThat(opening.message())
                .isEqualTo(new OpenSession(
                        opening.message().client(), number, tolerance, new OpenSession.Share(share, home)));
    }

    @Test
    void fromTheFifthRequestOfASessionOnThereAreTags() {
        ScriptedSession session = session();
        update(session, 9);
        assertThat(openings(session)).hasSize(1);
        assertShare(openings(session).get(0), 1, TOLERANCE, 1, 0);
        assertTagged(session, 9, 1, openings(session).get(0));
        assertThat(session.confirmed()).hasSize(9);
    }

    @Test
    void eachConnectionHasAKeyOfItsOwn() {
        ScriptedSession session = session();
        update(session, 6);
        session.step(new Event.Disconnected("test"));
        session.connect();
        update(session, 6);
        assertThat(openings(session)).hasSize(2);
        assertShare(openings(session).get(1), 2, TOLERANCE, 2, 0);
        assertTagged(session, 6, 2, openings(session).get(1));
    }

    @Test
    void whatIsGivenAgainHasTheTagsOfTheNewSession() {
        ScriptedSession session = session();
        for (int i = 0; i < 6; i++) {
            session.increment("c");
        }
        session.step(new Event.Disconnected("test"));
        session.connect();
        session.serve();
        assertThat(requests(session)).hasSize(12);
        assertTagged(session, 6, 2, openings(session).get(1));
    }

    @Test
    void anotherToleranceMakesANewKey() {
        ScriptedSession session = session();
        update(session, 6);
        session.step(new Event.ToleranceChanged(7));
        assertThat(openings(session)).hasSize(2);
        assertShare(openings(session).get(1), 2, 7, 2, 0);
        session.serve();
        update(session, 6);
        assertTagged(session, 6, 2, openings(session).get(1));
    }

    /** The old key holds until the server has answered: a refused session record changes nothing. */
    @Test
    void afterFiftyMinutesASessionGetsANewKey() {
        ScriptedSession session = session();
        update(session, 6);
        session.step(new Event.Tick(KEY_MILLIS - 1));
        assertThat(openings(session)).hasSize(1);
        session.step(new Event.Tick(KEY_MILLIS));
        session.step(new Event.Tick(KEY_MILLIS + 1));
        assertThat(openings(session)).as("one at a time").hasSize(2);
        assertShare(openings(session).get(1), 2, TOLERANCE, 2, 0);
        Frame opening = session.toServer.remove();
        session.increment("c");
        session.serve();
        assertThat(requests(session).get(6).tags())
                .isEqualTo(RequestTags.of(
                                AgreementKey.of(secret(1)),
                                servers(),
                                ScriptedSession.DEPLOYMENT,
                                openings(session).get(0).identity())
                        .of(requests(session).get(6).signed().as(Request.class).orElseThrow()));
        session.push(session.server.serve(opening));
        update(session, 6);
        assertTagged(session, 6, 2, openings(session).get(1));
        session.step(new Event.Tick(2 * KEY_MILLIS - 1));
        assertThat(openings(session)).hasSize(2);
        session.step(new Event.Tick(2 * KEY_MILLIS));
        assertThat(openings(session)).hasSize(3);
    }

    /** Else idle clients would make entries for ever. */
    @Test
    void aSessionWithoutRequestsKeepsItsKey() {
        ScriptedSession session = session();
        session.step(new Event.Tick(10 * KEY_MILLIS));
        assertThat(openings(session)).hasSize(1);
        update(session, 1);
        session.step(new Event.Tick(10 * KEY_MILLIS + 1));
        assertThat(openings(session)).hasSize(2);
    }

    @Test
    void requestsOfAnEarlierStartHaveNoTags() {
        Sealer sealer = new Sealer(ScriptedSession.CLIENT_KEY, ScriptedSession.DEPLOYMENT);
        ClientId earlier = new ClientId(ScriptedSession.CLIENT_KEY.publicKey(), 0, 77);
        List<Signed<ClientSigned>> left = IntStream.rangeClosed(1, 6)
                .mapToObj(number -> sealer.<ClientSigned>seal(
                        new Request(earlier, number, "c", "pn-counter", Operation.of("increment", Value.of(1)))))
                .toList();
        ScriptedSession session = session(new ClientState(CertificateNumber.NONE, left));
        session.serve();
        update(session, 6);
        List<Frame.Sealed> all = requests(session);
        assertThat(all).hasSize(12);
        assertThat(all.subList(0, 6)).allSatisfy(frame -> {
            assertThat(((Request) frame.signed().message()).client()).isEqualTo(earlier);
            assertThat(frame.tags()).isEmpty();
        });
        assertTagged(session, 6, 1, openings(session).get(0));
    }

    @Test
    void aDeploymentWithoutTagsGetsNone() {
        ScriptedSession session = ScriptedSession.connected(TOLERANCE);
        update(session, 9);
        session.step(new Event.Tick(3 * KEY_MILLIS));
        assertThat(openings(session)).hasSize(1);
        assertThat(openings(session).get(0).message().share()).isNull();
        assertThat(requests(session))
                .allSatisfy(frame -> assertThat(frame.tags()).isEmpty());
    }

    /** A session names the server that it is opened at, for nobody else's log has its tags. */
    @Test
    void atAnotherServerTheSessionIsOfThatOne() {
        Play play = SwitchTest.play(ScriptedWorld.Fault.WITHHOLDS, Play.POLICY, 5);
        SwitchTest.assertDone(play, SwitchTest.increments(play, 5));
        assertThat(play.core.server()).isNotZero();
        List<OpenSession.Share> shares = play.effects.stream()
                .filter(Effect.Send.class::isInstance)
                .map(effect -> ((Effect.Send) effect).frame())
                .filter(Frame.Sealed.class::isInstance)
                .flatMap(frame -> ((Frame.Sealed) frame).signed().as(OpenSession.class).stream())
                .map(opening -> opening.message().share())
                .toList();
        assertThat(shares.get(0).home()).isZero();
        assertThat(shares.get(shares.size() - 1).home()).isEqualTo(play.core.server());
        assertThat(shares).extracting(OpenSession.Share::key).doesNotHaveDuplicates();
    }
}
