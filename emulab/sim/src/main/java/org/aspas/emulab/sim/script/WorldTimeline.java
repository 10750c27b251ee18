package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ReplicaNode;
import org.aspas.emulab.sim.node.WorldDelays;
import org.aspas.emulab.sim.world.Group;
import org.aspas.emulab.sim.world.WorldFault;
import org.aspas.emulab.sim.world.WorldMap;

/** Lets the events of a world's timeline happen in a run. Byzantine roles are not among them: their servers know when to begin. */
final class WorldTimeline {
    private final SimulatedSystem system;
    private final WorldMap world;
    private final WorldDelays delays;
    private final FaultDriver driver;
    private final List<NodeId> nodes;

    WorldTimeline(SimulatedSystem system, WorldMap world, WorldDelays delays, FaultDriver driver) {
        this.system = system;
        this.world = world;
        this.delays = delays;
        this.driver = driver;
        this.nodes = Stream.concat(
                        system.servers.stream().map(AppServerNode::id),
                        system.replicas.stream().map(ReplicaNode::id))
                .toList();
    }

    /**
     * Schedules all events.
     *
     * @param end when the network has to be whole again, in microseconds: what would last longer ends then, and what would
     *     begin later does not happen
     */
    void schedule(long end) {
        for (WorldFault fault : world.faults()) {
            if (fault.begins() < end) {
                system.timeline.at(fault.begins(), () -> turn(fault, true));
                system.timeline.at(Math.min(fault.ends(), end), () -> turn(fault, false));
            }
        }
    }

    private void turn(WorldFault fault, boolean begins) {
        system.world.trace().remark(system.timeline.now(), begins ? "begins" : "ends", fault.toString());
        if (fault instanceof WorldFault.Partition partition) {
            split(partition, begins);
        } else if (fault instanceof WorldFault.SlowLink slow) {
            delays.slow(slow, begins);
        } else if (fault instanceof WorldFault.Freeze freeze && exists(freeze.node())) {
            driver.freeze(freeze.node(), begins);
        } else if (fault instanceof WorldFault.Kill kill && exists(kill.node())) {
            driver.kill(kill.node(), begins);
        }
    }

    private boolean exists(NodeId node) {
        return nodes.contains(node);
    }

    private void split(WorldFault.Partition partition, boolean begins) {
        for (NodeId one : nodes) {
            for (NodeId other : nodes) {
                if (partition.separates(group -> group.has(world, one), group -> group.has(world, other))) {
                    system.world.network().block(one, other, begins);
                }
            }
        }
        for (int client = 0; client < system.clients.size(); client++) {
            int place = client;
            for (AppServerNode server : system.servers) {
                if (partition.separates(
                        group -> group.hasClient(world, place), group -> group.has(world, server.id()))) {
                    system.world.lines().block(place, server.id(), begins);
                }
            }
        }
        outsideOfTheLargest(partition).forEach(replica -> driver.cut(replica, begins));
    }

    /** The bftservers that take no part in the order: those apart from the group that has most of them. */
    private List<Integer> outsideOfTheLargest(WorldFault.Partition partition) {
        List<List<Integer>> sides = new ArrayList<>();
        for (Group group : partition.groups()) {
            sides.add(IntStream.range(0, system.replicas.size())
                    .filter(index -> group.has(world, NodeId.bftserver(index)))
                    .boxed()
                    .toList());
        }
        int most = sides.stream().mapToInt(List::size).max().orElse(0);
        boolean decided = sides.stream().filter(side -> side.size() == most).count() == 1;
        return sides.stream()
                .filter(side -> !decided || side.size() < most)
                .flatMap(List::stream)
                .distinct()
                .toList();
    }
}
