package org.aspas.emulab.sim.invariant;

/**
 * BOUND: whatever an origin sends, a correct appserver never keeps more bytes of its entries that wait for others than the
 * limit says. Nothing proves an entry wrong that depends on what nobody has, so only this bounds what a liar leaves behind.
 */
final class BoundedPending extends Invariant {
    BoundedPending() {
        super("BOUND");
    }

    @Override
    public void onPending(int server, int origin, long bytes, long most) {
        if (bytes > most) {
            violated("appserver " + server + " keeps " + bytes + " bytes of appserver " + origin
                    + " that wait for others, above " + most);
        }
    }
}
