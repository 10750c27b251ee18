package org.aspas.appserver.core.session;

import java.util.ArrayList;
import java.util.List;

/**
 * The newest places of one client's numbers in the own log, up to a bound, the eldest first. It takes 16 bytes for each, for there is
 * one of it for each client. For one thread.
 */
final class OwnPlaces {
    /**
     * Where one request is.
     *
     * @param sequence the sequence number in the own log
     */
    record Place(long number, long sequence) {}

    private static final int LEAST = 8;

    private final int most;
    /** Number and sequence number in turns; the eldest at {@link #eldest}, and on from the beginning behind the end. */
    private long[] pairs = new long[0];

    private int eldest;
    private int size;

    OwnPlaces(int most) {
        this.most = most;
    }

    private int at(int index) {
        return (eldest + index) % (pairs.length / 2) * 2;
    }

    private Place place(int index) {
        int at = at(index);
        return new Place(pairs[at], pairs[at + 1]);
    }

    /** Adds one; the eldest gives way when there are too many. */
    void add(Place place) {
        if (size == most) {
            eldest = at(1) / 2;
            size--;
        } else if (size == pairs.length / 2) {
            List<Place> all = all();
            pairs = new long[2 * Math.min(most, Math.max(LEAST, 2 * size))];
            fill(all);
        }
        int at = at(size++);
        pairs[at] = place.number();
        pairs[at + 1] = place.sequence();
    }

    private void fill(List<Place> places) {
        eldest = 0;
        size = 0;
        places.forEach(this::add);
    }

    void remove(long number) {
        List<Place> all = all();
        if (all.removeIf(one -> one.number() == number)) {
            fill(all);
        }
    }

    /** The eldest first. */
    List<Place> all() {
        List<Place> all = new ArrayList<>(size);
        for (int index = 0; index < size; index++) {
            all.add(place(index));
        }
        return all;
    }
}
