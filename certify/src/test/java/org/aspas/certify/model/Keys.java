package org.aspas.certify.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/** One fingerprint for all states that differ only in the names of the correct replicas. */
final class Keys {
    private static final long MASK = (1L << State.CONTENTS) - 1;

    private final Part machine;
    private final Part replica;
    private final Part soup;
    /** The fingerprint that was made last. */
    long first;

    long second;

    /** What one component is called under each renaming: computed once. */
    private static final class Part {
        private final BiFunction<Integer, int[], String> describe;
        private final Interner<String> names = new Interner<>();
        private final List<int[]> renamed = new ArrayList<>();

        Part(BiFunction<Integer, int[], String> describe) {
            this.describe = describe;
        }

        int[] of(int component) {
            while (renamed.size() <= component) {
                renamed.add(null);
            }
            int[] known = renamed.get(component);
            if (known == null) {
                known = Names.ALL.stream()
                        .mapToInt(names -> this.names.name(describe.apply(component, names)))
                        .toArray();
                renamed.set(component, known);
            }
            return known;
        }
    }

    Keys(Steps steps) {
        this.machine =
                new Part((name, names) -> steps.machines.node(name).view().describe(names));
        this.replica = new Part(steps.replicas::describe);
        this.soup = new Part(steps.soups::describe);
    }

    /** Makes the fingerprint: the least under all renamings. */
    void make(State state) {
        int[] machines = machine.of(state.machine());
        int[] soups = soup.of(state.soup());
        int[][] replicas = new int[Lexicon.CORRECT][];
        for (int i = 0; i < Lexicon.CORRECT; i++) {
            replicas[i] = replica.of(state.replicas()[i]);
        }
        first = 0;
        long[] placed = new long[Lexicon.CORRECT];
        for (int i = 0; i < Names.ALL.size(); i++) {
            int[] names = Names.ALL.get(i);
            long signed = 0;
            Arrays.fill(placed, 0);
            for (int old = 0; old < Lexicon.CORRECT; old++) {
                placed[names[old]] = replicas[old][i];
                signed |= ((state.signed() >> (old * State.CONTENTS)) & MASK) << (names[old] * State.CONTENTS);
            }
            least(mix(machines[i], (long) soups[i] << 8 | state.spent(), placed, signed));
        }
    }

    private long other;

    private long mix(long machine, long soup, long[] replicas, long rest) {
        long one = step(step(machine + 1, soup + 1), rest + 1);
        long two = step(step(rest + 0x51ed27L, machine + 7), soup + 3);
        for (long replica : replicas) {
            one = step(one, replica + 1);
            two = step(two, replica + 5);
        }
        other = two;
        return one == 0 ? 1 : one;
    }

    private static long step(long state, long value) {
        long mixed = (state ^ value * 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 29) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 32;
    }

    private void least(long one) {
        if (first == 0 || one < first || (one == first && other < second)) {
            first = one;
            second = other;
        }
    }
}
