package org.aspas.appserver.core.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.certify.evidence.EntryRules;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleBranch;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;

/**
 * Judges what anybody sends of another origin's log, and appends what is new of it. Entries come in two ways: in a batch under a
 * head that their origin signed, or with proofs that they lead to a certified root. For one thread.
 */
public final class EntryIntake {
    private final CoreSettings settings;
    private final Logs logs;
    private final EntryRules rules;
    private final Map<Integer, RefusedHead> refused = new TreeMap<>();
    private boolean trusting;

    /** Whether the request in an entry, at a place from 0 of those that came together, may be taken for its client's. */
    @FunctionalInterface
    private interface Signature {
        boolean given(Entry entry, int place);
    }

    /** A head of which an entry was refused, and why. */
    private record RefusedHead(Signed<Head> head, BatchOutcome why) {}

    public EntryIntake(CoreSettings settings, Logs logs) {
        settings.tags().forget(); // Of a core before this one.
        this.settings = settings;
        this.logs = logs;
        this.rules = new EntryRules(settings.quorums(), settings.admits(), settings.verifier());
    }

    /** While on, signatures are not verified: what comes was verified before it was stored. */
    public void trusting(boolean on) {
        trusting = on;
    }

    boolean signedByOrigin(Signed<Head> head) {
        NodeId origin = NodeId.appserver(head.message().origin());
        return settings.key(origin).isPresent()
                && (trusting || retained(head) || settings.signedBy(origin, head, Domain.HEAD));
    }

    /** Whether exactly this head, with this signature, was verified before. */
    private boolean retained(Signed<Head> head) {
        int origin = head.message().origin();
        return origin < logs.origins()
                && logs.of(origin)
                        .headAt(head.message().size())
                        .filter(head::equals)
                        .isPresent();
    }

    /** Judges a batch of anybody's, and appends and delivers what can be. */
    public BatchOutcome accept(Batch batch) {
        return accept(OpenBatch.closed(batch));
    }

    /** Judges a batch of anybody's, of which some entries may be decoded and verified already. */
    public BatchOutcome accept(OpenBatch open) {
        Batch batch = open.batch();
        Head head = batch.head().message();
        long first = head.size() - batch.entries().size() + 1;
        if (first < 1 || batch.entries().isEmpty() || head.origin() >= logs.origins()) {
            return BatchOutcome.BAD_HEAD;
        }
        if (SequenceNumbers.isLater(head.size())) {
            return BatchOutcome.LATER_INCARNATION;
        }
        if (batch.entries().stream()
                .anyMatch(entry -> entry.length > settings.limits().maxEntryBytes())) {
            return BatchOutcome.OVERSIZED;
        }
        if (logs.madeHere(head.origin())) {
            return BatchOutcome.OWN;
        }
        if (logs.cuts().excludes(head.origin())) {
            return BatchOutcome.CUT;
        }
        if (logs.repairing(head.origin())) {
            return BatchOutcome.REPAIRING;
        }
        OriginLog log = logs.of(head.origin());
        if (first > log.size() + 1) {
            return BatchOutcome.GAP;
        }
        if (!signedByOrigin(batch.head())) {
            return BatchOutcome.BAD_HEAD;
        }
        if (head.size() <= log.size()) {
            return known(batch.head());
        }
        return extend(log, open, (int) (log.size() - first + 1));
    }

    /** Takes back the newest head of an origin from a store, if it is one of the log here. */
    public void restore(Signed<Head> head) {
        int origin = head.message().origin();
        if (origin < logs.origins()
                && head.message().size() <= logs.of(origin).size()
                && logs.of(origin).knowsRoot(head.message().size())
                && settings.signedBy(NodeId.appserver(origin), head, Domain.HEAD)) {
            known(head);
        }
    }

    /** Compares a verified head, which is not beyond the log here, with that log. */
    BatchOutcome known(Signed<Head> head) {
        OriginLog log = logs.of(head.message().origin());
        if (!log.knowsRoot(head.message().size())) {
            return BatchOutcome.PRUNED;
        }
        if (!log.rootAt(head.message().size()).equals(head.message().root())) {
            return BatchOutcome.FORK;
        }
        log.retain(head);
        return BatchOutcome.KNOWN;
    }

    private BatchOutcome extend(OriginLog log, OpenBatch open, int skipped) {
        Batch batch = open.batch();
        int origin = batch.head().message().origin();
        List<byte[]> fresh = batch.entries().subList(skipped, batch.entries().size());
        if (full(log, fresh) || tooMuchUncertified(log, fresh)) {
            return BatchOutcome.FULL;
        }
        List<Hash> leaves = fresh.stream().map(MerkleTree::leafHash).toList();
        if (!log.rootAfter(leaves).equals(batch.head().message().root())) {
            return BatchOutcome.BAD_ROOT;
        }
        RefusedHead before = refused.get(origin);
        if (before != null && before.head().equals(batch.head())) {
            return before.why();
        }
        IntFunction<Optional<Entry>> sent = place -> open.entry(skipped + place);
        List<Entry> entries =
                judged(origin, fresh.size(), sent, (entry, place) -> ofItsClient(open, entry, skipped + place));
        if (entries.size() < fresh.size()) {
            BatchOutcome why = refusal(origin, sent.apply(entries.size()));
            refused.put(origin, new RefusedHead(batch.head(), why));
            return why;
        }
        logs.append(origin, fresh, entries);
        log.retain(batch.head());
        logs.deliverReady();
        return BatchOutcome.ADDED;
    }

    /**
     * The entries that follow in a log, up to the first that does not keep the rules.
     *
     * @param entries gives the entry at a place from 0
     * @param signed whether the request in an entry may be taken for its client's
     */
    private List<Entry> judged(int origin, int count, IntFunction<Optional<Entry>> entries, Signature signed) {
        List<Entry> judged = new ArrayList<>(count);
        VersionVector before = logs.dependenciesBefore(origin);
        for (int place = 0; place < count; place++) {
            Dot dot = new Dot(origin, logs.of(origin).size() + place + 1);
            Optional<Entry> entry = entries.apply(place);
            if (entry.isEmpty() || !rules.inPlace(entry.get(), dot, before) || !signed.given(entry.get(), place)) {
                return judged;
            }
            before = entry.get().dependencies();
            judged.add(entry.get());
        }
        return judged;
    }

    private static BatchOutcome refusal(int origin, Optional<Entry> entry) {
        return entry.filter(one -> EntryRules.namesLater(one, origin)).isPresent()
                ? BatchOutcome.LATER_INCARNATION
                : BatchOutcome.BROKEN_ENTRY;
    }

    /** Whether an entry of a batch is its client's: by its tag, which convinces this server alone, or by its signature. */
    private boolean ofItsClient(OpenBatch open, Entry entry, int place) {
        return open.convincing(place)
                || (!open.seen(place) && convinces(entry, open.batch(), place))
                || rightlySigned(entry);
    }

    private boolean convinces(Entry entry, Batch batch, int place) {
        ClientSigned body = entry.body().message();
        return body instanceof Request
                && settings.admits().test(body.client())
                && settings.tags().convinces(entry.dot().origin(), entry.body(), batch.tags(), place);
    }

    private boolean rightlySigned(Entry entry) {
        return trusting || rules.signed(entry);
    }

    /** Whether an entry of a batch may stand at a place after another one, as everybody judges it: by its signature, whatever let it in here. */
    boolean wellFormed(Entry entry, Dot dot, Optional<Entry> before) {
        VersionVector least = before.map(Entry::dependencies).orElse(VersionVector.zero(logs.origins()));
        return rules.inPlace(entry, dot, least) && rules.signed(entry);
    }

    /**
     * Whether so much of an origin waits for others already that these entries are not taken now. They are asked for again,
     * and taken when what waits was delivered. Of correct origins one can always be delivered: the first in causal order of
     * all that is not delivered depends on nothing that lacks, so it is the next of its log, and where nothing of that log
     * waits there is room for a batch. What comes from the store was within the bounds when it was taken.
     */
    private boolean full(OriginLog log, List<byte[]> fresh) {
        long bytes = log.pendingBytes() + bytes(fresh);
        long entries = log.size() - log.delivered() + fresh.size();
        return !trusting
                && (entries > settings.limits().maxPendingEntries()
                        || bytes > settings.limits().maxPendingBytes());
    }

    /**
     * Whether too much of an origin would be held that nothing certifies. A correct origin stops at half of that; what is certified
     * meanwhile comes with its certificate.
     */
    private boolean tooMuchUncertified(OriginLog log, List<byte[]> fresh) {
        return !trusting
                && log.uncertifiedBytes() + bytes(fresh)
                        > 2 * settings.limits().retention().uncertifiedBytes();
    }

    private static long bytes(List<byte[]> entries) {
        long bytes = 0;
        for (byte[] one : entries) {
            bytes += one.length;
        }
        return bytes;
    }

    /**
     * Judges entries that are to lead to what is certified of an origin, and appends and delivers what can be. Clients'
     * signatures are not asked for: correct servers stand behind the certified root.
     *
     * @param sent the entries, of another origin than this server, which is in range
     * @param size the certified size of the log
     * @param root the certified root at that size
     */
    BatchOutcome accept(CertifiedEntries sent, long size, Hash root) {
        OriginLog log = logs.of(sent.origin());
        long after = sent.before().oldSize();
        if (logs.cuts().excludes(sent.origin())) {
            return BatchOutcome.CUT;
        }
        if (after > log.size()) {
            return BatchOutcome.GAP;
        }
        if (!log.knowsAll(after, Math.min(log.size(), after + sent.entries().size()))) {
            return BatchOutcome.PRUNED;
        }
        if (sent.before().newSize() != size || !sent.before().verifies(sent.root(), root)) {
            return BatchOutcome.BAD_ROOT;
        }
        if (!log.rootAt(after).equals(sent.root())) {
            return BatchOutcome.OFF_LOG;
        }
        MerkleBranch branch = log.branch(
                after, sent.entries().stream().map(MerkleTree::leafHash).toList());
        if (sent.after().oldSize() != branch.size()
                || sent.after().newSize() != size
                || !sent.after().verifies(branch.root(), root)) {
            return BatchOutcome.BAD_ROOT;
        }
        for (long sequence = after + 1; sequence <= Math.min(log.size(), branch.size()); sequence++) {
            if (!log.leaf(sequence).equals(branch.leaf(sequence - 1))) {
                return BatchOutcome.OFF_LOG;
            }
        }
        int known = (int) (log.size() - after);
        return branch.size() <= log.size()
                ? BatchOutcome.KNOWN
                : extend(
                        log,
                        sent.origin(),
                        sent.entries().subList(known, sent.entries().size()));
    }

    private BatchOutcome extend(OriginLog log, int origin, List<byte[]> fresh) {
        if (full(log, fresh)) {
            return BatchOutcome.FULL;
        }
        IntFunction<Optional<Entry>> sent =
                place -> Codec.decode(fresh.get(place), Entry.class).accepted();
        List<Entry> entries = judged(origin, fresh.size(), sent, (entry, place) -> true);
        if (entries.size() < fresh.size()) {
            return refusal(origin, sent.apply(entries.size()));
        }
        logs.append(origin, fresh, entries);
        log.headless();
        logs.repaired(origin);
        logs.deliverReady();
        return BatchOutcome.ADDED;
    }

    /** Takes certified entries back from the store, where they were put after they were judged. */
    public BatchOutcome restore(CertifiedEntries stored) {
        OriginLog log = logs.of(stored.origin());
        long after = stored.before().oldSize();
        if (after + stored.entries().size() <= log.size()) {
            return BatchOutcome.KNOWN;
        }
        return after == log.size() ? extend(log, stored.origin(), stored.entries()) : BatchOutcome.GAP;
    }
}
