package org.aspas.emulab.sim.node;

import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;

/**
 * How an appserver behaves towards others, given what its correct core wants to do. Every method behaves correctly unless
 * a Byzantine role does otherwise. A behavior may hold the server's own key and those of colluders, and no other.
 */
public interface ByzantineBehavior {
    /** Where what leaves the server goes. */
    @FunctionalInterface
    interface Exit {
        void send(Outgoing what);

        /** Sends a frame to a server, so many microseconds late. */
        default void node(NodeId to, Frame frame, long late) {
            send(new Outgoing.ToNode(to, frame, late));
        }

        default void nodeBytes(NodeId to, byte[] bytes) {
            send(new Outgoing.BytesToNode(to, bytes));
        }

        default void client(ConnectionId connection, Message message) {
            send(new Outgoing.ToClient(connection, new Frame.Plain(message)));
        }

        default void clientSigned(ConnectionId connection, Signed<? extends Message> signed) {
            send(new Outgoing.ToClient(connection, new Frame.Sealed(signed)));
        }

        default void clientBytes(ConnectionId connection, byte[] bytes) {
            send(new Outgoing.BytesToClient(connection, bytes));
        }
    }

    /** How many cores run under this server's name: 1, or 2 for a server that signs two histories. */
    default int cores() {
        return 1;
    }

    /** Whether one of the cores is told of another server at all: of its session and its frames. */
    default boolean knows(int core, NodeId peer) {
        return true;
    }

    /** Whether one of the cores gets a frame from a client. */
    default boolean takes(int core, ConnectionId connection, Frame frame) {
        return true;
    }

    /** A core wants to send something. */
    default void wanted(int core, Outgoing due, Exit exit) {
        if (due instanceof Outgoing.ToNode node) {
            toNode(core, node.to(), node.frame(), exit);
        } else if (due instanceof Outgoing.ToClient client && client.frame() instanceof Frame.Plain plain) {
            toClient(core, client.connection(), plain.message(), exit);
        } else if (due instanceof Outgoing.ToClient client && client.frame() instanceof Frame.Sealed sealed) {
            toClientSigned(core, client.connection(), sealed.signed(), exit);
        } else {
            exit.send(due);
        }
    }

    /** A core wants to send to a server. */
    default void toNode(int core, NodeId to, Frame frame, Exit exit) {
        exit.node(to, frame, 0);
    }

    /** A core wants to send to a client. */
    default void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        exit.client(connection, message);
    }

    /** A core wants to send a signed message to a client: its answer to a question, an inspection, a complaint. */
    default void toClientSigned(int core, ConnectionId connection, Signed<? extends Message> signed, Exit exit) {
        exit.clientSigned(connection, signed);
    }

    /** What the cores get of a frame that came from a server. */
    default Frame incoming(NodeId from, Frame frame) {
        return frame;
    }

    /** A frame came from a server; the cores get it besides. */
    default void heard(NodeId from, Frame frame, Exit exit) {}

    default void tick(Exit exit) {}
}
