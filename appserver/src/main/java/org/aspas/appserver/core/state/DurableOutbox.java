package org.aspas.appserver.core.state;

import java.util.List;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.step.Outbox;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotChunk;

/**
 * Collects the effects of a step. What is sent waits until all records that were issued before it are durable: nothing
 * leaves the server that a crash could make untrue. For the core's parts; not for shells.
 */
public final class DurableOutbox {
    private static final int MOST_TOPICS = 1024;
    /** Stands for all servers: nothing to them leaves early. */
    private static final Object NODES = "nodes";

    /** Beyond so many bytes that wait for durability the server is busy. */
    private static final long MOST_WAITING_BYTES = 64L << 20;

    /** Beyond so many no part of a snapshot is given away: it would wait in memory. */
    private static final long MOST_WAITING_FOR_PARTS = 8L << 20;

    /** What a part of a snapshot counts, in bytes: about as long as it may be. */
    private static final long PART = 256 << 10;

    /** What a message without values and entries counts, in bytes. */
    private static final long SMALL = 256;

    private final Outbox<Effect> outbox = new Outbox<>(DurableOutbox::bytes);
    private final Counters counters;
    private final BoundedMap<Object, Alarm> alarmed = new BoundedMap<>(MOST_TOPICS);
    private boolean replaying;
    private long recordedBytes;
    private Ticket written = Ticket.NONE;
    /** Whether answers may wait that need only written records. */
    private boolean early;

    /** An empty outbox that counts alarms. */
    public DurableOutbox(Counters counters) {
        this.counters = counters;
    }

    /** While on, nothing is emitted: what happens is the repetition of what a store has kept. */
    public void replaying(boolean on) {
        replaying = on;
    }

    public void persist(byte[] record) {
        if (!replaying) {
            recordedBytes += record.length;
            outbox.now(new Effect.Persist(outbox.issue(), record));
        }
    }

    /** How many bytes the records have that were appended since the start. */
    public long recordedBytes() {
        return recordedBytes;
    }

    /** Gives the base an image to keep, at once: nothing waits for it. */
    public void keep(Effect.Keep image) {
        if (!replaying) {
            outbox.now(image);
        }
    }

    /** Sends to a client once all is durable. */
    public void client(ConnectionId connection, Message message) {
        send(new Effect.ToClient(connection, message));
    }

    /** Sends a signed message to a client once all is durable. */
    public void client(ConnectionId connection, Signed<? extends Message> message) {
        send(new Effect.ToClientSigned(connection, message));
    }

    /** Ends a client's connection after what was sent before. */
    public void close(ConnectionId connection, String reason) {
        send(new Effect.CloseClient(connection, reason));
    }

    /** Sends to a server once all is durable. */
    public void node(NodeId to, Message message) {
        send(new Effect.ToNode(to, message));
    }

    /** Sends a signed message to a server once all is durable. */
    public void node(NodeId to, Signed<? extends Message> message) {
        send(new Effect.ToNodeSigned(to, message));
    }

    /** Tells the operator at once, of one topic once only. Topics are forgotten, the oldest first, beyond 1,024. */
    public void alarm(Alarm alarm) {
        counters.count("alarms");
        if (!replaying && alarmed.putIfAbsent(alarm.topic(), alarm) == null) {
            outbox.now(new Effect.Raise(alarm));
        }
    }

    /** Tells the shell of objects that it watches, once all is durable. */
    public void objects(List<ObjectChange> changes) {
        send(new Effect.ObjectsChanged(changes));
    }

    /** Asks the shell at once to keep or give back hashes of leaves. */
    public void leaves(Effect.OfLeaves effect) {
        outbox.now(effect);
    }

    /** Tells the shell at once what became of a batch that it opened. */
    public void judged(Effect.BatchJudged judged) {
        outbox.now(judged);
    }

    /** How many effects wait for durability. */
    public int waiting() {
        return outbox.waiting();
    }

    /**
     * Whether so much waits for durability, in effects or in bytes, that nothing should be added to it for the asking.
     */
    public boolean full(int most) {
        return outbox.waiting() > most || outbox.waitingBytes() > MOST_WAITING_BYTES;
    }

    /** Whether so little waits for durability that parts of a snapshot may be added to it. */
    public boolean roomForParts() {
        return outbox.waitingBytes() <= MOST_WAITING_FOR_PARTS;
    }

    /** The records up to a ticket are durable. */
    public void persisted(Ticket ticket) {
        outbox.persisted(ticket);
    }

    /** The records up to a ticket are written, and not durable yet: answers to updates wait for no more. */
    public void written(Ticket ticket) {
        written = ticket;
        early = true;
    }

    public List<Effect> take() {
        if (early) {
            outbox.release(written, DurableOutbox::answersUpdate, DurableOutbox::receiver);
            early = false;
        }
        return outbox.take();
    }

    private void send(Effect effect) {
        if (!replaying) {
            outbox.afterRecords(effect);
            early |= !written.equals(Ticket.NONE) && answersUpdate(effect);
        }
    }

    private static boolean answersUpdate(Effect effect) {
        return effect instanceof Effect.ToClient toClient
                && toClient.message() instanceof Answer answer
                && answer.response().message().isUpdate();
    }

    private static Object receiver(Effect effect) {
        if (effect instanceof Effect.ToClient toClient) {
            return toClient.connection();
        }
        if (effect instanceof Effect.ToClientSigned toClient) {
            return toClient.connection();
        }
        return effect instanceof Effect.CloseClient close ? close.connection() : NODES;
    }

    /** About how long an effect's message is: what somebody else can make long is counted. */
    private static long bytes(Effect effect) {
        if (effect instanceof Effect.ToClient toClient && toClient.message() instanceof Answer answer) {
            return SMALL + answer.response().payload().length;
        }
        if (effect instanceof Effect.ToClient toClient && toClient.message() instanceof Confirmation confirmation) {
            return SMALL + SMALL * confirmation.covered().size();
        }
        if (effect instanceof Effect.ToNode toNode && toNode.message() instanceof Batch batch) {
            return SMALL + length(batch.entries());
        }
        if (effect instanceof Effect.ToNode toNode && toNode.message() instanceof CertifiedEntries entries) {
            return SMALL + length(entries.entries());
        }
        boolean part = (effect instanceof Effect.ToNode toNode && toNode.message() instanceof SnapshotChunk)
                || (effect instanceof Effect.ToClient toClient && toClient.message() instanceof SnapshotChunk);
        return part ? PART : SMALL;
    }

    private static long length(List<byte[]> entries) {
        return entries.stream().mapToLong(entry -> entry.length).sum();
    }
}
