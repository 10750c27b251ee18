package org.aspas.appserver.core.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleBranch;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ForkedEntries;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
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

    ForkWatch(CoreState context, Logs logs, EntryIntake intake, Amnesia amnesia) {
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

    /**
     * Makes the proof when an origin signed what contradicts its log here, or what no correct origin signs (the protocol page,
     * docs/protocol.md §4, §8). For one thread.
     */
    private static final class ForkFinder {
        private final Logs logs;
        private final EntryIntake intake;

        ForkFinder(Logs logs, EntryIntake intake) {
            this.logs = logs;
            this.intake = intake;
        }

        /** Two heads of one size with different roots, if a head of the log here has the size of this verified head. */
        Optional<Evidence> heads(Signed<Head> head) {
            return logs.of(head.message().origin())
                    .headAt(head.message().size())
                    .filter(own -> !own.message().root().equals(head.message().root()))
                    .map(own -> new ForkedHeads(own, head));
        }

        /**
         * The proof that a batch under a verified head makes together with the log here: another leaf at one place, or an
         * entry that breaks the rules. Empty when the batch does not open its head from the log here, or shows nothing; that
         * costs as much as the batch is long, and no more for a longer log.
         */
        Optional<Evidence> batch(Batch batch) {
            Head head = batch.head().message();
            OriginLog log = logs.of(head.origin());
            long first = head.size() - batch.entries().size() + 1;
            if (first < 1 || first > log.size() + 1 || !log.knowsAll(first - 1, Math.min(log.size(), head.size()))) {
                return Optional.empty();
            }
            MerkleBranch theirs = log.branch(
                    first - 1,
                    batch.entries().stream().map(MerkleTree::leafHash).toList());
            if (!theirs.root().equals(head.root())) {
                return Optional.empty();
            }
            for (long sequence = first; sequence <= head.size(); sequence++) {
                if (sequence <= log.size() && !theirs.leaf(sequence - 1).equals(log.leaf(sequence))) {
                    return otherLeaf(batch.head(), theirs, log, sequence);
                }
            }
            return broken(batch, theirs, log, first);
        }

        private static Optional<Evidence> otherLeaf(
                Signed<Head> head, MerkleBranch theirs, OriginLog log, long sequence) {
            return log.headOver(sequence)
                    .filter(own -> log.knowsRoot(own.message().size()))
                    .map(own -> new ForkedEntries(
                            new ForkedEntries.Branch(
                                    own,
                                    log.leaf(sequence),
                                    log.prove(sequence, own.message().size())),
                            new ForkedEntries.Branch(
                                    head, theirs.leaf(sequence - 1), theirs.proveInclusion(sequence - 1))));
        }

        /**
         * The first entry that the log refuses, with the one before it. A log that began at a certified end does not have what is before
         * the batch. Then the first entry of the batch is judged alone: that its dependencies fall can only be shown by who has the other.
         */
        private Optional<Evidence> broken(Batch batch, MerkleBranch theirs, OriginLog log, long first) {
            Signed<Head> head = batch.head();
            List<byte[]> bytes = new ArrayList<>();
            if (first - 1 > log.pruned() && log.knowsLeaf(first - 1)) {
                bytes.add(log.encoded(first - 1));
            }
            long offset = first - bytes.size();
            bytes.addAll(batch.entries());
            Optional<Entry> before = Optional.empty();
            for (int i = 0; i < bytes.size(); i++) {
                long sequence = offset + i;
                Optional<Entry> entry = Codec.decode(bytes.get(i), Entry.class).accepted();
                Dot dot = new Dot(head.message().origin(), sequence);
                if (entry.isEmpty() || !intake.wellFormed(entry.get(), dot, before)) {
                    BrokenEntry.Included previous = i == 0 ? null : included(bytes.get(i - 1), theirs, sequence - 1);
                    return Optional.of(new BrokenEntry(head, included(bytes.get(i), theirs, sequence), previous));
                }
                before = entry;
            }
            return Optional.empty();
        }

        private static BrokenEntry.Included included(byte[] bytes, MerkleBranch theirs, long sequence) {
            return new BrokenEntry.Included(bytes, theirs.proveInclusion(sequence - 1));
        }
    }
}
