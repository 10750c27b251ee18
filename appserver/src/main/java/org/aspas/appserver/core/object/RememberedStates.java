package org.aspas.appserver.core.object;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
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

    /**
     * Where the updates under each key stand that were delivered lately: by certificate, and then those without one, each in the
     * order of their delivery. That extends causality, for what a certificate covers depends on nothing else. So a value of one object
     * is recomputed from what concerns it, without a look at all other entries (the protocol page, docs/protocol.md §7). For one
     * thread.
     */
    static final class RecentUpdates {
        private static final long OPEN = Long.MAX_VALUE;

        private static final class Place {
            final Dot dot;
            final RequestId number;
            /** Whether another content may have been delivered under its number. */
            boolean contested;
            /** The certificate that covers it first. */
            long certificate = OPEN;

            Place(Dot dot, RequestId number) {
                this.dot = dot;
                this.number = number;
            }
        }

        private final Map<String, List<Place>> places = new HashMap<>();
        /** How many contested places each such number has here. */
        private final Map<RequestId, Integer> contested = new HashMap<>();

        /** How many places are in all lists. */
        private long size;

        /**
         * An update was delivered, whatever its effect.
         *
         * @param several whether another content may have been delivered under its number before
         */
        void delivered(DeliveredUpdate update, boolean several) {
            Place place = new Place(update.dot(), RequestId.of(update.request()));
            places.computeIfAbsent(update.request().key(), any -> new ArrayList<>(1))
                    .add(place);
            size++;
            if (several) {
                contest(place);
            }
        }

        private void contest(Place place) {
            if (!place.contested) {
                place.contested = true;
                contested.merge(place.number, 1, Integer::sum);
            }
        }

        /** It is no more known which contents were delivered under the number of an update that is here. */
        void contest(DeliveredUpdate update) {
            places.getOrDefault(update.request().key(), List.of()).stream()
                    .filter(place -> place.dot.equals(update.dot()))
                    .forEach(this::contest);
        }

        void contestAll() {
            places.values().forEach(ofKey -> ofKey.forEach(this::contest));
        }

        /** A certificate covers those of the updates under some keys that its version does. */
        void certified(Collection<String> keys, VersionVector version, CertificateNumber number) {
            List<Place> rest = new ArrayList<>();
            for (String key : keys) {
                List<Place> ofKey = places.getOrDefault(key, List.of());
                int next = ofKey.size();
                while (next > 0 && ofKey.get(next - 1).certificate == OPEN) {
                    next--;
                }
                for (Place place : ofKey.subList(next, ofKey.size())) {
                    if (version.covers(place.dot)) {
                        place.certificate = number.value();
                        ofKey.set(next++, place);
                    } else {
                        rest.add(place);
                    }
                }
                for (Place place : rest) {
                    ofKey.set(next++, place);
                }
                rest.clear();
            }
        }

        void forget(Collection<String> keys, CertificateNumber upTo) {
            for (String key : keys) {
                List<Place> ofKey = places.getOrDefault(key, List.of());
                int count = 0;
                while (count < ofKey.size() && ofKey.get(count).certificate <= upTo.value()) {
                    uncontest(ofKey.get(count));
                    count++;
                }
                size -= count;
                if (count == ofKey.size()) {
                    places.remove(key);
                } else {
                    ofKey.subList(0, count).clear();
                }
            }
        }

        void forget(Predicate<Dot> gone) {
            size = 0;
            for (List<Place> ofKey : places.values()) {
                ofKey.removeIf(place -> gone.test(place.dot) && uncontest(place));
                size += ofKey.size();
            }
            places.values().removeIf(List::isEmpty);
        }

        private boolean uncontest(Place place) {
            if (place.contested) {
                contested.computeIfPresent(place.number, (any, count) -> count == 1 ? null : count - 1);
            }
            return true;
        }

        /**
         * The places of all updates under a key after a certificate up to a version, in an order that extends causality.
         *
         * @return empty where another content may be under one of their numbers, perhaps under another key: then all entries count
         */
        Optional<List<Dot>> after(CertificateNumber number, String key, VersionVector upTo) {
            ArrayDeque<Dot> found = new ArrayDeque<>();
            List<Place> ofKey = places.getOrDefault(key, List.of());
            for (int i = ofKey.size() - 1; i >= 0 && ofKey.get(i).certificate > number.value(); i--) {
                Place place = ofKey.get(i);
                if (upTo.covers(place.dot)) {
                    if (contested.containsKey(place.number)) {
                        return Optional.empty();
                    }
                    found.addFirst(place.dot);
                }
            }
            return Optional.of(List.copyOf(found));
        }

        long size() {
            return size;
        }
    }
}
