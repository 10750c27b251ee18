package org.aspas.emulab.sim.invariant;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One guarantee, which names in its constructor the facts that it is about, each with what it checks then. */
public abstract class Invariant {
    record Check(Class<? extends Fact> fact, Consumer<Fact> action) {}

    private final String name;
    private final List<Check> checks = new ArrayList<>();
    private Consumer<String> violations = text -> {};

    protected Invariant(String name) {
        this.name = name;
    }

    /** The guarantee's name, such as G1. */
    public final String name() {
        return name;
    }

    /** What this guarantee does with facts of one type. Only for constructors: a {@link Monitor} looks at this once. */
    @SuppressWarnings("unchecked") // The monitor gives an action only facts of its type.
    protected final <F extends Fact> void on(Class<F> fact, Consumer<F> action) {
        checks.add(new Check(fact, (Consumer<Fact>) action));
    }

    /** In the order in which they were named. */
    final List<Check> checks() {
        return checks;
    }

    final void reportTo(Consumer<String> taker) {
        violations = taker;
    }

    protected final void violated(String text) {
        violations.accept(text);
    }

    /** What has to happen yet before the run may end, one sentence each. */
    public List<String> waiting() {
        return List.of();
    }
}
