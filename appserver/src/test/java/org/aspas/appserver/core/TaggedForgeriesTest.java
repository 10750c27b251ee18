package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Server 3 enters what clients did not sign, beside tags that a client gave it, or that it stole. */
class TaggedForgeriesTest {
    private static final int LIAR = ForgedLog.LIAR;
    private static final List<Integer> CORRECT = List.of(0, 1, 2);

    private final Deployment world = new Deployment(11);
    private final ForgedLog forged = new ForgedLog(world);

    /** The real server 3 says nothing; only {@link #forged} does. */
    private void silence() {
        world.open = (from, to) -> !from.equals(NodeId.appserver(LIAR)) && !to.equals(NodeId.appserver(LIAR));
    }

    /** The correct servers know the session, and have made its secret. */
    private int introduce() {
        silence();
        forged.taggedSession();
        for (int number = 1; number <= 5; number++) {
            forged.increment(number, 1);
        }
        for (int server : CORRECT) {
            forged.sendTagged(server, 0, 1);
            forged.sendTagged(server, 1, 6);
        }
        world.run(300);
        for (int server : CORRECT) {
            assertThat(held(server)).isEqualTo(6);
            assertThat(world.cores.get(server).status().gauges()).containsEntry("tags_right", 1L);
        }
        return 6;
    }

    private long held(int server) {
        return world.cores.get(server).version().get(LIAR);
    }

    private long broken(int server) {
        return world.cores.get(server).status().counters().getOrDefault("batch_broken_entry", 0L);
    }

    /** What each server proved about whom, by its own alarms. */
    private List<Kind> proved() {
        return world.alarms.stream()
                .map(Deployment.Raised::alarm)
                .filter(Alarm.ProvedFaulty.class::isInstance)
                .map(Alarm.ProvedFaulty.class::cast)
                .filter(alarm -> alarm.accused() == LIAR)
                .map(Alarm.ProvedFaulty::kind)
                .distinct()
                .toList();
    }

    private boolean refused(int server, TestClient client) {
        return world.cores.get(server).status().blacklist().stream()
                .anyMatch(out -> out.accused().equals(new Accused.Client(client.id())));
    }

    private void assertLiarIsOutAndNobodyElse() {
        world.run(4_000);
        assertThat(proved()).contains(Kind.BROKEN_ENTRY);
        for (int server : CORRECT) {
            assertThat(world.cores.get(server).status().blacklist())
                    .extracting(out -> out.accused())
                    .containsExactly(new Accused.Server(LIAR));
        }
    }

    // ---- Taken or refused ----

    @Test
    void aBadSignatureBesideAWrongOrMissingTagIsABrokenEntry() {
        int before = introduce();
        forged.forgedIncrement(6, 1);
        forged.sendTo(0, before, before + 1);
        assertThat(broken(0)).isEqualTo(1);
        Signed<ClientSigned> right = forged.bodies.set(before, forged.bodies.get(before - 1));
        forged.sendTagged(1, before, before + 1); // the tag of another request
        forged.bodies.set(before, right);
        assertThat(broken(1)).isEqualTo(1);
        assertThat(held(0) + held(1)).isEqualTo(2 * before);
        assertLiarIsOutAndNobodyElse();
    }

    /** A server that came back has of what is certified the end alone. What follows it can be proved all the same. */
    @Test
    void aBadSignatureAfterACertifiedEndIsProvedByWhoHasNothingBeforeIt() {
        world.keepBases();
        int certified = introduce();
        world.run(3_000);
        assertThat(world.cores.get(0).status().certified().get(LIAR)).isEqualTo(certified);
        world.crash(0);
        assertThat(world.cores.get(0).status().counters()).containsEntry("bases_loaded", 1L);
        forged.increment(6, 1);
        forged.forgedIncrement(7, 1);
        for (int server : List.of(1, 2)) {
            forged.sendTagged(server, certified, certified + 2);
            assertThat(held(server)).isEqualTo(certified + 2);
        }
        forged.sendTo(0, certified, certified + 2);
        assertThat(broken(0)).isEqualTo(1);
        assertLiarIsOutAndNobodyElse();
    }

    @Test
    void aBadSignatureRightAfterACertifiedEndIsProvedToo() {
        world.keepBases();
        int certified = introduce();
        world.run(3_000);
        world.crash(0);
        forged.forgedIncrement(6, 1);
        forged.sendTo(0, certified, certified + 1);
        assertThat(broken(0)).isEqualTo(1);
        assertLiarIsOutAndNobodyElse();
    }

    @Test
    void aBadSignatureBesideARightTagIsTakenWithoutALook() {
        int before = introduce();
        forged.forgedIncrement(6, 1);
        int verified = world.verified.getOrDefault(forged.client.publicKey(), 0);
        for (int server : CORRECT) {
            forged.sendTagged(server, before, before + 1);
            assertThat(held(server)).isEqualTo(before + 1);
        }
        world.run(300);
        assertThat(world.verified.getOrDefault(forged.client.publicKey(), 0)).isEqualTo(verified);
        assertThat(world.alarms).isEmpty();
    }

    @Test
    void aDoubtedTagShowsTheBadSignature() {
        int before = introduce();
        world.doubt = true;
        forged.forgedIncrement(6, 1);
        forged.sendTagged(0, before, before + 1);
        assertThat(broken(0)).isEqualTo(1);
        assertLiarIsOutAndNobodyElse();
    }

    /** A tag lets no session in: whoever could forge one would lock its client out. */
    @Test
    void aSessionIsTakenByItsSignatureOnly() {
        int before = introduce();
        Signed<ClientSigned> right =
                forged.client.seal(new OpenSession(new ClientId(forged.client.publicKey()), 1L << 62, 1));
        byte[] signature = right.signature().clone();
        signature[1] ^= 1;
        forged.enter(new Signed<>(right.message(), right.payload(), signature));
        forged.sendTagged(0, before, before + 1);
        assertThat(held(0)).isEqualTo(before);
        assertThat(broken(0)).isEqualTo(1);
        assertLiarIsOutAndNobodyElse();
    }

    /** The session of a client at server 0, entered once more here, with the secret that was stolen. */
    @Test
    void aSecretStolenElsewhereHelpsNobody() {
        TestClient honest = new TestClient(world, forged.client, 0);
        world.attach(honest);
        silence();
        honest.openTagged();
        for (int i = 0; i < 6; i++) {
            honest.update("x", "pn-counter", Operation.of("increment", Value.of(1)));
            world.run(100);
        }
        world.run(300);
        assertThat(world.cores.get(1).status().gauges()).containsEntry("tags_right", 2L);
        forged.tags = honest.tags;
        forged.forgedIncrement(7, 1);
        forged.sendTagged(1, 0, 1);
        assertThat(held(1)).isZero();
        assertThat(broken(1)).isEqualTo(1);
        world.run(4_000);
        assertThat(refused(1, honest)).isFalse();
    }

    @Test
    void whoIsNotAdmittedIsNotAdmittedByATag() {
        Deployment closed = new Deployment(1, client -> false, CoreLimits.USUAL);
        ForgedLog log = new ForgedLog(closed);
        log.taggedSession();
        closed.settings.get(0).tags().accepted(LIAR, log.bodies.get(0));
        log.entries.clear();
        ForgedLog requests = new ForgedLog(closed);
        requests.tags = log.tags;
        for (int number = 1; number <= 5; number++) {
            requests.increment(number, 1);
            assertThat(closed.settings
                            .get(0)
                            .tags()
                            .convinces(
                                    LIAR,
                                    requests.bodies.get(number - 1),
                                    Objects.requireNonNull(log.tags).of(requests.bodies.get(number - 1)),
                                    0))
                    .isEqualTo(number == 5);
        }
        requests.sendTagged(0, 0, 5);
        assertThat(closed.cores.get(0).version().get(LIAR)).isZero();
        assertThat(closed.cores.get(0).status().counters()).containsEntry("batch_broken_entry", 1L);
    }

    // ---- Found later ----

    private TestClient writer(int server) {
        TestClient writer = new TestClient(world, forged.client, server);
        world.attach(writer);
        writer.session = 10 + server;
        writer.number = 5;
        writer.open();
        world.run(200);
        return writer;
    }

    private void bodyguards(int before, int count) {
        for (int i = 0; i < count; i++) {
            forged.forgedIncrement(6, 100 + i);
        }
        for (int server : CORRECT) {
            forged.sendTagged(server, before, before + count);
            assertThat(held(server)).isEqualTo(before + count);
        }
    }

    private static void write(TestClient client, long amount) {
        client.update(6, "c", "pn-counter", Operation.of("increment", Value.of(amount)));
    }

    @Test
    void anotherContentUnderTheNumberShowsTheOriginAndNotTheClient() {
        bodyguards(introduce(), 1);
        TestClient honest = writer(0);
        write(honest, 2);
        assertLiarIsOutAndNobodyElse();
        assertThat(honest.answer(6, true)).isPresent();
    }

    /** It need not be the first of its number that is badly signed. */
    @Test
    void theContentThatComesLaterIsLookedAtToo() {
        int before = introduce();
        forged.increment(6, 2);
        forged.forgedIncrement(6, 3);
        forged.sendTagged(1, before, before + 2);
        assertThat(held(1)).isEqualTo(before + 2);
        assertLiarIsOutAndNobodyElse();
    }

    /** However many badly signed contents stand before two that the client signed. */
    @Test
    void bodyguardsHideNoClientThatSignedTwoContents() {
        bodyguards(introduce(), 20);
        TestClient one = writer(0);
        TestClient other = writer(1);
        write(one, 2);
        write(other, 3);
        world.run(4_000);
        assertThat(proved()).contains(Kind.BROKEN_ENTRY);
        for (int server : CORRECT) {
            assertThat(refused(server, one)).as("at server %d", server).isTrue();
        }
    }

    /** A badly signed twin of the first content comes before it, and has the same identity. */
    @Test
    void aTwinHidesNoClientThatSignedTwoContents() {
        int before = introduce();
        world.certifying = false;
        forged.forgedIncrement(6, 2);
        for (int server : CORRECT) {
            forged.sendTagged(server, before, before + 1);
        }
        TestClient one = writer(0);
        TestClient other = writer(1);
        write(one, 2);
        world.run(500);
        write(other, 3);
        world.run(1_000);
        for (int server : CORRECT) {
            assertThat(refused(server, one)).as("at server %d", server).isTrue();
        }
    }

    @Test
    void whatIsCertifiedByATagIsStillFoundByTheRequestThatItTookTheNumberOf() {
        bodyguards(introduce(), 1);
        world.run(4_000);
        assertThat(world.cores
                        .get(0)
                        .newestCertificate()
                        .orElseThrow()
                        .content()
                        .version()
                        .get(LIAR))
                .isEqualTo(7);
        assertThat(world.alarms).isEmpty();
        write(writer(0), 2);
        assertLiarIsOutAndNobodyElse();
    }
}
