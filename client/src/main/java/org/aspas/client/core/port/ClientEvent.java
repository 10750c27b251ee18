package org.aspas.client.core.port;

import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Refusal;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** What becomes of a client's updates and of its servers (the protocol page, docs/protocol.md §6-§9). */
public sealed interface ClientEvent {
    /**
     * Every update of this client up to a number is confirmed, and all that earlier clients with the key left.
     *
     * @param number the request number, from 0
     */
    record Confirmed(long number, CertificateNumber certificate) implements ClientEvent {}

    /**
     * An update did not go well, and may take effect all the same: it stays in the window of τ, and the client gives the same
     * bytes under the same number to its servers until it is confirmed. An application that wants the effect waits; one that
     * calls again may get it twice.
     *
     * @param client the client that numbered it: this one, or an earlier one with the key
     */
    record MayTakeEffect(ClientId client, long number, String key, String type, Operation operation, Failure why)
            implements ClientEvent {}

    /**
     * A confirmed update has no effect, and never gets one: it only takes its number. The event needs the hint of a server,
     * so that its absence proves nothing; a certified read of the object does.
     *
     * @param client the client that numbered it: this one, or an earlier one with the key
     * @param type the datatype that it was made for
     * @param reason {@code WRONG_TYPE}: another datatype has the key; {@code BAD_OPERATION}: it did not fit the object, which
     *     may have been full
     * @param certificate the number of the certificate that proves it, or else confirms the update
     * @param proved whether it is proved against that certificate, as for {@code WRONG_TYPE}; otherwise f+1 servers, of which
     *     one is correct (or the one server with which the client stays), refused it before it was confirmed, and it had an
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
     * The server that answered these updates was excluded, and its entries for them lie beyond the cut. They take effect
     * when another server has entered them again, which happens by itself.
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
     * @param dot the place that it no longer has
     */
    record RevokedUpdate(ClientId client, long number, Dot dot, String key, String type, Operation operation) {}

    /**
     * After a switch: the certified values of the objects that unconfirmed updates touch. Whatever else the old server
     * showed of them may never have been.
     *
     * @param certificate the lowest certificate that a value is proved against; none when there is no value
     * @param values in order of their keys
     * @param complete whether every touched object is among them
     */
    record RolledBack(CertificateNumber certificate, List<CertifiedValue> values, boolean complete)
            implements ClientEvent {
        public RolledBack {
            values = List.copyOf(values);
        }
    }

    /** A value that is proved against this certificate. */
    record CertifiedValue(String key, String type, Value value, CertificateNumber certificate) {}

    /** Unconfirmed updates go to another server, the same bytes in the same order. */
    record Resubmitted(List<Long> numbers, int server) implements ClientEvent {
        public Resubmitted {
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * The client turned to another server.
     *
     * @param detail one sentence for people
     */
    record Switched(int from, int to, Why why, String detail) implements ClientEvent {}

    /** The client holds evidence against a server and brings it to the others. */
    record Complained(int server, Kind kind, Hash evidence) implements ClientEvent {}

    /** A server is convicted, by f+1 equal verdicts or in a certificate; this client never turns to it again. */
    record Convicted(int server, Hash evidence) implements ClientEvent {}

    /** Why a client leaves a server. Only {@link #CONVICTED} is blame, and some are no more than doubt. */
    enum Why {
        /** A certificate covers an update, and the server does not prove it. */
        WITHHELD,
        /** f+1 other servers do not hold an update that is old enough. */
        NOT_SPREAD,
        /** A check of what it sent failed. */
        NOT_VERIFIED,
        /** f+1 others cannot say whether an answer was right. */
        NOT_INSPECTABLE,
        /** It refuses what it has to take. */
        REFUSED,
        /** It says that it is about to end. */
        DRAINING,
        /** It cannot be used, and others respond. */
        UNREACHABLE,
        /** It leaves an update or a read unanswered, and others respond. */
        UNANSWERED,
        /** It has answered late for long, and others respond much faster. */
        SLOW,
        /** It has said for long that it lacks an earlier update. */
        BEHIND,
        /** Its certificates have long been older than those of others. */
        STALE,
        CONVICTED,
        /** The application chose another one. */
        CHOSEN;

        /** Whether the server does not respond, and others do: a doubt that costs little, for few updates are on their way. */
        public boolean unresponsive() {
            return this == UNREACHABLE || this == UNANSWERED;
        }

        /** Whether an honest server that is slow may give this reason too. */
        public boolean doubt() {
            return switch (this) {
                case WITHHELD, NOT_SPREAD, NOT_INSPECTABLE, UNREACHABLE, UNANSWERED, SLOW, BEHIND, STALE -> true;
                case NOT_VERIFIED, REFUSED, DRAINING, CONVICTED, CHOSEN -> false;
            };
        }
    }
}
