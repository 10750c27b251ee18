package org.aspas.certify.wire;

import org.aspas.certify.identity.ClientId;

/**
 * COMPLAIN (paper §3.6; the protocol page, §8): a client brings evidence to an appserver. Servers hand evidence on
 * without it, as it stands.
 *
 * @param nonce the client's name for this complaint, from the same numbers as its reads
 */
public record Complain(ClientId client, long nonce, Evidence evidence) implements ClientQuestion {
    static final Schema<Complain> SCHEMA = items -> new Complain(
            items.client(Complain::client),
            items.natural(Complain::nonce),
            items.of(Item.EVIDENCE, Complain::evidence));
}
