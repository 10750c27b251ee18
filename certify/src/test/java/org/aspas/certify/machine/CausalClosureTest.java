package org.aspas.certify.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** LV' against its definition: the join of all causally closed versions at most the bound, found by trying them all. */
class CausalClosureTest {
    /** A random causal history: every entry depends on what its origin had seen. */
    private static List<List<VersionVector>> history(Random random, int origins, int entries) {
        List<List<VersionVector>> logs = new ArrayList<>();
        List<VersionVector> seen = new ArrayList<>();
        for (int i = 0; i < origins; i++) {
            logs.add(new ArrayList<>());
            seen.add(VersionVector.zero(origins));
        }
        for (int i = 0; i < entries; i++) {
            int origin = random.nextInt(origins);
            if (random.nextBoolean()) {
                int from = random.nextInt(origins);
                seen.set(origin, seen.get(origin).join(seen.get(from)));
            }
            VersionVector dependencies = seen.get(origin);
            logs.get(origin).add(dependencies);
            seen.set(origin, dependencies.with(origin, logs.get(origin).size()));
        }
        return logs;
    }

    private static boolean closed(VersionVector version, List<List<VersionVector>> logs) {
        for (int origin = 0; origin < logs.size(); origin++) {
            for (int sequence = 1; sequence <= version.get(origin); sequence++) {
                if (!version.dominates(logs.get(origin).get(sequence - 1))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static VersionVector specified(VersionVector bound, List<List<VersionVector>> logs) {
        VersionVector best = VersionVector.zero(bound.size());
        List<VersionVector> candidates = List.of(best);
        for (int origin = 0; origin < bound.size(); origin++) {
            List<VersionVector> longer = new ArrayList<>();
            for (VersionVector candidate : candidates) {
                for (long size = 0; size <= bound.get(origin); size++) {
                    longer.add(candidate.with(origin, size));
                }
            }
            candidates = longer;
        }
        for (VersionVector candidate : candidates) {
            if (closed(candidate, logs)) {
                best = best.join(candidate);
            }
        }
        return best;
    }

    private static VersionVector within(Random random, List<List<VersionVector>> logs) {
        long[] components = new long[logs.size()];
        for (int i = 0; i < components.length; i++) {
            components[i] = random.nextInt(logs.get(i).size() + 1);
        }
        return VersionVector.of(components);
    }

    private static VersionVector meet(VersionVector one, VersionVector other) {
        long[] components = one.toArray();
        for (int origin = 0; origin < components.length; origin++) {
            components[origin] = Math.min(components[origin], other.get(origin));
        }
        return VersionVector.of(components);
    }

    /** Checks the closure of a random bound, from nothing and from a floor; whether the bound was closed already. */
    private static boolean equalsTheDefinition(long seed, Random random, List<List<VersionVector>> logs) {
        CausalClosure.Dependencies dependencies =
                (origin, sequence) -> logs.get(origin).get((int) sequence - 1);
        VersionVector bound = within(random, logs);
        VersionVector expected = specified(bound, logs);
        assertThat(CausalClosure.of(VersionVector.zero(4), bound, dependencies))
                .as("seed %d", seed)
                .isEqualTo(expected);
        VersionVector floor = specified(meet(bound, within(random, logs)), logs);
        assertThat(CausalClosure.of(floor, bound, dependencies))
                .as("seed %d from a floor", seed)
                .isEqualTo(expected);
        return expected.equals(bound);
    }

    @Test
    void equalsTheDefinitionOnRandomLogs() {
        int cut = 0;
        for (long seed = 0; seed < 1500; seed++) {
            Random random = new Random(seed);
            List<List<VersionVector>> logs = history(random, 4, random.nextInt(18));
            cut += equalsTheDefinition(seed, random, logs) ? 0 : 1;
        }
        assertThat(cut).as("bounds that were not closed").isGreaterThan(300);
    }

    private static CausalClosure.Dependencies one(VersionVector... first) {
        return (origin, sequence) -> {
            assertThat(sequence).isEqualTo(1);
            return first[origin];
        };
    }

    /**
     * Correct origins name all that they have seen, so that what lacks something indirectly lacks it directly, too. A liar's
     * entry may name another one without what that one depends on: then the loss of one entry makes the next one lack
     * something, origin by origin, against the order in which they are looked at.
     */
    @Test
    void anEntryThatFallsTakesThoseWithItThatNameItAlone() {
        CausalClosure.Dependencies chain = one(
                VersionVector.of(0, 1, 0, 0),
                VersionVector.of(0, 0, 1, 0),
                VersionVector.of(0, 0, 0, 1),
                VersionVector.zero(4));
        VersionVector none = VersionVector.zero(4);
        assertThat(CausalClosure.of(none, VersionVector.of(1, 1, 1, 0), chain)).isEqualTo(none);
        assertThat(CausalClosure.of(none, VersionVector.of(1, 1, 1, 1), chain)).isEqualTo(VersionVector.of(1, 1, 1, 1));
        assertThat(CausalClosure.of(none, VersionVector.of(1, 1, 0, 1), chain)).isEqualTo(VersionVector.of(0, 0, 0, 1));
    }

    /** As random logs, but an origin may name any entries that there are, without those that they depend on. */
    @Test
    void equalsTheDefinitionOnLogsWithLiars() {
        int cut = 0;
        for (long seed = 0; seed < 1500; seed++) {
            Random random = new Random(seed);
            List<List<VersionVector>> logs = new ArrayList<>();
            VersionVector sizes = VersionVector.zero(4);
            for (int origin = 0; origin < 4; origin++) {
                logs.add(new ArrayList<>());
            }
            for (int i = random.nextInt(18); i > 0; i--) {
                int origin = random.nextInt(4);
                int named = random.nextInt(4);
                List<VersionVector> log = logs.get(origin);
                VersionVector before = log.isEmpty() ? VersionVector.zero(4) : log.get(log.size() - 1);
                long seen = Math.max(before.get(named), random.nextInt((int) sizes.get(named) + 1));
                log.add(before.with(named, seen).with(origin, log.size()));
                sizes = sizes.with(origin, log.size());
            }
            cut += equalsTheDefinition(seed, random, logs) ? 0 : 1;
        }
        assertThat(cut).as("bounds that were not closed").isGreaterThan(300);
    }
}
