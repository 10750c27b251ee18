package org.aspas.client.core;

import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Refusal;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** An event about a client's updates or servers, for the application (docs/protocol.md §6-§9). All events are immutable. */
public sealed interface ClientEvent {
    /**
     * Every update of this client up to a number is confirmed, and so is every update that earlier clients with the key left.
     *
     * @param number the request number, from 0
     * @param certificate the number of the certificate that confirms them
     */
    record Confirmed(long number, CertificateNumber certificate) implements ClientEvent {}

    /**
     * An update failed but may still take effect: it stays in the window of τ, and the client sends the same bytes under the same number
     * to its servers until the update is confirmed. An application that wants the effect should wait, because calling again may apply
     * it twice.
     *
     * @param client the client that numbered it: this one, or an earlier one with the key
     */
    record MayTakeEffect(ClientId client, long number, String key, String type, Operation operation, Failure why)
            implements ClientEvent {}

    /**
     * A confirmed update has no effect and never will; it only uses up its number. The client learns of this from a server's hint, so a
     * missing event proves nothing, whereas a certified read of the object does.
     *
     * @param client the client that numbered it: this one, or an earlier one with the key
     * @param type the datatype that the update was issued for
     * @param reason {@code WRONG_TYPE}: the object has another datatype; {@code BAD_OPERATION}: the operation did not fit the object,
     *     which may have been full
     * @param certificate the number of the certificate that proves this, or that confirms the update
     * @param proved whether this is proved against that certificate, as for {@code WRONG_TYPE}. Otherwise f+1 servers, at least one of
     *     them correct (or the one server that the client stays with), refused the update before it was confirmed, and it did take
     *     effect if there was room by then
     */
    record WithoutEffect(
            ClientId client,
            long number,
            String key,
            String type,
            Operation operation,
            Refusal.Reason reason,
            CertificateNumber certificate,
            boolean proved)
            implements ClientEvent {}

    /**
     * The server that answered these updates was excluded, and its entries for them lie beyond the cut. The client sends the updates to
     * another server by itself, and they take effect once that server has entered them.
     *
     * @param updates in order of their numbers
     */
    record Revoked(List<RevokedUpdate> updates) implements ClientEvent {
        public Revoked {
            updates = List.copyOf(updates);
        }
    }

    /**
     * One revoked update.
     *
     * @param client the client that numbered it: this one, or an earlier one with the key
     * @param dot the place among the excluded server's entries that the update has lost
     */
    record RevokedUpdate(ClientId client, long number, Dot dot, String key, String type, Operation operation) {}

    /**
     * The client went back to certified values after a switch. These are the values of the objects that its unconfirmed updates touch;
     * anything else that the old server showed of these objects may have been false.
     *
     * @param certificate the lowest certificate that one of the values is proved against; {@link CertificateNumber#NONE} without values
     * @param values in order of their keys
     * @param complete whether every touched object is among the values
     */
    record RolledBack(CertificateNumber certificate, List<CertifiedValue> values, boolean complete)
            implements ClientEvent {
        public RolledBack {
            values = List.copyOf(values);
        }
    }

    /** A value with the number of the certificate that it is proved against. */
    record CertifiedValue(String key, String type, Value value, CertificateNumber certificate) {}

    /** The client sent unconfirmed updates to another server: the same bytes in the same order. */
    record Resubmitted(List<Long> numbers, int server) implements ClientEvent {
        public Resubmitted {
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * The client moved to another server.
     *
     * @param from the old server's index
     * @param to the new server's index
     * @param why the kind of reason
     * @param detail the reason as one sentence for people
     */
    record Switched(int from, int to, Why why, String detail) implements ClientEvent {}

    /** The client holds evidence against a server and sends it to the others. */
    record Complained(int server, Kind kind, Hash evidence) implements ClientEvent {}

    /** A server was convicted, by f+1 equal verdicts or by a certificate; this client never uses it again. */
    record Convicted(int server, Hash evidence) implements ClientEvent {}

    /** The reason for leaving a server. Only {@link #CONVICTED} means that it is guilty; some reasons are mere doubts ({@link #doubt}). */
    enum Why {
        /** A certificate covers an update, but the server does not send the proof of inclusion. */
        WITHHELD,
        /** f+1 other servers do not hold an update that is old enough. */
        NOT_SPREAD,
        /** A message from the server failed a check. */
        NOT_VERIFIED,
        /** f+1 other servers cannot tell whether an answer was right. */
        NOT_INSPECTABLE,
        /** The server refuses a request that it has to accept. */
        REFUSED,
        /** The server announced that it is shutting down. */
        DRAINING,
        /** The server cannot be used, although others respond. */
        UNREACHABLE,
        /** The server leaves an update or a read unanswered, although others respond. */
        UNANSWERED,
        /** The server has been slow for a long time, and others respond much faster. */
        SLOW,
        /** The server has reported for a long time that it lacks an earlier update. */
        BEHIND,
        /** The server's certificates have been older than those of others for a long time. */
        STALE,
        /** f+1 servers or a certificate found the server guilty. */
        CONVICTED,
        /** The application chose another server. */
        CHOSEN;

        /** Returns whether only this server fails to respond: a cheap doubt, because few updates are in flight. */
        public boolean unresponsive() {
            return this == UNREACHABLE || this == UNANSWERED;
        }

        /** Returns whether an honest but slow server can also cause this reason. */
        public boolean doubt() {
            return switch (this) {
                case WITHHELD, NOT_SPREAD, NOT_INSPECTABLE, UNREACHABLE, UNANSWERED, SLOW, BEHIND, STALE -> true;
                case NOT_VERIFIED, REFUSED, DRAINING, CONVICTED, CHOSEN -> false;
            };
        }
    }
}
