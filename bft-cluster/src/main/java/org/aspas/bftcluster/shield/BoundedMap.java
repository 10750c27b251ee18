package org.aspas.bftcluster.shield;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map with room for so many entries: for one more, that goes which was put in first. Not thread-safe. */
final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    private final int most;

    /** An empty map for so many entries. */
    BoundedMap(int most) {
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
