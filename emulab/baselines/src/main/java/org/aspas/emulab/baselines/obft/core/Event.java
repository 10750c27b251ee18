package org.aspas.emulab.baselines.obft.core;

/** What happens to a replica. */
public sealed interface Event {
    /**
     * A client sent something.
     *
     * @param connection the shell's number of its connection
     */
    record ClientFrame(long connection, byte[] frame) implements Event {}

    /**
     * A replica sent something.
     *
     * @param replica who, as the link knows it
     */
    record ReplicaFrame(int replica, byte[] frame) implements Event {}

    record Tick() implements Event {}

    /** The operator wants a synchronisation now. */
    record Synchronise() implements Event {}
}
