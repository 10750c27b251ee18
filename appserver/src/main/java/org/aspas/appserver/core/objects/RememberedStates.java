package org.aspas.appserver.core.objects;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.aspas.certify.wire.CertificateNumber;
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

    /** For the time's sake no more is kept than what so many entries changed. */
    static final int MOST_ENTRIES = 1 << 16;

    /**
     * What a certificate replaced.
     *
     * @param until the certificate before it
     * @param entries how many it added
     * @param keys of the updates among them
     * @param changed the objects that remember their state before it
     */
    private record Step(
            CertificateNumber until, long adoptedAt, int entries, Set<String> keys, List<StoredObject> changed) {}

    private final ArrayDeque<Step> steps = new ArrayDeque<>();
    private final RecentUpdates recent = new RecentUpdates();
    private CertificateNumber oldest = CertificateNumber.NONE;
    private long entries;
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
     * Where all updates under a key stand after a certificate, in an order that extends causality as they were delivered.
     *
     * @param after a certificate whose states are kept
     * @param upTo a delivered version that dominates its version
     * @return their places; empty where a client may have signed another content under one of their numbers, perhaps under
     *     another key: then all entries between have to be looked at
     */
    public Optional<List<Dot>> updates(String key, CertificateNumber after, VersionVector upTo) {
        return recent.after(after, key, upTo);
    }

    void measure(Map<String, Long> gauges) {
        gauges.put("inspectable_certificates", (long) steps.size());
        gauges.put("inspectable_entries", entries);
        gauges.put("inspectable_updates", recent.size());
    }

    /** A certificate was adopted, and these objects remember what it replaced. */
    void adopted(CertificateNumber until, Candidate added, List<StoredObject> changed) {
        Set<String> keys = new HashSet<>();
        for (ObjectKey name : added.updated) {
            keys.add(name.key());
        }
        recent.certified(keys, added.version(), until.next());
        steps.addLast(
                new Step(until, timed ? now : Long.MIN_VALUE / 2, added.range().size(), keys, changed));
        entries += added.range().size();
        while (steps.size() > CERTIFICATES && due(steps.element())) {
            forget(steps.remove());
        }
    }

    private boolean due(Step step) {
        return now - step.adoptedAt() >= MILLIS || entries > MOST_ENTRIES;
    }

    private void forget(Step step) {
        step.changed().forEach(StoredObject::forgetOldest);
        entries -= step.entries();
        oldest = step.until().next();
        recent.forget(step.keys(), oldest);
    }

    /** A whole state was installed, at this certificate and version; objects have forgotten what was before. */
    void installed(CertificateNumber number, VersionVector version) {
        steps.clear();
        entries = 0;
        oldest = number;
        recent.forget(version::covers);
        recent.contestAll();
    }
}
