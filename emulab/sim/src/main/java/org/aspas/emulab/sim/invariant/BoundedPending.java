package org.aspas.emulab.sim.invariant;

/**
 * BOUND: whatever an origin sends, a correct appserver never keeps more bytes of its entries that wait for others than the
 * limit says. Nothing proves an entry wrong that depends on what nobody has, so only this bounds what a liar leaves behind.
 */
final class BoundedPending extends Invariant {
    BoundedPending() {
        super("BOUND");
        on(Fact.EntriesPending.class, fact -> {
            if (fact.bytes() > fact.most()) {
                violated("appserver " + fact.server() + " keeps " + fact.bytes() + " bytes of appserver "
                        + fact.origin() + " that wait for others, above " + fact.most());
            }
        });
    }
}
