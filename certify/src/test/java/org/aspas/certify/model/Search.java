package org.aspas.certify.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Looks at every state within the bounds, nearest first, so that the first finding has the shortest trace. */
final class Search {
    private static final int WIDTH = 9;
    private static final int CHUNK = 1 << 20;

    /**
     * What a search found.
     *
     * @param states how many states there are
     * @param transitions how many steps lead from one to one
     * @param depth the longest shortest way
     * @param finding which property is broken, with the trace; absent when none is
     */
    record Report(long states, long transitions, int depth, double minutes, Optional<String> finding, String parts) {
        @Override
        public String toString() {
            return String.format(
                    "%,d states, %,d steps, depth %d, %.1f minutes; %s; %s",
                    states, transitions, depth, minutes, parts, finding.orElse("nothing found"));
        }
    }

    private final Bounds bounds;
    private final Steps steps;
    private final Keys keys;
    private final Properties properties;
    private final Completion completion;
    private final Fingerprints visited = new Fingerprints();
    private final List<int[]> chunks = new ArrayList<>();
    private final long begun = System.nanoTime();
    private final long mostStates;
    private final String only;
    private int count;
    private long transitions;
    private Optional<String> finding = Optional.empty();

    /**
     * A search.
     *
     * @param mostStates where it gives up
     * @param only how the properties that are looked at begin; all when it is empty
     */
    Search(Bounds bounds, long mostStates, String only) {
        this.only = only;
        this.bounds = bounds;
        this.steps = new Steps(bounds);
        this.keys = new Keys(steps);
        this.properties = new Properties(steps);
        this.completion = new Completion(steps, keys, bounds, visited);
        this.mostStates = mostStates;
    }

    /** Looks at all; stops at the first finding. */
    Report run() {
        meet(steps.initial(), -1, 0);
        int depth = 0;
        for (int at = 0; at < count && finding.isEmpty() && count < mostStates; at++) {
            int parent = at;
            State state = state(at);
            depth = depth(at);
            int below = depth + 1;
            try {
                steps.from(state, (how, next) -> {
                    transitions++;
                    if (finding.isEmpty()) {
                        meet(next, parent, below);
                    }
                });
            } catch (IllegalStateException | IllegalArgumentException wrong) {
                finding = Optional.of("NO EXCEPTION: " + wrong + trace(parent));
            }
            if ((at & 0xfffff) == 0xfffff) {
                System.out.println(bounds + ": " + at + " of " + count + " done, depth " + depth);
            }
        }
        if (count >= mostStates) {
            finding = finding.or(() -> Optional.of("NOT EXHAUSTED"));
        }
        return new Report(count, transitions, depth, (System.nanoTime() - begun) / 6e10, finding, parts());
    }

    private String parts() {
        return String.format(
                "%,d states of the machine, %,d of replicas, %,d sets of words; %,d steps of the machine and %,d of "
                        + "replicas executed",
                steps.machines.size(),
                steps.replicas.size(),
                steps.soups.size(),
                steps.machines.executed(),
                steps.replicas.executed());
    }

    private void meet(State state, int parent, int depth) {
        keys.make(state);
        if (!visited.add(keys.first, keys.second)) {
            return;
        }
        int name = put(state, parent, depth);
        Optional<String> broken = properties.broken(state).filter(what -> what.startsWith(only));
        if (broken.isEmpty() && only.isEmpty() && Properties.promised(state)) {
            List<String> stuck = completion.stuck(state);
            if (stuck != null) {
                broken = Optional.of("CERTIFICATION CAN GO ON: it cannot; tried " + String.join("\n      ", stuck));
            }
        }
        broken.ifPresent(what -> finding = Optional.of(what + trace(name)));
    }

    private int put(State state, int parent, int depth) {
        int at = count % (CHUNK / WIDTH) * WIDTH;
        if (at == 0) {
            chunks.add(new int[CHUNK]);
        }
        int[] chunk = chunks.get(chunks.size() - 1);
        chunk[at] = state.machine();
        chunk[at + 1] = state.replicas()[0];
        chunk[at + 2] = state.replicas()[1];
        chunk[at + 3] = state.replicas()[2];
        chunk[at + 4] = state.soup();
        chunk[at + 5] = (int) state.signed();
        chunk[at + 8] = (int) (state.signed() >>> 32);
        chunk[at + 6] = state.spent() | depth << 8;
        chunk[at + 7] = parent;
        return count++;
    }

    private int field(int name, int field) {
        return chunks.get(name / (CHUNK / WIDTH))[name % (CHUNK / WIDTH) * WIDTH + field];
    }

    private int depth(int name) {
        return field(name, 6) >>> 8;
    }

    private State state(int name) {
        long signed = (long) field(name, 8) << 32 | (field(name, 5) & 0xffffffffL);
        int[] replicas = {field(name, 1), field(name, 2), field(name, 3)};
        return new State(field(name, 0), replicas, field(name, 4), signed, field(name, 6) & 0xff);
    }

    /** Of every state that was met, all but the machine: records, who runs, what was submitted and signed. */
    Set<String> outsides() {
        Set<String> outsides = new TreeSet<>();
        for (int name = 0; name < count; name++) {
            State state = state(name);
            outsides.add(Names.ALL.stream()
                    .map(names -> outside(state, names))
                    .min(String::compareTo)
                    .orElseThrow());
        }
        return outsides;
    }

    private String outside(State state, int[] names) {
        String[] placed = new String[Lexicon.CORRECT];
        for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
            StringBuilder text = new StringBuilder(steps.replicas.describe(state.replicas()[replica], names));
            for (int content = 0; content < steps.lexicon.contentCount(); content++) {
                if (state.signed(replica, content)) {
                    text.append(" ever signed ").append(steps.lexicon.name(content));
                }
            }
            placed[names[replica]] = text.toString();
        }
        Set<String> words = new TreeSet<>();
        for (int word : steps.soups.words(state.soup())) {
            words.add(steps.lexicon.describe(steps.lexicon.word(word).renamed(names)));
        }
        return List.of(placed) + " " + words + " " + state.spent();
    }

    /** The way to a state, found again step by step. */
    private String trace(int name) {
        List<String> lines = new ArrayList<>();
        for (int at = name; field(at, 7) >= 0; at = field(at, 7)) {
            lines.add(how(state(field(at, 7)), state(at)));
        }
        Collections.reverse(lines);
        StringBuilder text = new StringBuilder("\n  trace of " + lines.size() + " steps:");
        for (int i = 0; i < lines.size(); i++) {
            text.append("\n    ").append(i + 1).append(". ").append(lines.get(i));
        }
        for (int node : state(name).replicas()) {
            text.append("\n  record of replica ")
                    .append(steps.replicas.node(node).replica())
                    .append(": ");
            text.append(steps.replicas.describe(node, Names.SAME));
        }
        return text.toString();
    }

    private String how(State before, State after) {
        List<String> found = new ArrayList<>();
        steps.from(before, (how, next) -> {
            if (found.isEmpty()
                    && next.machine() == after.machine()
                    && next.soup() == after.soup()
                    && next.signed() == after.signed()
                    && next.spent() == after.spent()
                    && Arrays.equals(next.replicas(), after.replicas())) {
                found.add(how.get());
            }
        });
        return found.isEmpty() ? "?" : found.get(0);
    }
}
