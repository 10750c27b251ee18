package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.Conditions;
import org.aspas.emulab.sim.node.Network;

/** Lets the faults of a plan happen and end. */
final class FaultDriver {
    private final SimulatedSystem system;
    private final Map<Integer, Integer> cuts = new HashMap<>();
    private final Map<Fault, List<NodeId>> cutBy = new HashMap<>();
    private final Crashes crashes;
    private final DiskDriver disks;

    FaultDriver(SimulatedSystem system) {
        this.system = system;
        this.crashes = new Crashes(system);
        this.disks = new DiskDriver(system, crashes);
    }

    void schedule(Fault fault) {
        disks.prepare(fault);
        system.timeline.at(fault.begins(), () -> begin(fault));
        system.timeline.at(fault.ends(), () -> end(fault));
    }

    /** Lets a server stand still, with all its connections, or go on. */
    void freeze(NodeId node, boolean begins) {
        if (node.role() == Role.APPSERVER) {
            system.servers.get(node.index()).freeze(begins);
        } else {
            cut(node.index(), begins);
            system.world.network().freeze(node, begins);
        }
    }

    /** Ends a server without notice, or starts it again. */
    void kill(NodeId node, boolean begins) {
        if (begins) {
            crashes.crash(node);
        } else {
            crashes.restart(node);
        }
    }

    private void begin(Fault fault) {
        system.world.trace().remark(system.timeline.now(), "begins", fault.toString());
        Network network = system.world.network();
        switch (fault.kind()) {
            case CRASH, CRASH_ALL -> servers(fault).filter(AppServerNode::up).forEach(AppServerNode::crash);
            case REPLICA_CRASH -> fault.some().forEach(crashes::crash);
            case CLUSTER_COLD_START -> {
                fault.some().forEach(crashes::crashInAnyCase);
                system.sequencer.beginAnew();
            }
            case REPLICA_CUT -> cutSome(fault, fault.some());
            case CLUSTER_STOP -> fault.some().forEach(id -> cut(id.index(), true));
            case PARTITION -> {
                block(fault.some(), fault.others(), true);
                block(fault.others(), fault.some(), true);
                cutSome(fault, minority(fault));
            }
            case ONE_WAY -> {
                block(fault.some(), fault.others(), true);
                cutSome(fault, minority(fault));
            }
            case LINK_BREAK ->
                network.breakSession(fault.some().get(0), fault.others().get(0));
            case CLIENT_BREAK ->
                system.world.lines().end(system.clients.get(fault.client()).connection());
            case CLIENT_CRASH -> {
                ClientNode client = system.clients.get(fault.client());
                if (client.up()) {
                    client.crash();
                }
            }
            case WEATHER -> network.conditions(fault.conditions());
            default -> disks.begin(fault);
        }
    }

    private void end(Fault fault) {
        system.world.trace().remark(system.timeline.now(), "ends", fault.toString());
        switch (fault.kind()) {
            case CRASH, CRASH_ALL -> servers(fault).forEach(crashes::start);
            case REPLICA_CRASH, CLUSTER_COLD_START -> fault.some().forEach(crashes::restart);
            case REPLICA_CUT -> endCut(fault);
            case CLUSTER_STOP -> fault.some().forEach(id -> cut(id.index(), false));
            case PARTITION -> {
                block(fault.some(), fault.others(), false);
                block(fault.others(), fault.some(), false);
                endCut(fault);
            }
            case ONE_WAY -> {
                block(fault.some(), fault.others(), false);
                endCut(fault);
            }
            case CLIENT_CRASH -> {
                ClientNode client = system.clients.get(fault.client());
                if (!client.up()) {
                    client.start();
                }
            }
            case WEATHER -> system.world.network().conditions(Conditions.CALM);
            case LINK_BREAK, CLIENT_BREAK -> {
                // A moment, no span of time.
            }
            default -> disks.end(fault);
        }
    }

    /** Starts all parties but those that join late. */
    void start() {
        system.start(crashes);
    }

    private java.util.stream.Stream<AppServerNode> servers(Fault fault) {
        return fault.some().stream().map(id -> system.servers.get(id.index()));
    }

    private void block(List<NodeId> from, List<NodeId> to, boolean shut) {
        for (NodeId one : from) {
            for (NodeId other : to) {
                system.world.network().block(one, other, shut);
            }
        }
    }

    /** The bftservers of a split's smaller side: they take no part in the order while it lasts. */
    private static List<NodeId> minority(Fault fault) {
        List<NodeId> one = replicas(fault.some());
        List<NodeId> other = replicas(fault.others());
        return one.size() < other.size() ? one : other.size() < one.size() ? other : List.of();
    }

    private static List<NodeId> replicas(List<NodeId> nodes) {
        return nodes.stream().filter(id -> id.role() == Role.BFTSERVER).toList();
    }

    /** Cuts bftservers off from the order, but none that must not be without its complete record now, and was never taught. */
    private void cutSome(Fault fault, List<NodeId> some) {
        List<NodeId> cut = new ArrayList<>();
        for (NodeId id : some) {
            if (crashes.mayStop(system.replicas.get(id.index()))) {
                cut(id.index(), true);
                cut.add(id);
            }
        }
        cutBy.put(fault, cut);
    }

    private void endCut(Fault fault) {
        List<NodeId> cut = cutBy.remove(fault);
        if (cut != null) {
            cut.forEach(id -> cut(id.index(), false));
        }
    }

    /** Cuts a bftserver off from the order, or takes back one such cut. */
    void cut(int replica, boolean begins) {
        int count = cuts.merge(replica, begins ? 1 : -1, Integer::sum);
        if (begins ? count == 1 : count == 0) {
            system.replicas.get(replica).cutOff(begins);
        }
    }
}
