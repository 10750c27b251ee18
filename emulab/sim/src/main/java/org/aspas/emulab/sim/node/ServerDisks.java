package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.appserver.core.port.Effect;
import org.aspas.appserver.core.port.Event;
import org.aspas.appserver.core.port.StoredHistory;
import org.aspas.certify.durable.Ticket;
import org.aspas.certify.identity.NodeId;

/** The disks of an appserver, one for each core. */
public final class ServerDisks {
    private final List<Disk> disks = new ArrayList<>();
    private final List<LeafDisk> leaves = new ArrayList<>();

    ServerDisks(World world, NodeId server, int cores, long slowestMicros) {
        for (int core = 0; core < cores; core++) {
            disks.add(new Disk(world.timeline(), world.chance().stream("disk" + server + core), slowestMicros));
            leaves.add(new LeafDisk(world.timeline(), world.chance().stream("leaves" + server + core), slowestMicros));
        }
    }

    /** The cores that start from what survived the last crash, by their own replay. */
    List<AppServerCore> cores(CoreSettings settings) {
        return disks.stream()
                .map(disk -> AppServerCore.recover(settings, StoredHistory.of(disk.records()), disk.state()))
                .toList();
    }

    /** Appends a record of a core; true when it is durable at once, else the consumer is told its ticket or a later one. */
    boolean append(int core, Effect.Persist record, Consumer<Ticket> whom) {
        return disks.get(core).append(record.ticket(), record.record(), whom);
    }

    /** Keeps hashes of leaves of a core, or gives them back to the consumer. */
    void leaves(int core, Effect.OfLeaves effect, Consumer<Event.LeavesLoaded> whom) {
        leaves.get(core).carryOut(effect, whom);
    }

    /** The server ends: writes under way may be lost. */
    void crash() {
        leaves.forEach(LeafDisk::crash);
        disks.forEach(Disk::crash);
    }

    /** Whether something waits to become durable, or to be read. */
    public boolean writing() {
        return disks.stream().anyMatch(disk -> !disk.idle()) || leaves.stream().anyMatch(disk -> !disk.idle());
    }

    /** What the first core would still have after a crash now; not to be kept. */
    public List<byte[]> durable() {
        return disks.get(0).durable();
    }

    // ---- What happens to them ----

    /** They take nothing from now on, or take everything again. */
    public void full(boolean begins) {
        disks.forEach(disk -> disk.full(begins));
    }

    /** They forget everything; the server does not run now. */
    public void lose() {
        disks.forEach(Disk::lose);
    }

    /** They keep a copy of what is durable now. */
    public void keepCopy() {
        disks.forEach(Disk::keepCopy);
    }

    /** They hold again what was durable when the copy was made; the server does not run now. */
    public void becomeCopy() {
        disks.forEach(Disk::becomeCopy);
    }

    /**
     * Lets the server crash at the next record of a kind, once.
     *
     * @param step which record
     * @param stays whether that record is durable already
     * @param crash ends it
     */
    public void crashAt(Predicate<byte[]> step, boolean stays, Runnable crash) {
        disks.forEach(disk -> disk.trap(new Disk.Trap(step, stays, crash)));
    }

    /** The server does not crash at a record any more. */
    public void crashNowhere() {
        disks.forEach(disk -> disk.trap(null));
    }
}
