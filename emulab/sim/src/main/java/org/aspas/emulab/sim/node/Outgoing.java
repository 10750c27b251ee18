package org.aspas.emulab.sim.node;

import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Frame;

/** One thing that leaves an appserver. */
public sealed interface Outgoing {
    /**
     * A frame for a server.
     *
     * @param late how much later than usual it leaves, in microseconds
     */
    record ToNode(NodeId to, Frame frame, long late) implements Outgoing {}

    /** Any bytes for a server. */
    record BytesToNode(NodeId to, byte[] bytes) implements Outgoing {}

    record ToClient(ConnectionId connection, Frame frame) implements Outgoing {}

    /** Any bytes for a client. */
    record BytesToClient(ConnectionId connection, byte[] bytes) implements Outgoing {}
}
