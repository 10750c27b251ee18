package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Appserver 3 forks or breaks its log; the others prove it, cut it off and go on. */
class ExclusionTest {
    private static final Set<Integer> CORRECT = Set.of(0, 1, 2);

    private Deployment world = new Deployment(7);

    private void silence(int server) {
        world.open = (from, to) -> !from.equals(NodeId.appserver(server)) && !to.equals(NodeId.appserver(server));
    }

    private List<Exclusion> exclusions(int server) {
        return world.cores
                .get(server)
                .newestCertificate()
                .orElseThrow()
                .content()
                .exclusions();
    }

    private void assertOnlyThreeIsExcluded() {
        for (int server : CORRECT) {
            assertThat(exclusions(server))
                    .as("server %d, alarms %s", server, world.alarms)
                    .extracting(Exclusion::origin)
                    .containsExactly(3);
            assertThat(world.cores.get(server).status().ready()).isTrue();
        }
    }

    private void writeAndConfirm(int updates) {
        List<TestClient> clients = new ArrayList<>();
        for (int server : List.of(0, 1, 2)) {
            TestClient client = world.client(20 + server, server);
            client.session = world.now; // above all earlier sessions of this client
            client.number = numbers;
            client.open();
            clients.add(client);
        }
        for (int i = 0; i < updates; i++) {
            for (TestClient client : clients) {
                client.update("k", "pn-counter", Operation.of("increment", Value.of(1)));
            }
            world.run(60);
        }
        world.run(5000);
        for (TestClient client : clients) {
            assertThat(client.refusals()).isEmpty();
            long confirmed = client.confirmations().stream()
                    .flatMap(one -> one.covered().stream())
                    .map(covered -> covered.number())
                    .filter(number -> number > numbers)
                    .distinct()
                    .count();
            assertThat(confirmed).isEqualTo(updates);
        }
        numbers += updates;
    }

    private long numbers;

    private void assertSameEverywhere() {
        List<Object> roots = new ArrayList<>();
        for (int server : CORRECT) {
            roots.add(world.cores
                    .get(server)
                    .newestCertificate()
                    .orElseThrow()
                    .content()
                    .state());
            TestClient reader = world.client(60 + server, server);
            long local = reader.read("k", "pn-counter", false, 0);
            long certified = reader.read("k", "pn-counter", true, 0);
            world.run(100);
            assertThat(reader.answer(local, false)
                            .orElseThrow()
                            .response()
                            .message()
                            .result())
                    .isEqualTo(reader.answer(certified, false)
                            .orElseThrow()
                            .response()
                            .message()
                            .result());
        }
        assertThat(roots).containsOnly(roots.get(0));
    }

    @Test
    void aForkIsProvedCutAndTheOthersGoOn() {
        silence(3);
        ForgedLog one = new ForgedLog(world);
        one.session();
        one.increment(1, 5);
        ForgedLog other = new ForgedLog(world);
        other.session();
        other.increment(1, 7);
        other.increment(2, 1);
        one.sendTo(0);
        one.sendTo(1);
        other.sendTo(2);
        writeAndConfirm(4);
        assertOnlyThreeIsExcluded();
        assertThat(exclusions(0).get(0).cut()).isLessThanOrEqualTo(1);
        writeAndConfirm(30);
        assertSameEverywhere();
        TestClient reader = world.client(77, 2);
        long read = reader.read("c", "pn-counter", false, 0);
        world.run(100);
        assertThat(reader.answer(read, false).orElseThrow().response().message().result())
                .isEqualTo(Value.of(0));
        assertThat(world.cores.get(0).status().blacklist()).singleElement().satisfies(out -> {
            assertThat(out.accused()).isEqualTo(new Accused.Server(3));
            assertThat(out.proof()).isPresent();
        });
    }

    @Test
    void anExclusionSurvivesTheCrashOfAll() {
        aForkIsProvedCutAndTheOthersGoOn();
        for (int server : CORRECT) {
            world.crash(server);
        }
        world.run(500);
        assertOnlyThreeIsExcluded();
        writeAndConfirm(5);
        assertSameEverywhere();
    }

    @Test
    void aBrokenEntryIsProvedAndItsOriginCut() {
        silence(3);
        ForgedLog broken = new ForgedLog(world);
        broken.session();
        broken.raw(new byte[] {1, 2, 3});
        broken.sendTo(1);
        writeAndConfirm(3);
        assertOnlyThreeIsExcluded();
        assertSameEverywhere();
    }

    @Test
    void anEntryOfAClientWhoIsNotAdmittedIsABrokenEntry() {
        ClientId stranger = new ClientId(new ForgedLog(world).client.publicKey());
        world = new Deployment(7, client -> !client.equals(stranger));
        silence(3);
        ForgedLog forged = new ForgedLog(world);
        forged.session();
        for (int i = 0; i < 3; i++) {
            forged.sendTo(0);
            forged.sendTo(2);
        }
        writeAndConfirm(3);
        assertOnlyThreeIsExcluded();
        assertSameEverywhere();
    }

    /**
     * Appserver 0 saw the first entry of one branch and depends on it; in the branch that appserver 1 holds, that entry depends
     * on the one of appserver 0.
     */
    @Test
    void entriesThatWaitForEachOtherDoNotStopAServer() {
        // Appserver 1 and the others hear nothing of each other; they report, and their answers are lost.
        world.open = (from, to) -> from.role() == Role.BFTSERVER
                || from.index() != 1
                        && !to.equals(NodeId.appserver(1))
                        && !world.cores.get(from.index()).status().counters().containsKey("stables");
        world.certifying = false;
        ForgedLog seen = new ForgedLog(world);
        seen.session();
        seen.sendTo(0);
        seen.sendTo(2);
        TestClient client = world.client(33, 0);
        client.open();
        ForgedLog waiting = new ForgedLog(world);
        waiting.session(VersionVector.of(1, 0, 0, 0));
        waiting.sendTo(1);
        world.run(300);
        world.parrot = true;
        world.certifying = true;
        world.run(1500);
        assertThat(world.cores.get(1).status().counters()).containsKey("goals").doesNotContainKey("stables");
        silence(3);
        world.parrot = false;
        world.run(1000);
        assertThat(world.cores.get(1).status().counters()).containsKey("stables");
        writeAndConfirm(3);
        assertOnlyThreeIsExcluded();
        assertSameEverywhere();
    }

    /** A client gives its updates again one after the other; while a server is busy for one, the next one may reach it first. */
    @Test
    void anUpdateIsNotEnteredBeforeTheOneBeforeItWhoseEntryIsCutOff() {
        silence(3);
        ForgedLog lost = new ForgedLog(world);
        lost.session();
        lost.increment(1, 5);
        lost.increment(2, 5);
        lost.sendTo(0);
        assertThat(world.cores.get(0).version().get(3)).isEqualTo(3);
        ForgedLog broken = new ForgedLog(world);
        broken.raw(new byte[] {1, 2, 3});
        broken.sendTo(1);
        writeAndConfirm(3);
        assertOnlyThreeIsExcluded();
        assertThat(exclusions(0).get(0).cut()).isZero();
        TestClient client = world.client(90, 0);
        client.session = 1;
        client.open();
        Operation five = Operation.of("increment", Value.of(5));
        client.update(2, "c", "pn-counter", five);
        world.run(200);
        assertThat(client.answer(2, true)).isEmpty();
        assertThat(client.refusals()).singleElement().satisfies(refusal -> {
            assertThat(refusal.reference()).isEqualTo(2);
            assertThat(refusal.reason()).isEqualTo(Refusal.Reason.BEHIND);
        });
        client.update(1, "c", "pn-counter", five);
        client.update(2, "c", "pn-counter", five);
        world.run(2000);
        assertThat(client.refusals()).hasSize(1);
        assertThat(client.confirmations().stream()
                        .mapToInt(one -> one.covered().size())
                        .sum())
                .isEqualTo(2);
    }

    /** The type of the object is certified, so that the update has no effect, wherever it is entered. */
    @Test
    void theNumberOfAnUpdateWithoutEffectStaysKnownWhenACopyOfItIsCutOff() {
        silence(3);
        TestClient creator = world.client(40, 1);
        creator.open();
        creator.update("s", "aw-set", Operation.of("add", Value.of(1)));
        TestClient client = world.client(41, 0);
        client.open();
        world.run(3000);
        assertThat(creator.confirmations()).isNotEmpty();
        world.certifying = false;
        Signed<Request> refused = client.update("s", "pn-counter", Operation.of("increment", Value.of(1)));
        client.resend(refused);
        world.run(500);
        assertThat(client.answer(1, true)).isPresent();
        ForgedLog copy = new ForgedLog(world);
        copy.copy(refused);
        copy.sendTo(0);
        copy.sendTo(1);
        ForgedLog other = new ForgedLog(world);
        other.session();
        other.sendTo(2);
        world.run(1000);
        world.certifying = true;
        world.run(5000);
        assertOnlyThreeIsExcluded();
        assertThat(exclusions(0).get(0).cut()).isZero();
        client.received.clear();
        client.update("k", "pn-counter", Operation.of("increment", Value.of(1)));
        client.move(1);
        world.run(500);
        client.update("k", "pn-counter", Operation.of("increment", Value.of(1)));
        world.run(500);
        assertThat(client.refusals()).isEmpty();
        assertThat(client.answer(3, true)).isPresent();
    }

    /** Whoever signs heads that no entries open is not punished, and gets nobody to look for proof at length. */
    @Test
    void headsThatNothingOpensAreRefusedAndProveNothing() {
        silence(3);
        ForgedLog log = new ForgedLog(world);
        log.session();
        for (int number = 1; number <= 40; number++) {
            log.increment(number, 1);
        }
        log.sendTo(0);
        ForgedLog garbage = new ForgedLog(world);
        for (int i = 0; i <= 41; i++) {
            garbage.raw(new byte[] {(byte) i});
        }
        for (int i = 0; i < 200; i++) {
            garbage.sendTo(0, 41, 42);
            garbage.sendTo(0, 1 + i % 39, 2 + i % 39);
        }
        assertThat(world.cores.get(0).status().counters())
                .containsEntry("batch_bad_root", 200L)
                .doesNotContainKey("evidence_taken")
                .extractingByKey("suspicions", InstanceOfAssertFactories.LONG)
                .isLessThanOrEqualTo(1);
        log.increment(41, 1);
        log.sendTo(0);
        writeAndConfirm(3);
        assertThat(exclusions(0)).isEmpty();
        assertThat(world.cores.get(0).version().get(3)).isEqualTo(42);
    }

    @Test
    void aServerThatWasGivenTheOtherBranchRepairs() {
        ForgedLog forged = new ForgedLog(world);
        forged.session();
        forged.increment(1, 7);
        forged.sendTo(2);
        world.open = (from, to) -> !(from.equals(NodeId.appserver(3)) && to.equals(NodeId.appserver(2)));
        TestClient client = world.client(33, 3);
        client.open();
        client.update("k", "pn-counter", Operation.of("increment", Value.of(3)));
        client.update("k", "pn-counter", Operation.of("increment", Value.of(4)));
        world.run(1500);
        writeAndConfirm(5);
        assertOnlyThreeIsExcluded();
        assertSameEverywhere();
    }

    /** Nobody compared the wrong branch's heads before it was taken back: whoever held it keeps what proves the fork. */
    @Test
    void aBranchThatIsTakenBackProvesTheFork() {
        ForgedLog forged = new ForgedLog(world);
        forged.session();
        forged.increment(1, 7);
        forged.sendTo(2);
        world.open = (from, to) -> from.role() != to.role() || (from.index() != 2 && to.index() != 2);
        TestClient client = world.client(33, 3);
        client.open();
        client.update("k", "pn-counter", Operation.of("increment", Value.of(3)));
        client.update("k", "pn-counter", Operation.of("increment", Value.of(4)));
        world.run(1500);
        assertThat(world.cores
                        .get(0)
                        .newestCertificate()
                        .orElseThrow()
                        .content()
                        .version()
                        .get(3))
                .isEqualTo(3);
        world.open = (from, to) -> true;
        world.run(5000);
        writeAndConfirm(5);
        assertOnlyThreeIsExcluded();
        assertSameEverywhere();
    }

    @Test
    void clientsLearnThatTheirUpdatesLieBeyondTheCutAndResubmitThem() {
        TestClient victim = world.client(44, 3);
        victim.open();
        victim.update("k", "pn-counter", Operation.of("increment", Value.of(100)));
        world.run(3000);
        assertThat(victim.confirmations()).isNotEmpty();
        world.certifying = false;
        victim.update("k", "pn-counter", Operation.of("increment", Value.of(10)));
        world.run(500);
        silence(3);
        ForgedLog forged = new ForgedLog(world);
        forged.session();
        forged.increment(1, 7);
        forged.increment(2, 8);
        forged.increment(3, 8);
        forged.sendTo(0);
        world.certifying = true;
        world.run(5000);
        assertOnlyThreeIsExcluded();
        victim.move(1);
        world.run(500);
        victim.resend(victim.requests.get(2L));
        world.run(5000);
        assertThat(victim.refusals()).isEmpty();
        TestClient reader = world.client(45, 0);
        long read = reader.read("k", "pn-counter", true, 0);
        world.run(100);
        assertThat(reader.answer(read, false).orElseThrow().response().message().result())
                .isEqualTo(Value.of(110));
    }

    @Test
    void honestServersConvictNobodyWhateverTheNetworkDoes() {
        for (long seed = 1; seed <= 3; seed++) {
            Deployment honest = new Deployment(seed);
            List<TestClient> clients = new ArrayList<>();
            for (int server = 0; server < 4; server++) {
                TestClient client = honest.client(server, server);
                client.open();
                clients.add(client);
            }
            for (int i = 0; i < 40; i++) {
                int part = honest.random.nextInt(5);
                honest.open = (from, to) -> from.index() != part || to.index() == part;
                clients.forEach(client -> client.update("k", "pn-counter", Operation.of("increment", Value.of(1))));
                honest.run(200);
                if (i % 13 == 12) {
                    honest.open = (from, to) -> true;
                    honest.run(1000);
                }
            }
            honest.open = (from, to) -> true;
            honest.run(5000);
            for (AppServerCore core : honest.cores) {
                assertThat(core.status().blacklist()).as("seed %d", seed).isEmpty();
                assertThat(core.status().counters()).as("seed %d", seed).doesNotContainKey("evidence_taken");
            }
            assertThat(honest.alarms).isEmpty();
        }
    }
}
