package org.aspas.emulab.sim.invariant;

/**
 * A correct party noticed a Byzantine one.
 *
 * @param micros when, in microseconds
 * @param what what gave it away
 * @param operations how many updates correct clients had submitted since the culprit's first misdeed
 * @param afterMicros how long after the culprit's first misdeed, in microseconds
 */
public record Detection(
        long micros, String by, String culprit, String what, Kind kind, long operations, long afterMicros) {
    /** What came of noticing, in the order of severity. */
    public enum Kind {
        /** A check failed, or an appserver alarmed. */
        NOTICED,
        /** A client left the server. */
        LEFT,
        /** An appserver refused what a client asked. */
        REFUSED,
        /** Somebody correct holds a proof. */
        PROVED,
        /** A correct appserver takes a proved case to the bftservers, or a bftserver convicts the server. */
        VERDICT,
        /** A certificate excludes the server, or an appserver refuses the client for good. */
        EXCLUDED
    }
}
