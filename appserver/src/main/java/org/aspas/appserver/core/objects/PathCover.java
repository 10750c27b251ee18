package org.aspas.appserver.core.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;

/** Which paths of a tree are not here yet, as ranges from one path to before another one. For one thread. */
final class PathCover {
    /** After the first chunk, what is left is cut at each multiple of this part of all paths, to be asked for at once. */
    private static final int PARTS = 16;

    private final TreeMap<Hash, Optional<Hash>> open = new TreeMap<>(Map.of(Hash.ZERO, Optional.empty()));
    private boolean cut;

    /** Whether a chunk may begin here. */
    boolean opens(Hash from) {
        return open.containsKey(from);
    }

    /** Where the chunks begin that are needed next. */
    Iterable<Hash> starts() {
        return open.keySet();
    }

    boolean complete() {
        return open.isEmpty();
    }

    /** All paths from one on to before another one, or to the end, are here. */
    void cover(Hash from, Optional<Hash> next) {
        List<Map.Entry<Hash, Optional<Hash>>> met = new ArrayList<>();
        for (Map.Entry<Hash, Optional<Hash>> range : open.entrySet()) {
            boolean before =
                    range.getValue().filter(end -> end.compareTo(from) <= 0).isPresent();
            boolean behind =
                    next.filter(end -> end.compareTo(range.getKey()) <= 0).isPresent();
            if (!before && !behind) {
                met.add(Map.entry(range.getKey(), range.getValue()));
            }
        }
        for (Map.Entry<Hash, Optional<Hash>> range : met) {
            open.remove(range.getKey());
            if (range.getKey().compareTo(from) < 0) {
                open.put(range.getKey(), Optional.of(from));
            }
            next.filter(begin -> range.getValue().isEmpty()
                            || begin.compareTo(range.getValue().orElseThrow()) < 0)
                    .ifPresent(begin -> open.put(begin, range.getValue()));
        }
        if (!cut) {
            cut = true;
            for (int part = 1; part < PARTS; part++) {
                cutAt(start(part));
            }
        }
    }

    private static Hash start(int part) {
        byte[] bytes = new byte[Hash.LENGTH];
        bytes[0] = (byte) (part * 256 / PARTS);
        return Hash.of(bytes);
    }

    private void cutAt(Hash at) {
        Map.Entry<Hash, Optional<Hash>> range = open.lowerEntry(at);
        boolean inside = range != null
                && (range.getValue().isEmpty() || range.getValue().orElseThrow().compareTo(at) > 0);
        if (inside) {
            open.put(range.getKey(), Optional.of(at));
            open.put(at, range.getValue());
        }
    }

    /** How much is here, in thousandths of all paths, rounded down. */
    long permille() {
        double left = 0;
        for (Map.Entry<Hash, Optional<Hash>> range : open.entrySet()) {
            left += range.getValue().map(PathCover::place).orElse(1.0) - place(range.getKey());
        }
        return open.isEmpty() ? 1000 : (long) Math.min(999, 1000 * (1 - left));
    }

    /** Where a path lies, from 0 to 1. */
    private static double place(Hash path) {
        byte[] bytes = path.toBytes();
        double place = 0;
        for (int i = Integer.BYTES - 1; i >= 0; i--) {
            place = (place + (bytes[i] & 0xff)) / 256;
        }
        return place;
    }
}
