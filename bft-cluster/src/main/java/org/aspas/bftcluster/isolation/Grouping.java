package org.aspas.bftcluster.isolation;

/**
 * Says which commands are of use only together. The first of them would begin an instance of its own, and the others would wait for
 * the end of that: so each waits a little for those that it belongs to. What is said here changes when something is ordered, and never
 * whether. One thread at a time asks.
 */
public interface Grouping {
    /** Nothing waits. */
    Grouping NONE = (command, others) -> others;

    /**
     * A command is here to be ordered.
     *
     * @param command any bytes of anybody
     * @param others whether there are commands that wait
     * @return whether it waits for more, and those that wait with it
     */
    boolean waits(byte[] command, boolean others);

    /** What was waited for did not come in time. */
    default void late() {
        // Who cares waits less.
    }
}
