package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.aspas.appserver.core.state.ObjectChange;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Request;

/**
 * What has happened, and was not told yet, to those objects that somebody watches: each kind of change once for each object. Of the
 * other objects nothing is kept. For one thread.
 */
public final class TouchedObjects {
    private Set<String> watched = Set.of();
    private final Map<String, Set<ObjectChange.Kind>> touched = new LinkedHashMap<>();

    /** From now on these are watched, and no others. */
    public void watch(Set<String> keys) {
        watched = Set.copyOf(keys);
        touched.keySet().retainAll(watched);
    }

    public void touch(String key, ObjectChange.Kind kind) {
        if (!watched.isEmpty() && watched.contains(key)) {
            touched.computeIfAbsent(key, any -> EnumSet.noneOf(ObjectChange.Kind.class))
                    .add(kind);
        }
    }

    public void touch(List<Entry> entries, ObjectChange.Kind kind) {
        if (!watched.isEmpty()) {
            for (Entry entry : entries) {
                if (entry.body().message() instanceof Request request) {
                    touch(request.key(), kind);
                }
            }
        }
    }

    public void touchAll(ObjectChange.Kind kind) {
        watched.forEach(key -> touch(key, kind));
    }

    public boolean isEmpty() {
        return touched.isEmpty();
    }

    /** Tells what happened, in the order of the kinds for each object, and forgets it. */
    public void take(BiConsumer<String, List<ObjectChange.Kind>> told) {
        Map<String, Set<ObjectChange.Kind>> all = new LinkedHashMap<>(touched);
        touched.clear();
        all.forEach((key, kinds) -> told.accept(key, new ArrayList<>(kinds)));
    }
}
