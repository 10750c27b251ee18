package org.aspas.emulab.sim.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Request;

/** The updates that a live view of one object shows: the certified ones, and those of delivered entries after them. */
final class LiveUpdates {
    /** Looks up what is certified. */
    interface Certified {
        /** The certified update under a client's number. */
        Optional<CountedUpdate> counted(ClientId client, long number);
    }

    private record Numbered(ClientId client, long number) {}

    private final String key;
    private final String type;
    private final boolean settled;
    private final Map<Numbered, CountedUpdate> updates = new HashMap<>();
    private final List<CountedUpdate> base;
    private final Certified certified;

    /**
     * Updates of an object.
     *
     * @param settled whether the type is certified, so that what is of another has no effect
     * @param base what has an effect at the certificate; it gets the places that come after
     */
    LiveUpdates(String key, String type, boolean settled, List<CountedUpdate> base, Certified certified) {
        this.key = key;
        this.type = type;
        this.settled = settled;
        this.base = base;
        this.certified = certified;
        base.forEach(update -> updates.put(numbered(update.request()), update));
    }

    private static Numbered numbered(Request request) {
        return new Numbered(request.client(), request.number());
    }

    /** All of them; empty where the order of delivery decides. */
    Optional<List<CountedUpdate>> with(Collection<PlacedEntry> after) {
        if (givenTwice(after)) {
            return Optional.empty();
        }
        List<CountedUpdate> shown = new ArrayList<>(base);
        for (PlacedEntry entry : after) {
            if (!concerns(entry)) {
                continue;
            }
            Request request = (Request) entry.words();
            if (!request.type().equals(type)) {
                if (settled) {
                    continue;
                }
                return Optional.empty();
            }
            show(entry, request, shown);
        }
        return Optional.of(shown);
    }

    /** Whether a number that is not certified and concerns the object has two entries. */
    private boolean givenTwice(Collection<PlacedEntry> after) {
        Map<Numbered, Integer> places = new HashMap<>();
        Set<Numbered> concerned = new HashSet<>();
        for (PlacedEntry entry : after) {
            if (entry.words() instanceof Request request
                    && certified.counted(request.client(), request.number()).isEmpty()) {
                places.merge(numbered(request), 1, Integer::sum);
                if (concerns(entry)) {
                    concerned.add(numbered(request));
                }
            }
        }
        return concerned.stream().anyMatch(number -> places.getOrDefault(number, 0) > 1);
    }

    private boolean concerns(PlacedEntry entry) {
        return entry.words() instanceof Request request && request.key().equals(key);
    }

    private void show(PlacedEntry entry, Request request, List<CountedUpdate> shown) {
        boolean counted = certified.counted(request.client(), request.number()).isPresent();
        CountedUpdate known = updates.get(numbered(request));
        if (counted && known != null && known.identity().equals(entry.identity())) {
            known.alias(entry.dot(), Long.MAX_VALUE);
        } else if (!counted
                && Meaning.of(type)
                        .filter(meaning -> meaning.admits(request.operation()))
                        .isPresent()) {
            shown.add(new CountedUpdate(entry, request, Long.MAX_VALUE));
        }
    }
}
