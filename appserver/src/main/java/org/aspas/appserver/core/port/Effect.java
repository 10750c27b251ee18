package org.aspas.appserver.core.port;

import org.aspas.certify.durable.Ticket;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;

/** What the shell must do for an appserver, in the order given. Sending is best effort; persisting is not. */
public sealed interface Effect {
    /**
     * Send a message to a client, as a plain frame. A connection that is gone is no error.
     *
     * @param connection the connection
     * @param message the message
     */
    record ToClient(ConnectionId connection, Message message) implements Effect {}

    /**
     * Send a signed message to a client. A connection that is gone is no error.
     *
     * @param connection the connection
     * @param signed the message with this server's signature
     */
    record ToClientSigned(ConnectionId connection, Signed<? extends Message> signed) implements Effect {}

    /**
     * End a client's connection after what was sent before.
     *
     * @param connection the connection
     * @param reason why, in words fit for a log and for the client
     */
    record CloseClient(ConnectionId connection, String reason) implements Effect {}

    /**
     * Send a plain message to another server.
     *
     * @param to the other server
     * @param message the message
     */
    record ToNode(NodeId to, Message message) implements Effect {}

    /**
     * Send a signed message to another server.
     *
     * @param to the other server
     * @param signed the message with this server's signature
     */
    record ToNodeSigned(NodeId to, Signed<? extends Message> signed) implements Effect {}

    /**
     * Append a record to the stable store and report {@link Event.Persisted} when it is durable. Records may be written
     * in groups; reporting only the last ticket of a group is enough.
     *
     * @param ticket the record's
     * @param record opaque bytes, to be given back in the same order to {@link org.aspas.appserver.core.AppServerCore#recover}
     */
    record Persist(Ticket ticket, byte[] record) implements Effect {}

    /**
     * Tell the part of the shell that opened a batch what became of it.
     *
     * @param batch the batch of an {@link Event.NodeBatch}
     * @param outcome what became of it
     * @param size how many entries of the origin are accepted now; 0 for no such origin
     */
    record BatchJudged(OpenBatch batch, BatchOutcome outcome, long size) implements Effect {}

    /**
     * Tell the operator that an assumption is broken or this server cannot vouch for its state.
     *
     * @param alarm what there is to know
     */
    record Raise(Alarm alarm) implements Effect {}
}
