package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.Conditions;
import org.aspas.emulab.sim.script.Fault.Kind;

/** Makes a plan of faults from a seed. Every fault ends before the plan's end: then the network is whole and all run. */
public final class FaultPlan {
    private static final double COLD_STARTS = 0.25;
    private static final long DISK_FAULTS_ARE_RARER = 3;
    private static final double WORST_LOSS = 0.3;
    private static final double WORST_DUPLICATION = 0.5;
    private static final double WORST_REORDERING = 0.3;

    private final SeededRandom chance;
    private final Quorums quorums;
    private final int clients;
    private final long end;
    private final List<Fault> faults = new ArrayList<>();
    private long replicasBusyUntil;

    private FaultPlan(SeededRandom chance, Quorums quorums, int clients, long end) {
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
            SeededRandom chance, Quorums quorums, int clients, long end, Set<Kind> kinds, long meanPause) {
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
    private void coldStart(SeededRandom own) {
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

    /**
     * Adds to a plan what happens to disks, and who joins late. Every kind is drawn from a stream of its own, after all others,
     * so that the older part of a seed's plan is what it was.
     *
     * <p>An appserver whose disk is lost, damaged or old takes one of the f for the whole run. Whether a client's record may be lost or old
     * depends on who lies in the run: where anybody does, the client only crashes.
     */
    private static final class DiskPlan {
        /** How often a run has a bftserver on an older record, which counts among the b for the whole run. */
        private static final double OLD_RECORDS = 0.15;

        private static final double LATE = 0.15;
        private static final double STEPS = 0.15;
        private static final double REPAIRS = 0.5;
        private static final double AMNESIA = 0.6;
        private static final double BASES = 0.4;
        /** What becomes of the disk of an appserver that forgets; a damaged one is as good as lost. */
        private static final List<Kind> FORGETTING =
                List.of(Kind.DISK_LOST, Kind.DISK_OLD, Kind.DISK_OLD, Kind.DISK_DAMAGED);

        private final SeededRandom chance;
        private final Quorums quorums;
        private final int clients;
        private final long end;
        private final Set<Kind> kinds;
        private final List<Fault> faults;

        DiskPlan(SeededRandom chance, Quorums quorums, int clients, long end, Set<Kind> kinds, List<Fault> faults) {
            this.chance = chance;
            this.quorums = quorums;
            this.clients = clients;
            this.end = end;
            this.kinds = kinds;
            this.faults = faults;
        }

        void make(long meanPause) {
            repeated(Kind.DISK_TORN, meanPause, this::anyParty);
            repeated(Kind.DISK_FULL, 2 * meanPause, this::anyParty);
            repeated(Kind.DISK_DAMAGED, 2 * meanPause, this::replicaOrClient);
            repeated(Kind.DISK_LOST, 3 * meanPause, own -> replica(own.index(quorums.bftservers())));
            once(Kind.DISK_OLD, OLD_RECORDS, own -> replica(own.index(quorums.bftservers())));
            once(Kind.COLD_START_AT_STEP, STEPS, own -> replica(own.index(quorums.bftservers())));
            once(Kind.REPAIR_CRASH, REPAIRS, own -> appserver(own.index(quorums.appservers())));
            late();
            amnesia();
            once(Kind.BASE_LOST, BASES, own -> appserver(own.index(quorums.appservers())));
            repeated(Kind.DRAIN, 2 * meanPause, own -> appserver(own.index(quorums.appservers())));
            forgottenRecords(meanPause);
        }

        /** Up to f appservers forget what they signed. */
        private void amnesia() {
            SeededRandom own = chance.stream(Kind.AMNESIA.name());
            if (!kinds.contains(Kind.AMNESIA) || !own.happens(AMNESIA) || end <= 2 * Timeline.SECOND) {
                return;
            }
            List<Integer> servers = own.shuffled(
                    IntStream.range(0, quorums.appservers()).boxed().toList());
            for (int server : servers.subList(0, 1 + own.index(quorums.f()))) {
                long begins = own.between(Timeline.SECOND / 2, end / 2);
                put(own.pick(FORGETTING), begins, lasting(own) + own.between(0, end / 4), appserver(server));
            }
        }

        private void forgottenRecords(long meanPause) {
            SeededRandom own = chance.stream(Kind.FORGOTTEN_RECORD.name());
            long moment = own.waiting(meanPause);
            while (kinds.contains(Kind.FORGOTTEN_RECORD) && clients > 0 && moment < end) {
                Kind kind = own.happens(0.5) ? Kind.DISK_LOST : Kind.DISK_OLD;
                put(kind, moment, lasting(own), new Party(List.of(), own.index(clients)));
                moment += own.waiting(meanPause) + 1;
            }
        }

        /** Whom a fault concerns: one server, or one client. */
        private record Party(List<NodeId> node, int client) {}

        private static Party appserver(int index) {
            return new Party(List.of(NodeId.appserver(index)), 0);
        }

        private static Party replica(int index) {
            return new Party(List.of(NodeId.bftserver(index)), 0);
        }

        private Party anyParty(SeededRandom own) {
            int index = own.index(quorums.appservers() + quorums.bftservers() + clients);
            return index < quorums.appservers() ? appserver(index) : replicaOrClient(index - quorums.appservers());
        }

        private Party replicaOrClient(SeededRandom own) {
            return replicaOrClient(own.index(quorums.bftservers() + clients));
        }

        private Party replicaOrClient(int index) {
            return index < quorums.bftservers() ? replica(index) : new Party(List.of(), index - quorums.bftservers());
        }

        private void repeated(Kind kind, long meanPause, Function<SeededRandom, Party> whom) {
            if (!kinds.contains(kind)) {
                return;
            }
            SeededRandom own = chance.stream(kind.name());
            long moment = own.waiting(meanPause);
            while (moment < end) {
                put(kind, moment, lasting(own), whom.apply(own));
                moment += own.waiting(meanPause) + 1;
            }
        }

        private void once(Kind kind, double probability, Function<SeededRandom, Party> whom) {
            SeededRandom own = chance.stream(kind.name());
            if (kinds.contains(kind) && own.happens(probability) && end > 2 * Timeline.SECOND) {
                long begins = own.between(0, end / 2);
                put(kind, begins, own.between(Timeline.SECOND, end - begins), whom.apply(own));
            }
        }

        /** One of the servers, and one of the clients, are not there from the beginning. */
        private void late() {
            if (!kinds.contains(Kind.LATE_JOIN)) {
                return;
            }
            SeededRandom own = chance.stream(Kind.LATE_JOIN.name());
            List<Party> parties = new ArrayList<>();
            if (own.happens(LATE)) {
                parties.add(appserver(own.index(quorums.appservers())));
            }
            if (own.happens(LATE)) {
                parties.add(replica(own.index(quorums.bftservers())));
            }
            if (own.happens(LATE) && clients > 0) {
                parties.add(new Party(List.of(), own.index(clients)));
            }
            parties.forEach(party ->
                    put(Kind.LATE_JOIN, 0, own.between(Timeline.SECOND, Math.max(Timeline.SECOND, end)), party));
        }

        private static long lasting(SeededRandom own) {
            return 200 * Timeline.MILLI + own.waiting(2 * Timeline.SECOND);
        }

        private void put(Kind kind, long begins, long lasts, Party party) {
            faults.add(new Fault(
                    faults.size(),
                    kind,
                    begins,
                    Math.min(end, begins + lasts),
                    party.node(),
                    List.of(),
                    party.client(),
                    Conditions.CALM));
        }
    }
}
