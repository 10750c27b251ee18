package org.aspas.appserver.core.broadcast;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.appserver.core.port.Alarm;
import org.aspas.appserver.core.port.BatchOutcome;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;

/**
 * Looks into what contradicts the logs here: alarms, and makes the proof or asks for what is missing of it. A peer's batch may
 * contradict a log so that its entries do not open it from the log here; then that peer is asked for its history of the origin
 * from the version on that all agree on. For one thread.
 */
final class ForkWatch extends CorePart {
    private static final long SUSPICION_MILLIS = 500;

    private final Logs logs;
    private final EntryIntake intake;
    private final Amnesia amnesia;
    private final ForkFinder finder;
    private final Map<Integer, Long> suspicions = new TreeMap<>();
    private final Map<Integer, Long> followed = new TreeMap<>();
    private final Set<Integer> proved = new TreeSet<>();
    private VersionVector agreed;
    private boolean ownLossSeen;

    ForkWatch(CoreContext context, Logs logs, EntryIntake intake, Amnesia amnesia) {
        super(context);
        this.logs = logs;
        this.intake = intake;
        this.amnesia = amnesia;
        this.finder = new ForkFinder(logs, intake);
        this.agreed = VersionVector.zero(logs.origins());
    }

    /** All servers agree on this version. */
    void agreed(VersionVector certified) {
        agreed = certified;
    }

    /**
     * A batch contradicts the log here, or cannot be opened from it.
     *
     * @return the proof, if the batch and the log make it and there was none yet
     */
    Optional<Evidence> contradicted(NodeId from, Batch batch, BatchOutcome outcome) {
        Head head = batch.head().message();
        int origin = head.origin();
        if (outcome == BatchOutcome.FORK) {
            outbox.alarm(new Alarm.ForkedLog(origin, head.size(), head.root()));
        } else if (outcome == BatchOutcome.BROKEN_ENTRY) {
            outbox.alarm(new Alarm.BrokenLog(origin, head.size(), head.root()));
        }
        if (proved.contains(origin) || origin == settings.index()) {
            return Optional.empty(); // No server accuses itself: what it forgot it may have signed rightly.
        }
        Optional<Evidence> proof = finder.heads(batch.head()).or(() -> finder.batch(batch));
        if (proof.isPresent()) {
            proved(origin);
        } else if (!logs.cuts().excludes(origin) && intake.signedByOrigin(batch.head())) {
            suspect(from, origin);
        }
        return proof;
    }

    /** One proof is enough: what else the origin signs is not looked into again. Whether this is the first one. */
    boolean proved(int origin) {
        followed.remove(origin);
        return proved.add(origin);
    }

    private void suspect(NodeId from, int origin) {
        Long before = suspicions.get(origin);
        if (before == null || time.now() - before >= SUSPICION_MILLIS) {
            suspicions.put(origin, time.now());
            followed.put(origin, agreed.get(origin));
            counters.count("suspicions");
            outbox.node(from, new Pull(origin, agreed.get(origin)));
        }
    }

    /** While an origin is suspected, a batch that fits is followed by a question for what comes after it. */
    void fitted(NodeId from, Head head) {
        Long followedTo = followed.get(head.origin());
        if (followedTo != null
                && head.size() > followedTo
                && head.size() < logs.of(head.origin()).size()) {
            followed.put(head.origin(), head.size());
            outbox.node(from, new Pull(head.origin(), head.size()));
        }
    }

    /**
     * Compares a head that a peer holds with the log here.
     *
     * @return the proof of a fork, if both make it and there was none yet
     */
    Optional<Evidence> compared(NodeId from, Signed<Head> head) {
        int origin = head.message().origin();
        long size = head.message().size();
        if (origin >= logs.origins() || size < 1 || logs.cuts().excludes(origin)) {
            return Optional.empty();
        }
        if (origin == settings.index()) {
            lookForOwnLoss(head);
            return Optional.empty();
        }
        boolean forked = size <= logs.of(origin).size()
                && !retained(head)
                && intake.signedByOrigin(head)
                && intake.known(head) == BatchOutcome.FORK;
        return forked ? forked(from, head) : Optional.empty();
    }

    private boolean retained(Signed<Head> head) {
        return logs.of(head.message().origin())
                .headAt(head.message().size())
                .filter(own -> own.message().root().equals(head.message().root()))
                .isPresent();
    }

    private void lookForOwnLoss(Signed<Head> head) {
        long size = head.message().size();
        if (size > logs.own().size() && !ownLossSeen && intake.signedByOrigin(head)) {
            ownLossSeen = true;
            long held = logs.own().size();
            amnesia.begin("a peer holds " + size + " own entries that this server signed, and its store only " + held);
            outbox.alarm(new Alarm.OwnEntriesLost(size, held));
        }
    }

    private Optional<Evidence> forked(NodeId from, Signed<Head> head) {
        int origin = head.message().origin();
        counters.count("forks_seen");
        outbox.alarm(new Alarm.ForkedLog(
                origin, head.message().size(), head.message().root()));
        Optional<Evidence> proof = finder.heads(head).filter(any -> proved(origin));
        if (!proved.contains(origin)) {
            suspect(from, origin);
        }
        return proof;
    }
}
