package org.aspas.emulab.sim.adversary;

import java.util.function.Function;

/**
 * One way to be Byzantine.
 *
 * @param name the role's name in options and reports
 * @param line what such a party does, for people
 * @param proof when what it does is proof against it
 * @param <C> what decides on what a party of this kind does
 */
record ByzantineRole<C>(String name, String line, Proof proof, Function<AdversaryContext, C> maker) {
    /** When what a party does is proof, with somebody correct who works or inspects, while servers and network work. */
    enum Proof {
        /** Not always, or never. */
        UNCERTAIN,
        /** With each misdeed. */
        EVERY_MISDEED,
        /** Once it put two entries at one place of its log before correct parties. */
        TWO_ENTRIES
    }
}
