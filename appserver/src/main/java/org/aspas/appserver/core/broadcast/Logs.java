package org.aspas.appserver.core.broadcast;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.aspas.appserver.core.CoreSettings;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.evidence.EntryRules;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.log.MerkleBranch;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.CertificateContent.Exclusion;
import org.aspas.certify.message.CertifiedEntries;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.ForkedEntries;
import org.aspas.certify.message.Head;
import org.aspas.certify.message.Signed;
import org.aspas.certify.stable.Cuts;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/** The logs of all origins: what may enter them, and in which order their entries are delivered. For one thread. */
public final class Logs {
    /** How many batches one question for entries is answered with. */
    private static final int BATCHES_PER_PULL = 4;

    private final CoreSettings settings;
    private final EntryRules rules;
    private final List<OriginLog> logs = new ArrayList<>();
    private final List<VersionVector> lastDependencies = new ArrayList<>();
    private final Consumer<Entry> delivery;
    private VersionVector version;
    private Cuts cuts = Cuts.NONE;
    private final Map<Integer, Long> repairs = new TreeMap<>();
    private final Map<Integer, Signed<Head>> refused = new TreeMap<>();
    private final Map<Integer, WrongBranch> wrongBranches = new TreeMap<>();
    private boolean trusting;

    /**
     * Empty logs.
     *
     * @param settings the deployment
     * @param delivery is given every delivered entry, own ones too, in a causal order
     */
    public Logs(CoreSettings settings, Consumer<Entry> delivery) {
        this.settings = settings;
        this.rules = new EntryRules(settings.quorums(), settings.admits(), settings.verifier());
        this.delivery = delivery;
        for (int origin = 0; origin < settings.quorums().appservers(); origin++) {
            logs.add(new OriginLog());
            lastDependencies.add(VersionVector.zero(settings.quorums().appservers()));
        }
        this.version = VersionVector.zero(logs.size());
    }

    /** While on, signatures are not verified: what comes was verified before it was stored. */
    public void trusting(boolean on) {
        trusting = on;
    }

    /** The log of an origin. */
    public OriginLog of(int origin) {
        return logs.get(origin);
    }

    /** The log of this server. */
    public OriginLog own() {
        return of(settings.index());
    }

    /** What is delivered. */
    public VersionVector version() {
        return version;
    }

    /** Whether all entries of a version are accepted, though perhaps not delivered. */
    public boolean holds(VersionVector wanted) {
        for (int origin = 0; origin < logs.size(); origin++) {
            if (of(origin).size() < wanted.get(origin)) {
                return false;
            }
        }
        return true;
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
     * Carries out exclusions: what was accepted of each excluded origin beyond its cut is taken back; what waited only for
     * such entries can be delivered then ({@link #deliverReady}). Every newly excluded log must hold its cut, and nothing
     * beyond it may be certified.
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
        return takeBack(origin, kept);
    }

    /** The proofs that branches which were taken back make together with the logs here. */
    List<ForkedEntries> provedByWrongBranches() {
        List<ForkedEntries> proofs = new ArrayList<>();
        wrongBranches.forEach((origin, branch) -> branch.against(of(origin)).ifPresent(proofs::add));
        return proofs;
    }

    private List<Entry> takeBack(int origin, long kept) {
        List<Entry> revoked = of(origin).size() > kept ? of(origin).truncate(kept) : List.of();
        if (version.get(origin) > kept) {
            version = version.with(origin, kept);
        }
        VersionVector last = kept > 0
                ? Codec.decode(of(origin).encoded(kept), Entry.class)
                        .accepted()
                        .map(Entry::dependencies)
                        .orElse(VersionVector.zero(logs.size()))
                : VersionVector.zero(logs.size());
        lastDependencies.set(origin, last);
        return revoked;
    }

    /** Appends and delivers an entry of this server's own. */
    public Entry appendOwn(Signed<ClientSigned> body) {
        Entry entry = new Entry(new Dot(settings.index(), own().size() + 1), ownDependencies(), body);
        own().append(Codec.encode(entry), entry);
        deliver(settings.index(), entry);
        return entry;
    }

    /** What the next own entry depends on: all that is delivered, and never less than the last own entry, even after a cut. */
    private VersionVector ownDependencies() {
        return version.join(lastDependencies.get(settings.index()));
    }

    /** Takes back an own entry from the store. */
    public void restoreOwn(byte[] bytes) {
        Entry entry = Codec.decode(bytes, Entry.class)
                .accepted()
                .orElseThrow(() -> new IllegalStateException("the store holds a malformed own entry"));
        if (!entry.dot().equals(new Dot(settings.index(), own().size() + 1))
                || !entry.dependencies().equals(ownDependencies())) {
            throw new IllegalStateException("the store holds own entry " + entry.dot() + " after " + version);
        }
        own().append(bytes, entry);
        deliver(settings.index(), entry);
    }

    /** The newest head of the own log, signed now if it was not. */
    public Optional<Signed<Head>> cutOwn() {
        return own().size() == 0 ? Optional.empty() : Optional.of(ownHead(own().size()));
    }

    private Signed<Head> ownHead(long size) {
        Optional<Signed<Head>> known = own().headAt(size);
        if (known.isPresent()) {
            return known.get();
        }
        Signed<Head> head = settings.sealer().seal(new Head(settings.index(), size, own().rootAt(size)));
        own().retain(head);
        return head;
    }

    /** Batches of an origin's entries after a place, as far as they go in one answer. */
    public List<Batch> batchesAfter(int origin, long after) {
        List<Batch> batches = new ArrayList<>();
        long from = after;
        while (batches.size() < BATCHES_PER_PULL) {
            Optional<Batch> next = batchAfter(origin, from);
            if (next.isEmpty()) {
                break;
            }
            batches.add(next.get());
            from = next.get().head().message().size();
        }
        return batches;
    }

    /** The next batch of an origin's entries after a place, if there are any under a signed head. */
    public Optional<Batch> batchAfter(int origin, long after) {
        OriginLog log = of(origin);
        if (after < 0 || after >= log.size()) {
            return Optional.empty();
        }
        int entries = settings.limits().maxBatchEntries();
        int bytes = settings.limits().maxBatchBytes();
        Optional<Signed<Head>> head = origin == settings.index()
                ? Optional.of(ownHead(log.fitting(after, entries, bytes)))
                : log.cutAfter(after, entries, bytes);
        return head.map(cut -> new Batch(cut, log.between(after, cut.message().size())));
    }

    /**
     * Entries of an origin after a place, as far as they go in one answer, with the proofs that they lead to the log at a
     * certified size; none when that size is not held.
     */
    public List<CertifiedEntries> certifiedAfter(int origin, long after, long size) {
        OriginLog log = of(origin);
        List<CertifiedEntries> answers = new ArrayList<>();
        long from = after;
        while (answers.size() < BATCHES_PER_PULL && from >= 0 && from < size && size <= log.size()) {
            long end = log.fitting(
                    from, settings.limits().maxBatchEntries(), settings.limits().maxBatchBytes());
            end = Math.min(end, size);
            answers.add(new CertifiedEntries(
                    origin,
                    log.rootAt(from),
                    log.proveConsistency(from, size),
                    log.between(from, end),
                    log.proveConsistency(end, size)));
            from = end;
        }
        return answers;
    }

    /** Whether a head is signed by its origin. */
    public boolean signedByOrigin(Signed<Head> head) {
        int origin = head.message().origin();
        Optional<PublicKey> key = settings.key(NodeId.appserver(origin));
        return key.isPresent()
                && (trusting || retained(head) || head.verify(settings.verifier(), key.get(), Domain.HEAD));
    }

    /** Whether exactly this head, with this signature, was verified before. */
    private boolean retained(Signed<Head> head) {
        int origin = head.message().origin();
        return origin < logs.size()
                && of(origin).headAt(head.message().size()).filter(head::equals).isPresent();
    }

    /** Judges a batch of anybody's, takes what is new of it, and delivers what can be delivered. */
    public Acceptance accept(Batch batch) {
        return accept(OpenBatch.closed(batch));
    }

    /** Judges a batch of anybody's, of which some entries may be decoded and verified already. */
    public Acceptance accept(OpenBatch open) {
        Batch batch = open.batch();
        Head head = batch.head().message();
        long first = head.size() - batch.entries().size() + 1;
        if (first < 1 || batch.entries().isEmpty() || head.origin() >= logs.size()) {
            return Acceptance.BAD_HEAD;
        }
        if (batch.entries().stream()
                .anyMatch(entry -> entry.length > settings.limits().maxEntryBytes())) {
            return Acceptance.OVERSIZED;
        }
        if (head.origin() == settings.index()) {
            return Acceptance.OWN;
        }
        if (cuts.excludes(head.origin())) {
            return Acceptance.CUT;
        }
        if (repairing(head.origin())) {
            return Acceptance.REPAIRING;
        }
        OriginLog log = of(head.origin());
        if (first > log.size() + 1) {
            return Acceptance.GAP;
        }
        if (!signedByOrigin(batch.head())) {
            return Acceptance.BAD_HEAD;
        }
        if (head.size() <= log.size()) {
            return known(log, batch.head());
        }
        return extend(log, open, (int) (log.size() - first + 1));
    }

    /** Compares a verified head with the log. */
    public Acceptance known(OriginLog log, Signed<Head> head) {
        if (!log.rootAt(head.message().size()).equals(head.message().root())) {
            return Acceptance.FORK;
        }
        log.retain(head);
        return Acceptance.KNOWN;
    }

    private Acceptance extend(OriginLog log, OpenBatch open, int skipped) {
        Batch batch = open.batch();
        List<byte[]> fresh = batch.entries().subList(skipped, batch.entries().size());
        if (full(log, fresh)) {
            return Acceptance.FULL;
        }
        List<Hash> leaves = fresh.stream().map(MerkleTree::leafHash).toList();
        if (!log.rootAfter(leaves).equals(batch.head().message().root())) {
            return Acceptance.BAD_ROOT;
        }
        int origin = batch.head().message().origin();
        if (Objects.equals(batch.head(), refused.get(origin))) {
            return Acceptance.BROKEN_ENTRY;
        }
        List<Entry> entries = new ArrayList<>(fresh.size());
        VersionVector before = dependenciesBefore(origin);
        for (int place = skipped; place < batch.entries().size(); place++) {
            Optional<Entry> entry = open.entry(place);
            Dot dot = new Dot(origin, log.size() + entries.size() + 1);
            if (entry.isEmpty() || !wellFormed(entry.get(), dot, before)) {
                refused.put(origin, batch.head());
                return Acceptance.BROKEN_ENTRY;
            }
            before = entry.get().dependencies();
            entries.add(entry.get());
        }
        for (int i = 0; i < entries.size(); i++) {
            log.append(fresh.get(i), entries.get(i));
        }
        log.retain(batch.head());
        deliverReady();
        return Acceptance.ADDED;
    }

    /**
     * Whether so much of an origin waits for others already that these entries are not taken now. They are asked for again,
     * and taken when what waits was delivered. Of correct origins one can always be delivered: the first in causal order of
     * all that is not delivered depends on nothing that lacks, so it is the next of its log, and where nothing of that log
     * waits there is room for a batch. What comes from the store was within the bounds when it was taken.
     */
    private boolean full(OriginLog log, List<byte[]> fresh) {
        long bytes = log.pendingBytes();
        for (byte[] one : fresh) {
            bytes += one.length;
        }
        long entries = log.size() - log.delivered() + fresh.size();
        return !trusting
                && (entries > settings.limits().maxPendingEntries()
                        || bytes > settings.limits().maxPendingBytes());
    }

    /** The dependencies of the last accepted entry. */
    private VersionVector dependenciesBefore(int origin) {
        OriginLog log = of(origin);
        return log.size() > log.delivered() ? log.entry(log.size()).dependencies() : lastDependencies.get(origin);
    }

    /**
     * Judges entries that are to lead to what is certified of an origin, takes what is new of them, and delivers what can be
     * delivered. Clients' signatures are not asked for: correct servers stand behind the certified root.
     *
     * @param sent the entries, of another origin than this server, which is in range
     * @param size the certified size of the log
     * @param root the certified root at that size
     */
    public Acceptance accept(CertifiedEntries sent, long size, Hash root) {
        OriginLog log = of(sent.origin());
        long after = sent.before().oldSize();
        if (cuts.excludes(sent.origin())) {
            return Acceptance.CUT;
        }
        if (after > log.size()) {
            return Acceptance.GAP;
        }
        if (sent.before().newSize() != size || !sent.before().verifies(sent.root(), root)) {
            return Acceptance.BAD_ROOT;
        }
        if (!log.rootAt(after).equals(sent.root())) {
            return Acceptance.OFF_LOG;
        }
        List<Hash> leaves = sent.entries().stream().map(MerkleTree::leafHash).toList();
        MerkleBranch branch = log.branch(after, leaves);
        if (sent.after().oldSize() != branch.size()
                || sent.after().newSize() != size
                || !sent.after().verifies(branch.root(), root)) {
            return Acceptance.BAD_ROOT;
        }
        for (long sequence = after + 1; sequence <= Math.min(log.size(), branch.size()); sequence++) {
            if (!log.leaf(sequence).equals(branch.leaf(sequence - 1))) {
                return Acceptance.OFF_LOG;
            }
        }
        return branch.size() <= log.size()
                ? Acceptance.KNOWN
                : extend(log, sent.origin(), sent.entries().subList((int) (log.size() - after), leaves.size()));
    }

    private Acceptance extend(OriginLog log, int origin, List<byte[]> fresh) {
        if (full(log, fresh)) {
            return Acceptance.FULL;
        }
        List<Entry> entries = new ArrayList<>(fresh.size());
        VersionVector before = dependenciesBefore(origin);
        for (byte[] bytes : fresh) {
            Optional<Entry> entry = Codec.decode(bytes, Entry.class).accepted();
            if (entry.isEmpty()
                    || !rules.inPlace(entry.get(), new Dot(origin, log.size() + entries.size() + 1), before)) {
                return Acceptance.BROKEN_ENTRY;
            }
            before = entry.get().dependencies();
            entries.add(entry.get());
        }
        for (int i = 0; i < entries.size(); i++) {
            log.append(fresh.get(i), entries.get(i));
        }
        log.headless();
        Long required = repairs.get(origin);
        if (required != null && log.size() >= required) {
            repairs.remove(origin);
        }
        deliverReady();
        return Acceptance.ADDED;
    }

    /** Takes certified entries back from the store, where they were put after they were judged. */
    public void restore(CertifiedEntries stored) {
        Acceptance acceptance = stored.before().oldSize() == of(stored.origin()).size()
                ? extend(of(stored.origin()), stored.origin(), stored.entries())
                : Acceptance.GAP;
        if (acceptance != Acceptance.ADDED) {
            throw new IllegalStateException("stored certified entries of " + stored.origin() + " are " + acceptance);
        }
    }

    /** Whether an entry may stand at a place after another one. */
    boolean wellFormed(Entry entry, Dot dot, Optional<Entry> before) {
        return wellFormed(entry, dot, before.map(Entry::dependencies).orElse(VersionVector.zero(logs.size())));
    }

    private boolean wellFormed(Entry entry, Dot dot, VersionVector before) {
        return rules.inPlace(entry, dot, before) && (trusting || rules.signed(entry));
    }

    /** Until an origin's log has this size again, only entries that lead to its certified root are taken. */
    public void repair(int origin, long size) {
        repairs.put(origin, size);
    }

    /** Whether a log is under repair. */
    public boolean repairing(int origin) {
        return repairs.containsKey(origin);
    }

    /** Whether any log is under repair. */
    public boolean repairing() {
        return !repairs.isEmpty();
    }

    /** Delivers what can be delivered. */
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
        of(origin).deliverNext();
        lastDependencies.set(origin, entry.dependencies());
        version = version.with(origin, entry.dot().sequence());
        delivery.accept(entry);
    }
}
