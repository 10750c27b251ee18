package org.aspas.appserver.core.port;

/**
 * Whether an appserver can serve: take updates, and vouch for the values that it reads out. {@link org.aspas.appserver.core.step.ServerCondition} changes it.
 * The states from {@link #OWN_LOG_LOST} on last until the process ends, and each of them gives way only to those after it.
 */
public enum ServerState {
    /** The server serves. */
    SERVING,
    /** The end of a log was taken back, since other entries are certified there; these, or what own entries depend on, are not here. */
    REPAIRING,
    /** A peer showed signed own entries that this server lost: whatever it enters now would fork its log. */
    OWN_LOG_LOST,
    /** A certificate excludes this server. */
    EXCLUDED,
    /** What is certified is not this server's history: it adopts, reports and inspects nothing any more. */
    DIVERGED;

    /** Whether only a new process can serve again. */
    public boolean lasts() {
        return compareTo(OWN_LOG_LOST) >= 0;
    }
}
