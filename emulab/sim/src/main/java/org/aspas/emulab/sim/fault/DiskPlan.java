package org.aspas.emulab.sim.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.fault.Fault.Kind;
import org.aspas.emulab.sim.network.Conditions;

/**
 * Adds to a plan what happens to disks, and who joins late. Every kind is drawn from a stream of its own, after all others,
 * so that the older part of a seed's plan is what it was.
 *
 * <p>An appserver whose disk is lost, damaged or old takes one of the f for the whole run. Whether a client's record may be lost or old
 * depends on who lies in the run: where anybody does, the client only crashes.
 */
final class DiskPlan {
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

    private final Chance chance;
    private final Quorums quorums;
    private final int clients;
    private final long end;
    private final Set<Kind> kinds;
    private final List<Fault> faults;

    DiskPlan(Chance chance, Quorums quorums, int clients, long end, Set<Kind> kinds, List<Fault> faults) {
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
        Chance own = chance.stream(Kind.AMNESIA.name());
        if (!kinds.contains(Kind.AMNESIA) || !own.happens(AMNESIA) || end <= 2 * Timeline.SECOND) {
            return;
        }
        List<Integer> servers =
                own.shuffled(IntStream.range(0, quorums.appservers()).boxed().toList());
        for (int server : servers.subList(0, 1 + own.index(quorums.f()))) {
            long begins = own.between(Timeline.SECOND / 2, end / 2);
            put(own.pick(FORGETTING), begins, lasting(own) + own.between(0, end / 4), appserver(server));
        }
    }

    private void forgottenRecords(long meanPause) {
        Chance own = chance.stream(Kind.FORGOTTEN_RECORD.name());
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

    private Party anyParty(Chance own) {
        int index = own.index(quorums.appservers() + quorums.bftservers() + clients);
        return index < quorums.appservers() ? appserver(index) : replicaOrClient(index - quorums.appservers());
    }

    private Party replicaOrClient(Chance own) {
        return replicaOrClient(own.index(quorums.bftservers() + clients));
    }

    private Party replicaOrClient(int index) {
        return index < quorums.bftservers() ? replica(index) : new Party(List.of(), index - quorums.bftservers());
    }

    private void repeated(Kind kind, long meanPause, Function<Chance, Party> whom) {
        if (!kinds.contains(kind)) {
            return;
        }
        Chance own = chance.stream(kind.name());
        long moment = own.waiting(meanPause);
        while (moment < end) {
            put(kind, moment, lasting(own), whom.apply(own));
            moment += own.waiting(meanPause) + 1;
        }
    }

    private void once(Kind kind, double probability, Function<Chance, Party> whom) {
        Chance own = chance.stream(kind.name());
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
        Chance own = chance.stream(Kind.LATE_JOIN.name());
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

    private static long lasting(Chance own) {
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
