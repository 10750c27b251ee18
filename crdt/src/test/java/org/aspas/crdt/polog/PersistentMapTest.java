package org.aspas.crdt.polog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The specification of the map is {@link TreeMap}, copied before each change. */
class PersistentMapTest {
    private record Version(Map<Integer, Integer> model, PersistentMap<Integer, Integer> map) {}

    private static Map<Integer, Integer> content(PersistentMap<Integer, Integer> map) {
        Map<Integer, Integer> content = new TreeMap<>();
        List<Integer> order = new ArrayList<>();
        map.visit((key, value) -> {
            content.put(key, value);
            return order.add(key);
        });
        assertThat(order).isSorted().hasSize(content.size());
        return content;
    }

    @Test
    void everyVersionStaysWhatItWas() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int keys = 1 + random.nextInt(80);
            List<Version> versions = new ArrayList<>(List.of(new Version(Map.of(), PersistentMap.empty())));
            for (int step = 0; step < 120; step++) {
                Version from =
                        versions.get(random.nextInt(4) == 0 ? random.nextInt(versions.size()) : versions.size() - 1);
                Map<Integer, Integer> model = new TreeMap<>(from.model());
                int key = random.nextInt(keys);
                if (random.nextInt(5) < 2) {
                    model.remove(key);
                    versions.add(new Version(model, from.map().without(key)));
                } else {
                    model.put(key, step);
                    versions.add(new Version(model, from.map().with(key, step)));
                }
            }
            for (Version each : versions) {
                assertThat(content(each.map())).as("seed %d", seed).isEqualTo(each.model());
                assertThat(each.map().size()).isEqualTo(each.model().size());
                for (int key = 0; key < keys; key++) {
                    assertThat(each.map().get(key)).isEqualTo(each.model().get(key));
                }
            }
        }
    }

    @Test
    void neitherAscendingNorDescendingKeysMakeItDeep() {
        int many = 200_000;
        PersistentMap<Integer, Integer> map = PersistentMap.empty();
        for (int i = 0; i < many; i++) {
            map = map.with(i, i).with(-i, i);
        }
        assertThat(map.size()).isEqualTo(2 * many - 1);
        assertThat(map.height()).isLessThanOrEqualTo((int) (1.45 * Math.log(2 * many) / Math.log(2)));
        for (int i = 0; i < many; i++) {
            map = map.without(i);
        }
        assertThat(map.height()).isLessThanOrEqualTo((int) (1.45 * Math.log(many) / Math.log(2)));
    }

    @Test
    void aVisitEndsWhereTheVisitorSaysSo() {
        PersistentMap<Integer, Integer> map = PersistentMap.empty();
        for (int i = 0; i < 100; i++) {
            map = map.with(i, i);
        }
        List<Integer> seen = new ArrayList<>();
        map.visit((key, value) -> {
            seen.add(key);
            return key < 6;
        });
        assertThat(seen).containsExactly(0, 1, 2, 3, 4, 5, 6);
    }
}
