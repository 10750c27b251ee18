package org.aspas.certify.wire;

import java.util.Optional;
import org.aspas.certify.identity.ClientId;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;

/**
 * A server's word that it will not do what was asked. It proves nothing and is not signed.
 *
 * @param client the client of the request that is refused; {@link ClientId#NOBODY} for all else
 * @param reference the request number or nonce that is refused; 0 when the frame as a whole is meant
 * @param read whether the reference is a nonce: of a read, an inspection, a question for the standing or a complaint
 * @param reason why, for programs
 * @param detail why, for people: one sentence
 */
public record Refusal(ClientId client, long reference, boolean read, Reason reason, String detail) implements Message {
    private static final Item<Reason> REASON = Item.constant(Reason.class);

    static final Schema<Refusal> SCHEMA = items -> new Refusal(
            items.client(Refusal::client),
            items.natural(Refusal::reference),
            items.bool(Refusal::read),
            items.of(REASON, Refusal::reason),
            items.text(Refusal::detail));

    /** A refusal of a read or a question, or with reference 0 of a frame as a whole. */
    public Refusal(long reference, boolean read, Reason reason, String detail) {
        this(ClientId.NOBODY, reference, read, reason, detail);
    }

    /** Why a server refuses. Each has a fixed number on the wire: its ordinal. */
    public enum Reason {
        /** The bytes are no message of the protocol. */
        MALFORMED,
        BAD_SIGNATURE,
        /** The descriptor does not admit this client. */
        UNKNOWN_CLIENT,
        /** No session was opened on this connection, or by another client. */
        NO_SESSION,
        /** The number was used with other content. */
        NUMBER_REUSED,
        /** An earlier number has not reached this server yet. */
        BEHIND,
        /** The object has another datatype, or the type does not exist. */
        WRONG_TYPE,
        /** The operation does not fit its datatype. */
        BAD_OPERATION,
        /** Something is larger or more than the limits allow. */
        TOO_LARGE,
        /** The server holds no certificate yet that could answer. */
        NO_CERTIFICATE,
        /** The server cannot take more for now. */
        BUSY,
        /** Inspections, standings, verdicts, or values without a session were asked for faster than they may be. */
        TOO_OFTEN,
        /** The client is refused for a time, because of evidence that was false by its signatures alone. */
        FALSE_COMPLAINTS,
        /** This incarnation of the client is refused for good: it signed two contents under one number. */
        EXCLUDED,
        /** The certificate of which a page was asked for is no more remembered: a newer one is to be read from its start. */
        MOVED_ON,
        /** The server may have signed what it no longer holds: it takes no part any more, and blames nobody. */
        AMNESIAC,
        /** The server is about to end, and has answered what came before: its clients go on at another one, and blame nobody. */
        DRAINING
    }

    /**
     * What an object is where a refusal because of its datatype names that, in words for people: {@code a set, not a counter}. On the
     * wire the types have their own names.
     *
     * @param wanted the name of the datatype that the object was taken for
     * @return the words; empty when the refusal names no other datatype
     */
    public static Optional<String> otherType(String detail, String wanted) {
        return DataTypes.all().stream()
                .map(DataType::name)
                .filter(other -> !other.equals(wanted) && detail.endsWith(other))
                .findFirst()
                .map(other -> "a " + DataTypes.noun(other) + ", not a " + DataTypes.noun(wanted));
    }
}
