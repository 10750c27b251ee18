package org.aspas.certify.model;

import java.util.HashMap;
import java.util.Map;

/** Small numbers for equal keys. */
final class Interner<K> {
    private final Map<K, Integer> names = new HashMap<>();

    /** The number of the key: the next one when it is new. */
    int name(K key) {
        Integer known = names.get(key);
        if (known != null) {
            return known;
        }
        names.put(key, names.size());
        return names.size() - 1;
    }

    int size() {
        return names.size();
    }
}
