package org.aspas.client.core.read;

import java.util.TreeSet;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.core.port.Event;
import org.aspas.client.core.step.Servers;
import org.jspecify.annotations.Nullable;

/** A read that has not ended. */
final class PendingRead {
    final long nonce;
    final Event.ReadAsked asked;
    final long deadline;
    final Reads.Receiver receiver;
    /** As it was sent last; null when it has to be sent. */
    @Nullable
    Read sent;
    /** When the present server was first given it; negative for not yet. */
    long givenAt = -1;

    final TreeSet<Integer> refusedBy = new TreeSet<>();

    PendingRead(long nonce, Event.ReadAsked asked, long deadline, Reads.Receiver receiver) {
        this.nonce = nonce;
        this.asked = asked;
        this.deadline = deadline;
        this.receiver = receiver;
    }

    /** The present server refuses it; whether f+1 servers have refused as much of the object of late, for whatever read. */
    boolean believed(Servers servers, Refusal.Reason reason) {
        return switch (reason) {
            case WRONG_TYPE -> servers.refuses(asked.key(), asked.type(), "", reason);
            case TOO_LARGE -> servers.refuses(asked.key(), asked.type(), kind(), reason);
            default -> false;
        };
    }

    /** What kind of read servers refuse as too large: of the whole value, of a page, or of an element. */
    private String kind() {
        ReadPart part = asked.part();
        return part == null ? "whole" : part.element() == null ? "page" : "element";
    }
}
