package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** A sum tells of the newest certificate: while its records tell of more than that and of open entries, a server writes none. */
class UnsettledSumTest {
    private static final int LATE = 2;

    private final Deployment world = new Deployment(17);

    private AppServerCore core() {
        return world.cores.get(LATE);
    }

    private long count(String counter) {
        return core().status().counters().getOrDefault(counter, 0L);
    }

    private static boolean silent(NodeId node) {
        return node.equals(NodeId.appserver(ForgedLog.LIAR));
    }

    private ForgedLog branch(int entries, long amount) {
        ForgedLog branch = new ForgedLog(world);
        branch.session();
        for (int number = 1; number < entries; number++) {
            branch.increment(number, amount);
        }
        return branch;
    }

    private void write(int client, int server) {
        TestClient writer = world.client(client, server);
        writer.open();
        writer.update("k", "pn-counter", Operation.of("increment", Value.of(1)));
        world.run(2_000);
    }

    /** The record of a start counts as more bytes than a drained server needs for a sum. */
    private void startTwice() {
        world.crash(LATE);
        world.run(1_000);
        world.crash(LATE);
        world.run(1_000);
    }

    private void begin() {
        world.open = (from, to) -> !silent(from) && !silent(to);
        write(33, 0);
        startTwice();
        assertThat(core().newestCertificate()).isPresent();
        assertThat(count("journal_sums")).isZero();
    }

    /** How many sums it has written when it was told to end. */
    private long drained() {
        world.step(LATE, new Event.Drain());
        world.run(200);
        return count("journal_sums");
    }

    @Test
    void thereIsNoneInARepair() {
        begin();
        // It has another branch than the one that is certified, of which it hears by the certificate alone.
        world.open = (from, to) -> !silent(from)
                && !from.equals(NodeId.appserver(LATE))
                && (from.role() == Role.BFTSERVER || !to.equals(NodeId.appserver(LATE)));
        branch(10, 7).sendTo(LATE);
        ForgedLog log = branch(5, 5);
        world.parrot = true;
        log.sendTo(0);
        log.sendTo(1);
        world.run(3_000);
        world.parrot = false;
        assertThat(count("repairs")).isEqualTo(1);
        assertThat(core().status().state()).isEqualTo(ServerState.REPAIRING);
        assertThat(drained()).isZero();
        world.open = (from, to) -> !silent(from) && !silent(to);
        for (int other : List.of(0, 1)) {
            world.step(LATE, new Event.NodeConnected(NodeId.appserver(other)));
        }
        world.run(4_000);
        assertThat(drained()).isPositive();
    }

    /** It ends between the record of an exclusion and that of the certificate. */
    @Test
    void thereIsNoneBeforeAnExclusionIsCertified() {
        begin();
        ForgedLog log = branch(5, 5);
        List.of(0, 1, LATE).forEach(log::sendTo);
        world.run(2_000);
        branch(10, 7).sendTo(0);
        world.run(5_000);
        assertThat(core().newestCertificate().orElseThrow().content().exclusions())
                .hasSize(1);
        List<byte[]> records = world.stores.get(LATE);
        int excluded = 0;
        while (records.get(excluded)[0] != Records.EXCLUSION) {
            excluded++;
        }
        world.stores.set(LATE, new ArrayList<>(records.subList(0, excluded + 1)));
        world.open = (from, to) -> false;
        world.crash(LATE);
        world.run(200);
        assertThat(count("exclusions")).isEqualTo(1);
        assertThat(core().newestCertificate().orElseThrow().content().exclusions())
                .isEmpty();
        assertThat(drained()).isZero();
        world.open = (from, to) -> !silent(from) && !silent(to);
        world.run(4_000);
        assertThat(drained()).isPositive();
    }

    /** Peers keep all entries; those before the certified ends of its logs have no place there before it has these ends. */
    @Test
    void withoutItsBaseAServerTakesNoEntriesBeforeTheSnapshot() {
        world.keepBases();
        write(33, 0);
        write(34, LATE);
        startTwice();
        assertThat(drained()).isEqualTo(1);
        List<byte[]> records = world.stores.get(LATE);
        int sum = 0;
        while (records.get(sum)[0] != Records.SUM) {
            sum++;
        }
        world.stores.set(LATE, new ArrayList<>(records.subList(sum, records.size())));
        world.bases.set(LATE, new MemoryBase());
        world.altered = (from, to, message) ->
                to.equals(NodeId.appserver(LATE)) && message instanceof SnapshotHead ? null : message;
        world.crash(LATE);
        world.run(3_000);
        assertThat(core().status().state()).isEqualTo(ServerState.REPAIRING);
        assertThat(core().version().get(0)).isZero();
        assertThat(world.stores.get(LATE)).noneMatch(record -> record[0] == Records.BATCH);
        world.altered = (from, to, message) -> message;
        world.run(4_000);
        assertThat(core().status().state()).isEqualTo(ServerState.SERVING);
        assertThat(core().version()).isEqualTo(world.cores.get(0).version());
    }
}
