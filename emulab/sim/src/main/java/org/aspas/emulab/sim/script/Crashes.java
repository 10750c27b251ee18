package org.aspas.emulab.sim.script;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ReplicaNode;

/** Ends and starts servers for several faults at once: a server that two faults keep away runs again when both have ended. */
final class Crashes {
    private static final long COLD = 400 * Timeline.MILLI;

    private final SimulatedSystem system;
    private final Map<NodeId, Integer> away = new HashMap<>();
    /** Bftservers that were to crash and still run, because they may not stop. */
    private final Set<NodeId> spared = new HashSet<>();

    private final TreeSet<Integer> lateClients = new TreeSet<>();

    Crashes(SimulatedSystem system) {
        this.system = system;
    }

    /** Unless it is a bftserver that must not be without its complete record now, and was never taught. */
    void crash(NodeId id) {
        if (id.role() == Role.BFTSERVER && !mayStop(system.replicas.get(id.index()))) {
            away.merge(id, 1, Integer::sum);
            spared.add(id);
            return;
        }
        crashInAnyCase(id);
    }

    /** Also a bftserver that was never taught: where all stop at once, the deployment is still new to all. */
    void crashInAnyCase(NodeId id) {
        if (away.merge(id, 1, Integer::sum) > 1 && !spared.remove(id)) {
            return;
        }
        if (id.role() == Role.BFTSERVER) {
            system.replicas.get(id.index()).crash();
        } else if (system.servers.get(id.index()).up()) {
            system.servers.get(id.index()).crash();
        }
    }

    void restart(NodeId id) {
        if (away.getOrDefault(id, 0) == 0 || away.merge(id, -1, Integer::sum) > 0) {
            return;
        }
        if (spared.remove(id)) {
            return;
        }
        if (id.role() == Role.BFTSERVER) {
            system.replicas.get(id.index()).restart();
        } else {
            start(system.servers.get(id.index()));
        }
    }

    /** Starts an appserver, unless it runs, or something keeps it away. */
    void start(AppServerNode server) {
        if (!server.up() && !isAway(server.id())) {
            server.start();
        }
    }

    boolean isAway(NodeId id) {
        return away.getOrDefault(id, 0) > 0;
    }

    void clientJoinsLate(int client) {
        lateClients.add(client);
    }

    boolean joinsLate(int client) {
        return lateClients.contains(client);
    }

    /** All bftservers crash at once, and start again with nothing but their records. */
    void coldStart() {
        system.replicas.forEach(replica -> crashInAnyCase(replica.id()));
        system.sequencer.beginAnew();
        system.timeline.after(COLD, () -> system.replicas.forEach(replica -> restart(replica.id())));
    }

    /** Whether one bftserver more may be without its complete record: it counts among the b until the others have taught it. */
    boolean mayForget() {
        return withoutRecord(replica -> true) < system.quorums.b();
    }

    /**
     * Whether a bftserver may stop, be cut off from the order, or fail to write its record. One that does before it was taught for the first
     * time is taught later by 2b+1 others, like one that lost its record.
     */
    boolean mayStop(ReplicaNode replica) {
        return replica.record().knowing()
                || lies(replica)
                || stopped(replica)
                || withoutRecord(other -> other != replica
                                && (stopped(other)
                                        || other.isCutOff()
                                        || other.record().failed()))
                        < system.quorums.b();
    }

    /** How many bftservers lie, or are without their complete record and as asked. */
    private long withoutRecord(Predicate<ReplicaNode> asked) {
        return system.replicas.stream()
                .filter(replica -> lies(replica) || (!replica.record().knowing() && asked.test(replica)))
                .count();
    }

    private boolean stopped(ReplicaNode replica) {
        return isAway(replica.id()) && !spared.contains(replica.id());
    }

    private boolean lies(ReplicaNode replica) {
        return system.participants.lyingReplicas().contains(replica.id().index());
    }

    /** Whether one bftserver more may join late: it has no record, and the others have to teach it. */
    boolean mayJoinLate() {
        long late =
                system.replicas.stream().filter(replica -> isAway(replica.id())).count();
        return system.participants.lyingReplicas().size() + late < system.quorums.b();
    }
}
