package org.aspas.appserver.core.broadcast;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;

/**
 * Makes the proof when an origin signed what contradicts its log here, or what no correct origin signs (the protocol page,
 * docs/protocol.md §4, §8). For one thread.
 */
final class ForkFinder {
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
                first - 1, batch.entries().stream().map(MerkleTree::leafHash).toList());
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

    private static Optional<Evidence> otherLeaf(Signed<Head> head, MerkleBranch theirs, OriginLog log, long sequence) {
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
