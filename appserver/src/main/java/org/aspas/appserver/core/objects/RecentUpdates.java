package org.aspas.appserver.core.objects;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/**
 * Where the updates under each key stand that were delivered lately, in the order of their delivery. So a value of one object
 * is recomputed from what concerns it, without a look at all other entries (the protocol page, docs/protocol.md §7). For one
 * thread.
 */
final class RecentUpdates {
    /** An update's place; {@code contested} if another content may have been delivered under its number. */
    private record Place(Dot dot, Numbered number, boolean contested) {}

    private final Map<String, List<Place>> places = new HashMap<>();
    /** How many contested places each such number has here. */
    private final Map<Numbered, Integer> contested = new HashMap<>();

    /**
     * An update was delivered, whatever its effect.
     *
     * @param several whether another content may have been delivered under its number before
     */
    void delivered(DeliveredUpdate update, boolean several) {
        Place place = new Place(update.dot(), Numbered.of(update.request()), several);
        places.computeIfAbsent(update.request().key(), any -> new ArrayList<>(1))
                .add(place);
        if (several) {
            contested.merge(place.number(), 1, Integer::sum);
        }
    }

    /** It is no more known which contents were delivered under the number of an update that is here. */
    void contest(DeliveredUpdate update) {
        List<Place> ofKey = places.getOrDefault(update.request().key(), List.of());
        for (int i = 0; i < ofKey.size(); i++) {
            Place place = ofKey.get(i);
            if (place.dot().equals(update.dot()) && !place.contested()) {
                ofKey.set(i, new Place(place.dot(), place.number(), true));
                contested.merge(place.number(), 1, Integer::sum);
            }
        }
    }

    /** As {@link #contest}, of all that are here. */
    void contestAll() {
        contested.clear();
        for (List<Place> ofKey : places.values()) {
            ofKey.replaceAll(place -> new Place(place.dot(), place.number(), true));
            ofKey.forEach(place -> contested.merge(place.number(), 1, Integer::sum));
        }
    }

    /** Forgets the places of some keys that a condition holds for. */
    void forget(Iterable<String> keys, Predicate<Dot> gone) {
        for (String key : keys) {
            List<Place> ofKey = places.get(key);
            if (ofKey != null && ofKey.removeIf(place -> gone.test(place.dot()) && uncontest(place))) {
                if (ofKey.isEmpty()) {
                    places.remove(key);
                }
            }
        }
    }

    /** Forgets all places that a condition holds for. */
    void forget(Predicate<Dot> gone) {
        forget(List.copyOf(places.keySet()), gone);
    }

    private boolean uncontest(Place place) {
        if (place.contested()) {
            contested.computeIfPresent(place.number(), (any, count) -> count == 1 ? null : count - 1);
        }
        return true;
    }

    /**
     * The places of all updates under a key after one version up to another one, in the order of their delivery.
     *
     * @return empty where another content may be under one of their numbers, perhaps under another key: then all entries count
     */
    Optional<List<Dot>> between(String key, VersionVector after, VersionVector upTo) {
        List<Dot> found = new ArrayList<>();
        for (Place place : places.getOrDefault(key, List.of())) {
            if (upTo.covers(place.dot()) && !after.covers(place.dot())) {
                if (contested.containsKey(place.number())) {
                    return Optional.empty();
                }
                found.add(place.dot());
            }
        }
        return Optional.of(found);
    }

    /** How many places are remembered. */
    long size() {
        return places.values().stream().mapToLong(List::size).sum();
    }
}
