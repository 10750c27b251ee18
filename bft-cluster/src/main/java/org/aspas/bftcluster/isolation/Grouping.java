package org.aspas.bftcluster.isolation;

/**
 * Says which commands are of use only together. The first of them would begin an instance of its own, and the others would wait for
 * the end of that: so each waits a little for those that it belongs to. What is said here changes when something is ordered, and never
 * whether. One thread at a time asks.
 */
public interface Grouping {
    /** What becomes of a command, and of those that wait. */
    enum Next {
        /** All go. */
        GO,
        /** All wait for more. */
        WAIT,
        /** All wait for more, which can come only now: once for a group, as long as if the wait began with this one. */
        WAIT_ANEW
    }

    Grouping NONE = (command, others) -> Next.GO;

    /**
     * A command is here to be ordered.
     *
     * @param command any bytes of anybody
     * @param others whether there are commands that wait
     */
    Next next(byte[] command, boolean others);

    /** What was waited for did not come in time. */
    default void late() {
        // Who cares waits less.
    }
}
