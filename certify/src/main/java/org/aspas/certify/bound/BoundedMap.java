package org.aspas.certify.bound;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map with room for so many entries: for one more, that goes which was put in first. Iterates in the order of insertion.
 * Not thread-safe.
 */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    private final int most;

    /** Makes an empty map for at most {@code most} entries, from 1. */
    public BoundedMap(int most) {
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
