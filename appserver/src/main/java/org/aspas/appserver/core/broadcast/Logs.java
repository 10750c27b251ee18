package org.aspas.appserver.core.broadcast;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.CertificateContent.Exclusion;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.ForkedEntries;
import org.aspas.certify.message.Signed;
import org.aspas.certify.stable.Cuts;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/**
 * The logs of all origins, and the causal order in which their entries are delivered. An entry is delivered when all that it
 * depends on is. For one thread.
 */
public final class Logs {
    private final CoreSettings settings;
    private final List<OriginLog> logs = new ArrayList<>();
    private final List<Entry> delivered = new ArrayList<>();
    private VersionVector version;
    private Cuts cuts = Cuts.NONE;
    private final Map<Integer, Long> repairs = new TreeMap<>();
    private final Map<Integer, WrongBranch> wrongBranches = new TreeMap<>();

    /** Empty logs of a deployment. */
    public Logs(CoreSettings settings) {
        this.settings = settings;
        for (int origin = 0; origin < settings.quorums().appservers(); origin++) {
            logs.add(new OriginLog());
        }
        this.version = VersionVector.zero(logs.size());
    }

    /** How many origins there are. */
    int origins() {
        return logs.size();
    }

    /** The log of an origin. */
    public OriginLog of(int origin) {
        return logs.get(origin);
    }

    /** The log of this server. */
    public OriginLog own() {
        return of(settings.index());
    }

    /** This server. */
    public int index() {
        return settings.index();
    }

    /** How many entries of all origins are accepted and wait for others. */
    public long pendingEntries() {
        return logs.stream().mapToLong(log -> log.size() - log.delivered()).sum();
    }

    /** The encoded bytes of these entries. */
    public long pendingBytes() {
        return logs.stream().mapToLong(OriginLog::pendingBytes).sum();
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
        return version.join(dependenciesBefore(settings.index()));
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
            for (long sequence = after.get(origin) + 1; sequence <= upTo.get(origin); sequence++) {
                entries.add(of(origin).entry(sequence));
            }
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

    /** Whether a log is under repair. */
    boolean repairing(int origin) {
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
        version = version.with(origin, entry.dot().sequence());
        delivered.add(entry);
    }

    /** What was delivered since the last call, own entries too, in a causal order. */
    public List<Entry> takeDelivered() {
        List<Entry> taken = List.copyOf(delivered);
        delivered.clear();
        return taken;
    }
}
