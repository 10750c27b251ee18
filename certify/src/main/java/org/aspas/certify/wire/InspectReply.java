package org.aspas.certify.wire;

import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;

/**
 * INSPECTREPLY (paper §3.6; the protocol page, §7), signed by the server that recomputed the answer.
 *
 * @param answer the hash of the inspected RESPONSE's payload
 * @param roots the digest of all origin log roots at the version of the inspected answer; {@code Hash.ZERO} when unknown
 */
public record InspectReply(int server, ClientId client, long nonce, Hash answer, Hash roots, Outcome outcome)
        implements Message {
    static final Item<Signed<InspectReply>> SIGNED = Item.signed(InspectReply.class);

    private static final Item<Outcome> OUTCOME = Item.constant(Outcome.class);

    static final Schema<InspectReply> SCHEMA = items -> new InspectReply(
            items.index(InspectReply::server),
            items.client(InspectReply::client),
            items.natural(InspectReply::nonce),
            items.hash(InspectReply::answer),
            items.hash(InspectReply::roots),
            items.of(OUTCOME, InspectReply::outcome));

    /** What a recomputation gives. Each has a fixed number on the wire: its ordinal. */
    public enum Outcome {
        /** The same logs give the same value. */
        MATCH,
        /** The same logs give another value. */
        DIFFERS,
        /** Unknown: the server has not delivered that version yet. */
        NOT_DELIVERED,
        /** Unknown: the server no longer holds the state at the answer's certificate. */
        PRUNED,
        /** Unknown: the server's logs have other roots at that version: a possible fork. */
        ROOTS_DIFFER,
        /** Unknown: an origin of that version was cut since. */
        ORIGIN_CUT,
        /** Unknown: the value depends on the order of delivery, because of two contents under one number or two types under one key. */
        CONTESTED,
        /** Unknown: the server is off the certified log itself. */
        DIVERGED;

        /** Whether this says nothing about the answer. */
        public boolean unknown() {
            return this != MATCH && this != DIFFERS;
        }
    }
}
