package org.aspas.appserver.core.objects;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/**
 * For which certificates the states of objects are kept, so that answers which name them can be inspected (the protocol page,
 * docs/protocol.md §7): for some of the newest, and for the time that an inspection and its complaint take. For one thread.
 */
public final class RememberedStates {
    /** So many certificates are kept however fast they come. */
    static final int CERTIFICATES = 32;

    /** Covers the wait before a question, the grace time, a complaint with its first repeats, and those of verdicts. */
    static final long MILLIS = 30_000;

    /** More states of objects than this are not kept for the time's sake. */
    static final int MOST_STATES = 1 << 16;

    /**
     * What a certificate replaced.
     *
     * @param until the certificate before it
     * @param adoptedAt when it was adopted
     * @param version its version
     * @param keys of the updates that it added
     * @param changed the objects that remember their state before it
     */
    private record Step(
            CertificateNumber until,
            long adoptedAt,
            VersionVector version,
            Set<String> keys,
            List<StoredObject> changed) {}

    private final ArrayDeque<Step> steps = new ArrayDeque<>();
    private final RecentUpdates recent = new RecentUpdates();
    private CertificateNumber oldest = CertificateNumber.NONE;
    private long states;
    private long now;
    private boolean timed;

    RememberedStates() {}

    /** The updates after the oldest of these certificates. */
    RecentUpdates recent() {
        return recent;
    }

    /** Time has passed. What was certified before the first time, as by a store's records, is old. */
    public void tick(long nowMillis) {
        now = nowMillis;
        timed = true;
    }

    /** Whether the states of objects at a certificate that was adopted are kept. */
    public boolean has(CertificateNumber number) {
        return !oldest.isAfter(number);
    }

    /**
     * Where all updates under a key stand between two versions, in the order in which they were delivered.
     *
     * @param after the version of a certificate whose states are kept
     * @param upTo a delivered version that dominates it
     * @return their places; empty where a client may have signed another content under one of their numbers, perhaps under
     *     another key: then all entries between have to be looked at
     */
    public Optional<List<Dot>> updates(String key, VersionVector after, VersionVector upTo) {
        return recent.between(key, after, upTo);
    }

    /** Adds to a server's gauges how much is remembered. */
    void measure(Map<String, Long> gauges) {
        gauges.put("inspectable_certificates", (long) steps.size());
        gauges.put("inspectable_states", states);
        gauges.put("inspectable_updates", recent.size());
    }

    /** A certificate was adopted, and objects remember what it replaced. */
    void adopted(CertificateNumber until, VersionVector version, Set<ObjectKey> updated, List<StoredObject> changed) {
        Set<String> keys = updated.stream().map(ObjectKey::key).collect(Collectors.toSet());
        steps.addLast(new Step(until, timed ? now : Long.MIN_VALUE / 2, version, keys, changed));
        states += changed.size();
        while (steps.size() > CERTIFICATES && due(steps.element())) {
            forget(steps.remove());
        }
    }

    private boolean due(Step step) {
        return now - step.adoptedAt() >= MILLIS || states > MOST_STATES;
    }

    private void forget(Step step) {
        step.changed().forEach(StoredObject::forgetOldest);
        states -= step.changed().size();
        recent.forget(step.keys(), step.version()::covers);
        oldest = step.until().next();
    }

    /** A whole state was installed, at this certificate and version; objects have forgotten what was before. */
    void installed(CertificateNumber number, VersionVector version) {
        steps.clear();
        states = 0;
        oldest = number;
        recent.forget(version::covers);
        recent.contestAll();
    }
}
