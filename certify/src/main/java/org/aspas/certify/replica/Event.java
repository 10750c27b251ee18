package org.aspas.certify.replica;

import org.aspas.certify.identity.NodeId;
import org.aspas.certify.step.Ticket;

/** What happens to a bftserver. Commands come from strangers: the core verifies them, unless the shell has done so before. */
public sealed interface Event {
    /**
     * An appserver gave this bftserver a command, over a link whose identity the shell has authenticated.
     *
     * @param command any bytes; the shell asks {@link CommandAdmission} before, on a thread of its own, and drops what is
     *     not admitted
     */
    record Received(NodeId from, Command command) implements Event {}

    /**
     * Another bftserver gave this one a word of its own to be ordered, over a link whose identity the shell has authenticated.
     * It may never be ordered.
     *
     * @param word any bytes; the shell asks {@link CommandAdmission#hears} before, and drops the rest
     */
    record Heard(NodeId from, Command word) implements Event {}

    /** The replicated state has moved, by an ordered command or by a snapshot: the bftserver does what that asks of it. */
    record Advanced() implements Event {}

    /** A link to an appserver is up, for the first time or again; all that was sent before may be lost. */
    record Connected(NodeId appserver) implements Event {}

    /** The item with this ticket and all items before it are durable. */
    record Persisted(Ticket ticket) implements Event {}

    /** An item could not be made durable, and no item will be any more in this process. */
    record RecordFailed() implements Event {}

    /**
     * Time has passed; comes every {@link BftServerCore#tickMillis()} milliseconds.
     *
     * @param nowMillis a monotonic time in milliseconds from any origin
     * @param takesPart whether this bftserver takes part in the order now; what it submits otherwise is lost
     * @param leads whether it leads the order now, as far as it knows: what it submits is proposed one way sooner
     */
    record Tick(long nowMillis, boolean takesPart, boolean leads) implements Event {}
}
