package org.aspas.emulab.sim.script;

import java.util.function.Predicate;
import org.aspas.appserver.core.state.Records;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.ReplicaNode;

/**
 * Lets what a plan says of disks happen, and late parties join. A bftserver without its complete record counts among the b:
 * where no more of them may fail, one that was to lose its record only crashes.
 */
final class DiskDriver {
    /** How long a process is away that ended in the middle of a write, or that somebody starts again. */
    private static final long AWAY = 300 * Timeline.MILLI;

    /** Among so many calls of a bftserver to its disk is the one at which all crash. */
    private static final int STEPS = 24;

    private final SimulatedSystem system;
    private final Crashes crashes;
    private final SeededRandom chance;

    DiskDriver(SimulatedSystem system, Crashes crashes) {
        this.system = system;
        this.crashes = crashes;
        this.chance = system.chance.stream("disk faults");
    }

    /** Before the run: who joins late is not there. */
    void prepare(Fault fault) {
        if (fault.kind() != Fault.Kind.LATE_JOIN) {
            return;
        }
        if (fault.ofClient()) {
            crashes.clientJoinsLate(fault.client());
        } else if (fault.node().role() == Role.APPSERVER || crashes.mayJoinLate()) {
            crashes.crashInAnyCase(fault.node());
        }
    }

    void begin(Fault fault) {
        if (fault.kind() == Fault.Kind.COLD_START_AT_STEP) {
            replica(fault)
                    .record()
                    .disk()
                    .faults()
                    .tear(chance.index(STEPS), chance.happens(0.5), () -> true, crashes::coldStart);
        } else if (fault.ofClient()) {
            begin(fault, client(fault));
        } else if (fault.node().role() == Role.BFTSERVER) {
            begin(fault, replica(fault));
        } else {
            begin(fault, server(fault));
        }
    }

    void end(Fault fault) {
        if (fault.ofClient()) {
            end(fault, client(fault));
        } else if (fault.node().role() == Role.BFTSERVER) {
            end(fault, replica(fault));
        } else {
            end(fault, server(fault));
        }
    }

    private ClientNode client(Fault fault) {
        return system.clients.get(fault.client());
    }

    private ReplicaNode replica(Fault fault) {
        return system.replicas.get(fault.node().index());
    }

    private AppServerNode server(Fault fault) {
        return system.servers.get(fault.node().index());
    }

    private void halfway(Fault fault, Runnable action) {
        system.timeline.at((fault.begins() + fault.ends()) / 2, action);
    }

    // ---- Clients ----

    private void begin(Fault fault, ClientNode client) {
        switch (fault.kind()) {
            case DISK_TORN -> client.disk().tear(true);
            case DISK_FULL -> client.disk().full(true);
            case DISK_DAMAGED -> {
                crash(client);
                boolean damaged = client.disk().damage();
                client.start();
                if (damaged && client.up()) {
                    throw new IllegalStateException(client + " took a damaged record");
                }
            }
            case DISK_LOST -> {
                crash(client);
                if (mayForget(fault)) {
                    client.disk().lose();
                }
            }
            case DISK_OLD -> {
                client.disk().keepCopy();
                halfway(fault, () -> {
                    crash(client);
                    if (mayForget(fault)) {
                        client.disk().becomeCopy();
                    }
                });
            }
            default -> {
                // Nothing happens before its end.
            }
        }
    }

    /**
     * Whether a client's record may be lost or old: by a script always, by a plan where no appserver drops what it acknowledged, on
     * purpose or because it forgot that. Else nobody would have it.
     */
    private boolean mayForget(Fault fault) {
        return fault.number() < 0 || system.participants.liars().isEmpty();
    }

    private static void crash(ClientNode client) {
        if (client.up()) {
            client.crash();
        }
    }

    private static void end(Fault fault, ClientNode client) {
        switch (fault.kind()) {
            case DISK_TORN -> client.disk().tear(false);
            case DISK_FULL -> client.disk().full(false);
            case DISK_DAMAGED -> client.disk().mend();
            default -> {
                // It only has to start.
            }
        }
        if (!client.up()) {
            client.start();
        }
    }

    // ---- Bftservers ----

    private void begin(Fault fault, ReplicaNode replica) {
        NodeId id = fault.node();
        switch (fault.kind()) {
            case DISK_TORN ->
                replica.record().disk().faults().tear(0, false, () -> crashes.mayStop(replica), () -> forAWhile(id));
            case DISK_FULL -> replica.record().disk().faults().fill(() -> crashes.mayStop(replica));
            case DISK_DAMAGED, DISK_LOST -> forget(fault, replica);
            case DISK_OLD -> {
                if (system.participants.lyingReplicas().contains(id.index())) {
                    replica.record().disk().keepCopy();
                    halfway(fault, () -> {
                        crashes.crash(id);
                        replica.record().disk().becomeCopy();
                    });
                }
            }
            default -> {
                // It was not there from the beginning.
            }
        }
    }

    private void forget(Fault fault, ReplicaNode replica) {
        boolean may = crashes.mayForget();
        crashes.crash(fault.node());
        if (!may) {
            return;
        }
        if (fault.kind() == Fault.Kind.DISK_LOST) {
            replica.record().lose();
        } else {
            replica.record().damage();
        }
    }

    private void end(Fault fault, ReplicaNode replica) {
        NodeId id = fault.node();
        switch (fault.kind()) {
            case COLD_START_AT_STEP, DISK_TORN ->
                replica.record().disk().faults().untorn();
            case DISK_FULL -> replica.record().disk().faults().empty();
            case DISK_OLD -> {
                if (system.participants.lyingReplicas().contains(id.index())) {
                    crashes.restart(id);
                }
            }
            case DISK_DAMAGED -> {
                // Whoever runs it moves the damaged record away.
                replica.record().loseIfGone();
                crashes.restart(id);
            }
            default -> crashes.restart(id);
        }
    }

    /** It crashes, and somebody starts it again. */
    private void forAWhile(NodeId id) {
        crashes.crash(id);
        system.timeline.after(AWAY, () -> crashes.restart(id));
    }

    // ---- Appservers ----

    private void begin(Fault fault, AppServerNode server) {
        NodeId id = fault.node();
        switch (fault.kind()) {
            case DISK_TORN -> server.disks().crashAt(record -> true, false, () -> forAWhile(id));
            case DISK_FULL -> server.disks().full(true);
            case DISK_DAMAGED, DISK_LOST -> {
                crashes.crash(id);
                if (system.mayForget(id.index())) {
                    // Nothing reads a damaged one: whoever runs it moves it away.
                    server.disks().lose();
                }
            }
            case POWER_CUT ->
                server.disks()
                        .crashAt(
                                record -> record[0] == Records.OWN_ENTRY,
                                false,
                                () ->
                                        // Its answer leaves before the disk has the entry.
                                        system.timeline.after(Timeline.MILLI, () -> {
                                            server.disks().powerCut();
                                            crashes.crash(id);
                                        }));
            case DISK_OLD -> {
                if (!system.mayForget(id.index())) {
                    crashes.crash(id);
                    return;
                }
                server.disks().keepCopy();
                halfway(fault, () -> {
                    crashes.crash(id);
                    server.disks().becomeCopy();
                });
            }
            case BASE_LOST -> {
                crashes.crash(id);
                server.disks().loseBases();
            }
            case DRAIN -> {
                if (server.up()) {
                    server.drain();
                }
                boolean inOrder = chance.happens(0.7);
                halfway(fault, () -> {
                    if (inOrder && server.up()) {
                        server.close();
                    }
                    crashes.crash(id);
                });
            }
            case REPAIR_CRASH -> crashAtEach(fault, server, Records::repairs);
            default -> {
                // It was not there from the beginning.
            }
        }
    }

    /** It crashes at such a record, before or after it is durable, and again and again, until the fault ends. */
    private void crashAtEach(Fault fault, AppServerNode server, Predicate<byte[]> step) {
        server.disks().crashAt(step, chance.happens(0.5), () -> {
            forAWhile(fault.node());
            system.timeline.after(2 * AWAY, () -> {
                if (system.timeline.now() < fault.ends()) {
                    crashAtEach(fault, server, step);
                }
            });
        });
    }

    private void end(Fault fault, AppServerNode server) {
        switch (fault.kind()) {
            case DISK_TORN, REPAIR_CRASH -> server.disks().crashNowhere();
            case DISK_FULL -> server.disks().full(false);
            default -> crashes.restart(fault.node());
        }
    }
}
