package org.aspas.emulab.baselines.obft.core;

/** What a replica wants done, in this order. */
public sealed interface Effect {
    /** A frame for another replica; it may be lost. */
    record ToReplica(int replica, byte[] frame) implements Effect {}

    /** A frame for a client; it is dropped if the connection is gone. */
    record ToClient(long connection, byte[] frame) implements Effect {}

    /** The replica has entered a phase; to be timed by whoever has a clock. */
    record Entered(Phase phase) implements Effect {}

    /**
     * A synchronisation is over.
     *
     * @param operations how many operations the agreed set has
     * @param undone how many of this replica's log it does not have
     * @param fetched how many of it this replica had to fetch
     * @param round in which round it was agreed, from 0
     */
    record Synchronised(int operations, int undone, int fetched, int round) implements Effect {}

    /** Where a replica is between two synchronisations; clients are served in the first phase alone. */
    enum Phase {
        /** Clients are served; operations are executed, answered and multicast. */
        RUNNING,
        /** Clients are stopped; the replica waits until it has what every other one had executed. */
        STOPPED,
        /** The replica has reported its log; the replicas agree on the set. */
        AGREEING,
        /** The set is agreed; the replica fetches what it lacks. */
        FETCHING
    }
}
