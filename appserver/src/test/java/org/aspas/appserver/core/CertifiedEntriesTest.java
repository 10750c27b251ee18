package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Confirmation;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/**
 * Appserver 3 lies, and appserver 2, which must get to the certified log of appserver 3, cannot or may not rely on the
 * heads that appserver 3 signed.
 */
class CertifiedEntriesTest {
    private static final int LATE = 2;
    private static final int CERTIFIED = 5;

    private final Deployment world = new Deployment(11);
    private final ForgedLog log = new ForgedLog(world);
    private final ForgedLog fork = new ForgedLog(world);
    private int clients = 20;

    CertifiedEntriesTest() {
        log.session();
        fork.session();
        for (int number = 1; number < CERTIFIED; number++) {
            log.increment(number, 5);
            fork.increment(number, 7);
        }
        // Nobody delivers the last entry, so that the certified version ends between two heads.
        log.incrementThatWaits(CERTIFIED, 5);
    }

    private void separate(int... servers) {
        world.open = (from, to) -> {
            for (int server : servers) {
                if (from.equals(NodeId.appserver(server)) || to.equals(NodeId.appserver(server))) {
                    return false;
                }
            }
            return true;
        };
    }

    private long certified(int server) {
        return world.cores
                .get(server)
                .newestCertificate()
                .map(certificate -> certificate.content().version().get(ForgedLog.LIAR))
                .orElse(0L);
    }

    /** Servers 0 and 1 certify five entries with the help of the liar, which signed heads of four and six. */
    private void certifyBetweenTwoHeads() {
        world.parrot = true;
        separate(LATE, ForgedLog.LIAR);
        for (int server : List.of(0, 1)) {
            log.sendTo(server, 0, CERTIFIED - 1);
            log.sendTo(server, CERTIFIED - 1, CERTIFIED + 1);
        }
        world.run(3000);
        assertThat(certified(0)).isEqualTo(CERTIFIED);
        assertThat(certified(1)).isEqualTo(CERTIFIED);
    }

    /** The liar is convicted of a fork; its cut lies between two heads, and all carry that out. */
    private void exclude() {
        world.parrot = false;
        separate(ForgedLog.LIAR);
        world.run(1000);
        fork.sendTo(0);
        world.run(4000);
        assertThat(exclusions(0)).hasSize(1);
    }

    private List<Exclusion> exclusions(int server) {
        return world.cores
                .get(server)
                .newestCertificate()
                .map(certificate -> certificate.content().exclusions())
                .orElse(List.of());
    }

    private void assertThreeIsOutAndTheOthersGoOn() {
        List<TestClient> writers = new ArrayList<>();
        for (int server : List.of(0, 1, LATE)) {
            TestClient writer = world.client(clients++, server);
            writer.open();
            writer.update("k", "pn-counter", Operation.of("increment", Value.of(1)));
            writers.add(writer);
        }
        world.run(5000);
        for (TestClient writer : writers) {
            assertThat(writer.confirmations())
                    .as("at %d, refusals %s, alarms %s", writer.server, writer.refusals(), world.alarms)
                    .flatExtracting(Confirmation::covered)
                    .isNotEmpty();
            assertThat(exclusions(writer.server))
                    .extracting(Exclusion::origin, Exclusion::cut)
                    .containsExactly(tuple(ForgedLog.LIAR, (long) CERTIFIED));
            assertThat(world.cores.get(writer.server).status().ready()).isTrue();
        }
    }

    @Test
    void aServerReachesACutThatNoKeptHeadCovers() {
        certifyBetweenTwoHeads();
        exclude();
        world.lose(LATE);
        world.run(3000);
        assertThreeIsOutAndTheOthersGoOn();
        world.crash(LATE);
        world.run(1000);
        assertThreeIsOutAndTheOthersGoOn();
    }

    @Test
    void aServerOnTheOtherBranchReachesTheCut() {
        certifyBetweenTwoHeads();
        exclude();
        world.lose(LATE);
        fork.sendTo(LATE, 0, 2);
        world.run(3000);
        assertThreeIsOutAndTheOthersGoOn();
    }

    @Test
    void aServerWhoseOtherBranchWaitsForWhatNeverWasReachesTheCut() {
        ForgedLog waiting = new ForgedLog(world);
        waiting.session();
        for (int number = 1; number <= CERTIFIED; number++) {
            waiting.incrementThatWaits(number, 9);
        }
        certifyBetweenTwoHeads();
        exclude();
        world.lose(LATE);
        waiting.sendTo(LATE);
        world.run(3000);
        assertThreeIsOutAndTheOthersGoOn();
    }

    @Test
    void aLiarCannotKeepAServerFromRepairing() {
        fork.sendTo(LATE, 0, 2);
        certifyBetweenTwoHeads();
        separate(ForgedLog.LIAR);
        fork.sendTo(LATE, 2, CERTIFIED);
        world.arrived = server -> {
            if (server == LATE) {
                fork.sendTo(LATE, 0, 1);
                fork.sendTo(LATE, 1, CERTIFIED - 1);
            }
        };
        world.run(5000);
        assertThat(certified(LATE)).as("alarms %s", world.alarms).isEqualTo(CERTIFIED);
        assertThat(world.cores.get(LATE).status().counters().get("repairs")).isLessThanOrEqualTo(4);
        assertThat(world.cores.get(LATE).status().ready()).isTrue();
    }
}
