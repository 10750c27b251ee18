package org.aspas.appserver.core.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.MerkleBranch;
import org.aspas.certify.machine.Cuts;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.ForkedEntries;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;

/**
 * The logs of all origins, and the causal order in which their entries are delivered. An entry is delivered when all that it
 * depends on is. For one thread.
 */
public final class Logs {
    private final CoreSettings settings;
    private final List<OriginLog> logs = new ArrayList<>();
    private final OwnTags ownTags;
    private final List<Entry> delivered = new ArrayList<>();
    private VersionVector version;
    private Cuts cuts = Cuts.NONE;
    private boolean lost;
    /** What was delivered when a branch of a log was taken back, or a state installed, the last time. */
    private VersionVector unordered;

    private final Map<Integer, Long> repairs = new TreeMap<>();
    private final Map<Integer, WrongBranch> wrongBranches = new TreeMap<>();

    public Logs(CoreSettings settings) {
        this.settings = settings;
        for (int origin = 0; origin < settings.quorums().appservers(); origin++) {
            logs.add(new OriginLog(settings.limits().retention().leafBlockLevel()));
        }
        this.ownTags = new OwnTags(logs.size());
        this.version = VersionVector.zero(logs.size());
        this.unordered = version;
    }

    public int origins() {
        return logs.size();
    }

    public OriginLog of(int origin) {
        return logs.get(origin);
    }

    public OriginLog own() {
        return of(settings.index());
    }

    public OwnTags ownTags() {
        return ownTags;
    }

    /** This server may lack own entries that it signed: it takes them from others from now on. */
    void lost() {
        lost = true;
    }

    /** Whether entries of an origin are made here only: they are this server's own, and none of them can be lost. */
    public boolean madeHere(int origin) {
        return origin == settings.index() && !lost;
    }

    /** This server's index. */
    public int index() {
        return settings.index();
    }

    public LogSizes sizes() {
        return new LogSizes(logs);
    }

    /** The delivered version. */
    public VersionVector version() {
        return version;
    }

    /** Whether all entries of a version are accepted, though perhaps not delivered. */
    public boolean holds(VersionVector wanted) {
        return IntStream.range(0, logs.size()).allMatch(origin -> of(origin).size() >= wanted.get(origin));
    }

    /** Whether all entries of a version, which is read with the cuts of excluded origins, are delivered. */
    public boolean delivered(VersionVector at) {
        return version.dominates(cuts.clip(at));
    }

    /**
     * Whether what the next own entry depends on is delivered. It is not when a log was taken back upon which own entries
     * were built: dependencies never fall, so that no own entry can follow before that log is as long again, or cut.
     */
    public boolean issuing() {
        return delivered(ownDependencies());
    }

    /** The roots of all logs at a version that is delivered, which is read with the cuts of excluded origins. */
    public List<Hash> rootsAt(VersionVector at) {
        List<Hash> roots = new ArrayList<>(logs.size());
        VersionVector clipped = cuts.clip(at);
        for (int origin = 0; origin < logs.size(); origin++) {
            roots.add(of(origin).rootAt(clipped.get(origin)));
        }
        return roots;
    }

    /** The cuts that this server has carried out. */
    public Cuts cuts() {
        return cuts;
    }

    /**
     * Carries out exclusions: what was accepted of each excluded origin beyond its cut is taken back; what waited only for such entries
     * can be delivered then ({@link #deliverReady}). Every newly excluded log must hold its cut, and nothing beyond it may be certified.
     *
     * @return the entries that had been delivered and are revoked
     */
    public List<Entry> exclude(Cuts exclusions) {
        List<Entry> revoked = new ArrayList<>();
        for (Exclusion one : exclusions.exclusions()) {
            if (!cuts.excludes(one.origin()) && one.origin() != settings.index()) {
                revoked.addAll(takeBack(one.origin(), one.cut()));
            }
        }
        cuts = exclusions;
        wrongBranches.keySet().removeIf(cuts::excludes);
        return revoked;
    }

    /**
     * Forgets the end of an origin's log, in whose places other entries are certified; what proves the fork is kept, of the
     * first such branch of each origin. Gives what had been delivered of it.
     */
    public List<Entry> takeBackWrongBranch(int origin, long kept) {
        if (!wrongBranches.containsKey(origin)) {
            WrongBranch.of(of(origin), kept).ifPresent(branch -> wrongBranches.put(origin, branch));
        }
        unordered = version;
        return takeBack(origin, kept);
    }

    /** The proofs that branches which were taken back make together with the logs here. */
    List<ForkedEntries> provedByWrongBranches() {
        List<ForkedEntries> proofs = new ArrayList<>();
        wrongBranches.forEach((origin, branch) -> branch.against(of(origin)).ifPresent(proofs::add));
        return proofs;
    }

    /** Whether all after a version was delivered after all that it depends on: no branch was taken back that it had seen. */
    public boolean ordered(VersionVector after) {
        return after.dominates(cuts.clip(unordered));
    }

    private List<Entry> takeBack(int origin, long kept) {
        List<Entry> revoked = of(origin).size() > kept ? of(origin).truncate(kept) : List.of();
        if (version.get(origin) > kept) {
            version = version.with(origin, kept);
        }
        return revoked;
    }

    /**
     * Makes the logs those of a certificate, up to its version, whatever of that is here. A log that has its entries, and the certified
     * root there, stays as it is, with what follows; any other one goes on from its end. The own log is replaced only when it is {@link #lost}.
     *
     * @param ends the certified end of each log, by index
     * @param before the version that was certified here before
     * @return what had been delivered after that version, of the logs that were replaced, and of those that were cut behind the cut
     */
    public List<Entry> install(List<LogEdge> ends, Cuts exclusions, VersionVector before) {
        List<Entry> revoked = new ArrayList<>();
        unordered = version;
        cuts = exclusions;
        repairs.clear();
        for (int origin = 0; origin < ends.size(); origin++) {
            LogEdge end = ends.get(origin);
            OriginLog log = of(origin);
            boolean cut = cuts.excludes(origin) && origin != settings.index();
            if (!end.isIn(log)) {
                revoked.addAll(heldBetween(origin, before.get(origin), log.delivered()));
                log.restart(end);
                wrongBranches.remove(origin);
            } else if (cut && log.size() > end.size()) {
                revoked.addAll(log.truncate(end.size()));
            }
            log.delivered(end.size());
            version = version.with(origin, log.delivered());
        }
        wrongBranches.keySet().removeIf(cuts::excludes);
        deliverReady();
        return revoked;
    }

    /**
     * The accepted entries of an origin after one place up to another, as far as they are not forgotten. Where a base is gone, a log
     * may begin after what is certified here.
     */
    public List<Entry> heldBetween(int origin, long after, long upTo) {
        return between(origin, Math.max(after, of(origin).pruned()), upTo);
    }

    private List<Entry> between(int origin, long after, long upTo) {
        return LongStream.rangeClosed(after + 1, upTo)
                .mapToObj(of(origin)::entry)
                .toList();
    }

    /** Appends and delivers an entry of this server's own, whose log is not {@link #full}. */
    public Entry appendOwn(Signed<ClientSigned> body) {
        Entry entry = new Entry(new Dot(settings.index(), own().size() + 1), ownDependencies(), body);
        own().append(Codec.encode(entry), entry);
        deliver(settings.index(), entry);
        return entry;
    }

    /** What the next own entry depends on: all that is delivered, and never less than the last own entry, even after a cut. */
    VersionVector ownDependencies() {
        return version.join(dependenciesBefore(settings.index()));
    }

    /** Takes back an own entry that follows; without all that was here when it was made, it may have to wait for what it depends on. */
    void appendOwn(byte[] bytes, Entry entry, boolean whole) {
        own().append(bytes, entry);
        if (whole) {
            deliver(settings.index(), entry);
        } else {
            deliverReady();
        }
    }

    /** The own log goes on from its certified end, of which the entries are not here. */
    void restartOwn(LogEdge end) {
        own().restart(end);
        version = version.with(settings.index(), end.size());
    }

    /** Appends entries of another origin that were judged; they are not delivered yet. */
    void append(int origin, List<byte[]> encoded, List<Entry> entries) {
        for (int i = 0; i < entries.size(); i++) {
            of(origin).append(encoded.get(i), entries.get(i));
        }
    }

    /** The dependencies of the last accepted entry of an origin; zeros without one. */
    VersionVector dependenciesBefore(int origin) {
        OriginLog log = of(origin);
        return log.size() > 0 ? log.entry(log.size()).dependencies() : VersionVector.zero(logs.size());
    }

    /** The accepted entries after one version up to another, origin by origin. */
    public List<Entry> between(VersionVector after, VersionVector upTo) {
        List<Entry> entries = new ArrayList<>();
        for (int origin = 0; origin < logs.size(); origin++) {
            entries.addAll(between(origin, after.get(origin), upTo.get(origin)));
        }
        return entries;
    }

    /** Until an origin's log has this size again, only entries that lead to its certified root are taken. */
    public void repair(int origin, long size) {
        repairs.put(origin, size);
    }

    /** An origin's log grew by certified entries: its repair may be complete. */
    void repaired(int origin) {
        Long required = repairs.get(origin);
        if (required != null && of(origin).size() >= required) {
            repairs.remove(origin);
        }
    }

    boolean repairing(int origin) {
        return repairs.containsKey(origin);
    }

    public boolean repairing() {
        return !repairs.isEmpty();
    }

    /** Forgets the entries up to a certified version, and their leaves up to another one that it dominates. */
    void forget(VersionVector edge, VersionVector leaves) {
        for (int origin = 0; origin < logs.size(); origin++) {
            of(origin).forget(edge.get(origin), leaves.get(origin));
        }
        wrongBranches.entrySet().removeIf(branch -> !branch.getValue().startsIn(of(branch.getKey())));
    }

    /** Whether the roots at a version, which is read with the cuts of excluded origins, are known: none of them is forgotten. */
    public boolean knowsRoots(VersionVector at) {
        VersionVector clipped = cuts.clip(at);
        return IntStream.range(0, logs.size()).allMatch(origin -> of(origin).knowsRoot(clipped.get(origin)));
    }

    /** Whether it can be proved which entry has a place: its leaf is known. */
    public boolean provable(Dot dot) {
        return of(dot.origin()).knowsLeaf(dot.sequence());
    }

    /** Whether this server takes no more updates: before something is certified, or ever, since its log has the last number there is. */
    public boolean full() {
        return own().size() >= SequenceNumbers.LAST_NUMBER
                || own().uncertifiedBytes() >= settings.limits().retention().uncertifiedBytes();
    }

    public void deliverReady() {
        boolean progress = true;
        while (progress) {
            progress = false;
            for (int origin = 0; origin < logs.size(); origin++) {
                OriginLog log = of(origin);
                while (log.delivered() < log.size()
                        && version.dominates(
                                cuts.clip(log.entry(log.delivered() + 1).dependencies()))) {
                    deliver(origin, log.entry(log.delivered() + 1));
                    progress = true;
                }
            }
        }
    }

    private void deliver(int origin, Entry entry) {
        settings.tags().accepted(origin, entry.body());
        of(origin).deliverNext();
        version = version.with(origin, entry.dot().sequence());
        delivered.add(entry);
    }

    /** What was delivered since the last call, own entries too, in a causal order. */
    public List<Entry> takeDelivered() {
        List<Entry> taken = List.copyOf(delivered);
        delivered.clear();
        return taken;
    }

    /** How much the logs of all origins hold. A view of them, for the same thread. */
    public static final class LogSizes {
        private final List<OriginLog> logs;

        LogSizes(List<OriginLog> logs) {
            this.logs = logs;
        }

        /** How many entries are accepted and wait for others. */
        public long pendingEntries() {
            return logs.stream().mapToLong(log -> log.size() - log.delivered()).sum();
        }

        /** The encoded bytes of these entries. */
        public long pendingBytes() {
            return logs.stream().mapToLong(OriginLog::pendingBytes).sum();
        }

        /** The encoded bytes of all entries that are not certified. */
        public long uncertifiedBytes() {
            return logs.stream().mapToLong(OriginLog::uncertifiedBytes).sum();
        }

        /** The bytes of hashes that the logs' trees keep. */
        public long treeBytes() {
            return logs.stream().mapToLong(log -> log.tree().bytes()).sum();
        }

        /** The encoded bytes of the accepted entries after one version up to another. */
        public long bytesBetween(VersionVector after, VersionVector upTo) {
            long bytes = 0;
            for (int origin = 0; origin < logs.size(); origin++) {
                bytes += logs.get(origin).bytesBetween(after.get(origin), upTo.get(origin));
            }
            return bytes;
        }
    }

    /**
     * The tags that came with own entries, for the other servers, until a certificate covers the entries (docs/tags.md). For one thread.
     */
    public static final class OwnTags {
        /** Older tags are dropped; the signatures of their requests are verified instead. */
        private static final int MOST_BYTES = 16 << 20;

        private final int bytes;
        private final TreeMap<Long, byte[]> tags = new TreeMap<>();

        OwnTags(int servers) {
            this.bytes = servers * TaggedRequest.TAG_BYTES;
        }

        /** Keeps what came with an own entry: one tag for each server. Anything else is as good as nothing. */
        public void keep(long sequence, byte[] each) {
            if (each.length == bytes) {
                tags.put(sequence, each);
                if (tags.size() > MOST_BYTES / bytes) {
                    tags.pollFirstEntry();
                }
            }
        }

        void forget(long certified) {
            tags.headMap(certified, true).clear();
        }

        /** A batch of own entries with the tags for a server, where there are any. */
        Batch with(Batch batch, int server) {
            long last = batch.head().message().size();
            int count = batch.entries().size();
            SortedMap<Long, byte[]> known = tags.subMap(last - count, false, last, true);
            if (known.isEmpty()) {
                return batch;
            }
            byte[] ofServer = new byte[count * TaggedRequest.TAG_BYTES];
            known.forEach((sequence, each) -> copy(each, server, ofServer, (int) (sequence - last + count - 1)));
            return batch.tagged(ofServer);
        }

        private static void copy(byte[] each, int server, byte[] target, int place) {
            int from = server * TaggedRequest.TAG_BYTES;
            System.arraycopy(each, from, target, place * TaggedRequest.TAG_BYTES, TaggedRequest.TAG_BYTES);
        }
    }

    /**
     * What is kept of entries that were taken back because others of the same origin are certified in their places: the hashes
     * of their leaves and the origin's heads over them. With a head over what takes their places they prove the fork. Immutable.
     */
    private static final class WrongBranch {
        /** So many leaves are kept; a head beyond them proves nothing any more. */
        private static final int MOST_LEAVES = 16_384;

        private final long kept;
        private final List<Hash> leaves;
        private final TreeMap<Long, Signed<Head>> heads;

        private WrongBranch(long kept, List<Hash> leaves, TreeMap<Long, Signed<Head>> heads) {
            this.kept = kept;
            this.leaves = leaves;
            this.heads = heads;
        }

        /** The end of a log after a place, which is about to be taken back; empty when its origin signed no head over it. */
        static Optional<WrongBranch> of(OriginLog log, long kept) {
            long end = Math.min(log.size(), kept + MOST_LEAVES);
            TreeMap<Long, Signed<Head>> heads = log.headsBetween(kept, end);
            if (heads.isEmpty()) {
                return Optional.empty();
            }
            List<Hash> leaves = new ArrayList<>();
            for (long sequence = kept + 1; sequence <= heads.lastKey(); sequence++) {
                leaves.add(log.leaf(sequence));
            }
            return Optional.of(new WrongBranch(kept, List.copyOf(leaves), heads));
        }

        /** Whether a log has the place where this left it: else it proves nothing with it. */
        boolean startsIn(OriginLog log) {
            return log.knowsRoot(kept) && log.knowsLeaf(kept + 1);
        }

        /** The proof that this and the log contradict each other, as soon as the log holds heads of its own over that place. */
        Optional<ForkedEntries> against(OriginLog log) {
            long end = Math.min(log.size(), kept + leaves.size());
            for (long sequence = kept + 1; sequence <= end; sequence++) {
                if (!log.leaf(sequence).equals(leaf(sequence))) {
                    long place = sequence;
                    return log.headOver(sequence)
                            .map(head -> new ForkedEntries(certified(log, head, place), own(log, place)));
                }
            }
            return Optional.empty();
        }

        private Hash leaf(long sequence) {
            return leaves.get((int) (sequence - kept - 1));
        }

        private static ForkedEntries.Branch certified(OriginLog log, Signed<Head> head, long sequence) {
            return new ForkedEntries.Branch(
                    head, log.leaf(sequence), log.prove(sequence, head.message().size()));
        }

        private ForkedEntries.Branch own(OriginLog log, long sequence) {
            Map.Entry<Long, Signed<Head>> over = heads.ceilingEntry(sequence);
            if (over == null) {
                throw new IllegalStateException(
                        "no head over leaf " + sequence + " of a branch that ends at the last of them");
            }
            MerkleBranch branch = log.branch(kept, leaves.subList(0, (int) (over.getKey() - kept)));
            return new ForkedEntries.Branch(over.getValue(), leaf(sequence), branch.proveInclusion(sequence - 1));
        }
    }
}
