package org.aspas.appserver.core.state;

/**
 * Whether an appserver can serve: take updates, and vouch for the values that it reads out. {@link org.aspas.appserver.core.state.ServerCondition} changes it.
 * The states from {@link #AMNESIAC} on last until the process ends, and each of them gives way only to those after it.
 */
public enum ServerState {
    /** It started, and listens to what its peers hold of its log: for long with an empty store, since it may have signed in an earlier life; else for 2 s at most. */
    JOINING,
    SERVING,
    /** The end of a log was taken back, since other entries are certified there; these, or what own entries depend on, are not here. */
    REPAIRING,
    /** It may have signed what it no longer holds: whatever it signed now could contradict that. It follows the others, and serves certified reads. */
    AMNESIAC,
    /** A certificate excludes this server. */
    EXCLUDED,
    /** What is certified is not this server's history: it adopts, reports and inspects nothing any more. */
    DIVERGED;

    /** Whether only a new process can serve again. */
    public boolean lasts() {
        return compareTo(AMNESIAC) >= 0;
    }
}
