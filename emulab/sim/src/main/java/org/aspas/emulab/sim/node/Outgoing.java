package org.aspas.emulab.sim.node;

import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;

/** One thing that leaves an appserver. */
public sealed interface Outgoing {
    /**
     * A frame for a server.
     *
     * @param to the other server
     * @param frame the frame
     * @param late how much later than usual it leaves, in microseconds
     */
    record ToNode(NodeId to, Frame frame, long late) implements Outgoing {}

    /**
     * Any bytes for a server.
     *
     * @param to the other server
     * @param bytes the bytes
     */
    record BytesToNode(NodeId to, byte[] bytes) implements Outgoing {}

    /**
     * A frame for a client.
     *
     * @param connection the client's connection
     * @param frame the frame
     */
    record ToClient(ConnectionId connection, Frame frame) implements Outgoing {}

    /**
     * Any bytes for a client.
     *
     * @param connection the client's connection
     * @param bytes the bytes
     */
    record BytesToClient(ConnectionId connection, byte[] bytes) implements Outgoing {}
}
