package org.aspas.emulab.sim.node;

import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.engine.SeededRandom;

/** How long messages take, in microseconds of virtual time. */
public interface Delays {
    long between(NodeId from, NodeId to, SeededRandom chance);

    /**
     * Between a client and an appserver, in either direction.
     *
     * @param client its index, which is its place
     */
    long toClient(int client, NodeId server, SeededRandom chance);

    /** From a bftserver that submits a command to the order, until the order begins with it. */
    long toOrder(int bftserver, SeededRandom chance);

    /** From the beginning of a command's ordering until a bftserver delivers it. */
    long toDelivery(int bftserver, SeededRandom chance);

    /** How long the order takes for one batch of commands before it begins the next; 0 when it begins at once. */
    long ordering();

    /** How long so many bytes take to enter the link from one server to another, in nanoseconds; 0 without a bound. */
    default long entryNanos(NodeId from, NodeId to, long bytes) {
        return 0;
    }

    /** How long so many bytes take to enter the link between a client and an appserver, in nanoseconds; 0 without a bound. */
    default long clientEntryNanos(int client, NodeId server, long bytes) {
        return 0;
    }
}
