package org.aspas.emulab.sim.node;

import java.util.function.BooleanSupplier;

/**
 * How an appserver behaves, and who sees it.
 *
 * @param behavior what it does instead of what its core wants, once it attacks
 * @param attacks whether it attacks by now; asked before each event
 * @param witness sees what it does while it attacks
 */
public record ObservedBehavior(ByzantineBehavior behavior, BooleanSupplier attacks, Witness witness) {
    public static final ObservedBehavior CORRECT =
            new ObservedBehavior(new ByzantineBehavior() {}, () -> false, what -> {});

    /** Sees what a server does while it attacks. */
    @FunctionalInterface
    public interface Witness {
        /** The server does what a correct one would not do: a verb phrase whose subject is the server. */
        void misdeed(String what);

        default void sees(Outgoing what) {}
    }
}
