package org.aspas.emulab.sim.invariant;

/**
 * G5: once faults have ended and enough servers are correct and connected, every acknowledged update of a client at a
 * correct appserver is certified and its client told, in time.
 */
final class Liveness extends Invariant {
    Liveness() {
        super("G5");
    }

    @Override
    public void onEnd(Ending ending) {
        if (!ending.unsettled().isEmpty()) {
            violated("still open at the end: " + String.join("; ", ending.unsettled()));
        }
    }
}
