package org.aspas.appserver.core.state;

import java.util.Set;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Frame;
import org.jspecify.annotations.Nullable;

/** What happens to an appserver. Frames come from strangers; the shell has decoded them, and need verify nothing. */
public sealed interface Event {
    /**
     * A client connected. The core answers with its greeting.
     *
     * @param connection the connection, which no event named before
     */
    record ClientOpened(ConnectionId connection) implements Event {}

    /**
     * A client sent a frame.
     *
     * @param connection the connection, opened before
     */
    record ClientFrame(ConnectionId connection, Frame frame) implements Event {}

    record ClientGone(ConnectionId connection) implements Event {}

    /** Another server sent a frame over a link whose identity the shell has authenticated. */
    record NodeFrame(NodeId from, Frame frame) implements Event {}

    /** Another server sent a batch, as {@link NodeFrame} tells of any frame; its entries may be decoded already. */
    record NodeBatch(NodeId from, OpenBatch batch) implements Event {}

    /** A link to another server is up, for the first time or again; all that was sent before may be lost. */
    record NodeConnected(NodeId node) implements Event {}

    record NodeGone(NodeId node) implements Event {}

    /** The record with this ticket and all records before it are durable. */
    record Persisted(Ticket ticket) implements Event {}

    /** Replaces the set of objects of which the shell wants to be told ({@link Effect.ObjectsChanged}). */
    record Watch(Set<String> keys) implements Event {
        public Watch {
            keys = Set.copyOf(keys);
        }
    }

    /** The server is about to end: it enters nothing more, and sends its clients to other servers. It goes on with its peers. */
    record Drain() implements Event {}

    /**
     * The record with this ticket and all records before it survive the end of the process, and perhaps not that of the machine.
     * A shell tells that only where the operator chose that answers to updates wait for no more than this.
     */
    record Written(Ticket ticket) implements Event {}

    /**
     * The answer to {@link Effect.LoadLeaves}.
     *
     * @param first the position of the block's first leaf
     * @param block the block as it was kept; null when it is not there or cannot be read
     */
    record LeavesLoaded(int origin, long first, @Nullable LeafBlock block) implements Event {}

    /**
     * Time has passed; comes every 20 to 50 milliseconds.
     *
     * @param nowMillis a monotonic time in milliseconds from any origin
     * @param backlogPercent how long events wait for this core, from 0 for no time to 100: what can wait is done more seldom then
     */
    record Tick(long nowMillis, int backlogPercent) implements Event {
        public Tick {
            if (backlogPercent < 0 || backlogPercent > 100) {
                throw new IllegalArgumentException("backlogPercent = " + backlogPercent + " is outside 0..100");
            }
        }

        /** Time has passed, and nothing waits. */
        public Tick(long nowMillis) {
            this(nowMillis, 0);
        }
    }
}
