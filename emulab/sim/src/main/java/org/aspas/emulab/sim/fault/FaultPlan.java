package org.aspas.emulab.sim.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.fault.Fault.Kind;
import org.aspas.emulab.sim.network.Conditions;

/** Makes a plan of faults from a seed. Every fault ends before the plan's end: then the network is whole and all run. */
public final class FaultPlan {
    private static final double COLD_STARTS = 0.25;
    private static final long DISK_FAULTS_ARE_RARER = 3;
    private static final double WORST_LOSS = 0.3;
    private static final double WORST_DUPLICATION = 0.5;
    private static final double WORST_REORDERING = 0.3;

    private final Chance chance;
    private final Quorums quorums;
    private final int clients;
    private final long end;
    private final List<Fault> faults = new ArrayList<>();
    private long replicasBusyUntil;

    private FaultPlan(Chance chance, Quorums quorums, int clients, long end) {
        this.chance = chance;
        this.quorums = quorums;
        this.clients = clients;
        this.end = end;
    }

    /**
     * Draws a plan.
     *
     * @param clients how many correct clients there are
     * @param end when all faults have ended, in microseconds
     * @param meanPause the mean time between two faults, in microseconds
     */
    public static List<Fault> make(
            Chance chance, Quorums quorums, int clients, long end, Set<Kind> kinds, long meanPause) {
        FaultPlan plan = new FaultPlan(chance, quorums, clients, end);
        List<Kind> choice = kinds.stream()
                .filter(kind -> kind != Kind.CLUSTER_COLD_START && Kind.FIRST.contains(kind))
                .sorted()
                .toList();
        long moment = chance.waiting(meanPause);
        while (!choice.isEmpty() && moment < end) {
            plan.add(chance.pick(choice), moment);
            moment += chance.waiting(meanPause) + 1;
        }
        if (kinds.contains(Kind.CLUSTER_COLD_START)) {
            plan.coldStart(chance.stream("cold start"));
        }
        DiskPlan disks = new DiskPlan(chance, quorums, clients, end, kinds, plan.faults);
        disks.make(DISK_FAULTS_ARE_RARER * meanPause);
        return List.copyOf(plan.faults);
    }

    /** From a stream of its own, so that it does not shift the others. */
    private void coldStart(Chance own) {
        if (own.happens(COLD_STARTS) && end > 2 * Timeline.SECOND) {
            long begins = own.between(Timeline.SECOND, end - Timeline.SECOND);
            fault(Kind.CLUSTER_COLD_START, begins, own.between(0, Timeline.SECOND), replicas(), List.of());
        }
    }

    private void add(Kind kind, long begins) {
        switch (kind) {
            case CRASH -> fault(kind, begins, lasting(4), List.of(appserver()), List.of());
            case CRASH_ALL -> {
                if (chance.happens(0.3)) {
                    fault(kind, begins, lasting(2), appservers(), List.of());
                }
            }
            case REPLICA_CRASH -> {
                if (begins >= replicasBusyUntil) {
                    long lasts = lasting(3);
                    replicasBusyUntil = begins + lasts + 5 * Timeline.SECOND;
                    fault(kind, begins, lasts, List.of(replica()), List.of());
                }
            }
            case REPLICA_CUT -> fault(kind, begins, lasting(4), List.of(replica()), List.of());
            case CLUSTER_STOP -> {
                if (chance.happens(0.3)) {
                    fault(kind, begins, lasting(6), replicas(), List.of());
                }
            }
            case PARTITION, ONE_WAY -> split(kind, begins);
            case LINK_BREAK -> pair(begins);
            case CLIENT_BREAK, CLIENT_CRASH -> client(kind, begins);
            case WEATHER -> weather(begins);
            default -> throw new IllegalArgumentException(kind + " is not drawn with the others");
        }
    }

    private long lasting(int meanSeconds) {
        return 100 * Timeline.MILLI + chance.waiting(meanSeconds * Timeline.SECOND);
    }

    private void fault(Kind kind, long begins, long lasts, List<NodeId> some, List<NodeId> others) {
        put(kind, begins, lasts, some, others, 0, Conditions.CALM);
    }

    private void put(
            Kind kind,
            long begins,
            long lasts,
            List<NodeId> some,
            List<NodeId> others,
            int client,
            Conditions conditions) {
        faults.add(new Fault(
                faults.size(), kind, begins, Math.min(end, begins + lasts), some, others, client, conditions));
    }

    private void split(Kind kind, long begins) {
        List<NodeId> all = new ArrayList<>(appservers());
        all.addAll(replicas());
        List<NodeId> shuffled = chance.shuffled(all);
        int cut = 1 + chance.index(shuffled.size() - 1);
        fault(kind, begins, lasting(5), shuffled.subList(0, cut), shuffled.subList(cut, shuffled.size()));
    }

    private void pair(long begins) {
        NodeId one = appserver();
        List<NodeId> all = new ArrayList<>(appservers());
        all.addAll(replicas());
        all.remove(one);
        fault(Kind.LINK_BREAK, begins, 0, List.of(one), List.of(chance.pick(all)));
    }

    private void client(Kind kind, long begins) {
        if (clients > 0) {
            put(kind, begins, lasting(1), List.of(), List.of(), chance.index(clients), Conditions.CALM);
        }
    }

    private void weather(long begins) {
        Conditions conditions = new Conditions(
                chance.fraction() * WORST_LOSS,
                chance.fraction() * WORST_DUPLICATION,
                chance.fraction() * WORST_REORDERING);
        put(Kind.WEATHER, begins, lasting(5), List.of(), List.of(), 0, conditions);
    }

    private NodeId appserver() {
        return NodeId.appserver(chance.index(quorums.appservers()));
    }

    private NodeId replica() {
        return NodeId.bftserver(chance.index(quorums.bftservers()));
    }

    private List<NodeId> appservers() {
        List<NodeId> all = new ArrayList<>();
        for (int i = 0; i < quorums.appservers(); i++) {
            all.add(NodeId.appserver(i));
        }
        return all;
    }

    private List<NodeId> replicas() {
        List<NodeId> all = new ArrayList<>();
        for (int i = 0; i < quorums.bftservers(); i++) {
            all.add(NodeId.bftserver(i));
        }
        return all;
    }
}
