package org.aspas.certify.step;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The duty cycle of every node: one event into the core, its effects carried out in their order, and, where a record was durable as soon
 * as it was handed over, what was waiting for it. The mailbox of an appserver's actor, the order's delivery at a bftserver and a
 * client's executor each drive one.
 *
 * <p>What an effect throws ends the turn: no later effect of the step is carried out, and no event follows. For the one thread, or
 * the one lock, that owns the core.
 *
 * @param <E> events of the core
 * @param <X> its effects
 */
public final class CoreLoop<E, X> {
    /** The core. */
    @FunctionalInterface
    public interface Core<E, X> {
        /** Takes one event, and gives the effects that may be carried out now, in order. */
        List<X> step(E event);
    }

    /** What is around the core. */
    @FunctionalInterface
    public interface Shell<E, X> {
        /**
         * Carries out one effect.
         *
         * @return the event that it led to at once, which is that a record is durable; null when there is none, or it comes later. Of
         *     several in one step the last stands for all
         */
        @Nullable
        E carryOut(X effect);
    }

    private final Core<E, X> core;
    private final Shell<E, X> shell;

    public CoreLoop(Core<E, X> core, Shell<E, X> shell) {
        this.core = core;
        this.shell = shell;
    }

    /** Gives the core an event, and after its effects what they led to. */
    public void take(E event) {
        E next = event;
        while (next != null) {
            E follows = null;
            for (X effect : core.step(next)) {
                E led = shell.carryOut(effect);
                if (led != null) {
                    follows = led;
                }
            }
            next = follows;
        }
    }
}
