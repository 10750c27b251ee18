package org.aspas.appserver.core.state;

import java.util.List;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;

/** What the shell must do for an appserver, in the order given. Sending is best effort; persisting is not. */
public sealed interface Effect {
    /** Send a message to a client, as a plain frame. A connection that is gone is no error. */
    record ToClient(ConnectionId connection, Message message) implements Effect {}

    /** Send a signed message to a client. A connection that is gone is no error. */
    record ToClientSigned(ConnectionId connection, Signed<? extends Message> signed) implements Effect {}

    /**
     * End a client's connection after what was sent before.
     *
     * @param reason why, in words fit for a log and for the client
     */
    record CloseClient(ConnectionId connection, String reason) implements Effect {}

    record ToNode(NodeId to, Message message) implements Effect {}

    record ToNodeSigned(NodeId to, Signed<? extends Message> signed) implements Effect {}

    /**
     * Append a record to the stable store and report {@link Event.Persisted} when it is durable. Records may be written
     * in groups; reporting only the last ticket of a group is enough.
     *
     * @param record opaque bytes, to be given back in the same order to {@link org.aspas.appserver.core.AppServerCore#recover}
     */
    record Persist(Ticket ticket, byte[] record) implements Effect {}

    /**
     * Make the base this image, with all that was certified before it; later images replace earlier ones that were not written yet. Nothing waits
     * for it, and it need not be durable before the shell deletes records: then the base must be at least at this certificate.
     *
     * @param held whether the base holds exactly this already; without one such image first, what the base holds is not of this server
     */
    record Keep(BaseImage image, boolean held) implements Effect {}

    /**
     * Tell the part of the shell that opened a batch what became of it.
     *
     * @param batch the batch of an {@link Event.NodeBatch}
     * @param size how many entries of the origin are accepted now; 0 for no such origin
     */
    record BatchJudged(OpenBatch batch, BatchOutcome outcome, long size) implements Effect {}

    /** Tell who watches objects ({@link Event.Watch}) what happened to them, in this order. */
    record ObjectsChanged(List<ObjectChange> changes) implements Effect {
        public ObjectsChanged {
            changes = List.copyOf(changes);
        }
    }

    /** What is done with hashes of leaves that the core keeps no longer itself; docs/durability.md, "Hashes of leaves". */
    sealed interface OfLeaves extends Effect {}

    /**
     * Keep a block of hashes for {@link LoadLeaves}. It need be neither durable nor safe: a block that is missing or damaged when it
     * is asked for is refused, and nothing else follows.
     *
     * @param block the hashes; blocks of a log begin at multiples of their length
     */
    record KeepLeaves(int origin, LeafBlock block) implements OfLeaves {}

    /**
     * Give back a block of hashes, by exactly one {@link Event.LeavesLoaded}.
     *
     * @param first the position of the block's first leaf
     */
    record LoadLeaves(int origin, long first) implements OfLeaves {}

    /**
     * Blocks all of whose leaves lie before a place are not asked for any more.
     *
     * @param before how many leaves
     */
    record DropLeaves(int origin, long before) implements OfLeaves {}

    /** Tell the operator that an assumption is broken or this server cannot vouch for its state. */
    record Raise(Alarm alarm) implements Effect {}
}
