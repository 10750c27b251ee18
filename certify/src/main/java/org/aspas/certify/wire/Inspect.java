package org.aspas.certify.wire;

import org.aspas.certify.identity.ClientId;

/**
 * A client's signed request to recompute another server's answer (INSPECT, paper §3.6; the protocol page, §7).
 *
 * @param nonce the client's name for this inspection, from the same numbers as its reads
 * @param response the answer, as the inspected server signed it
 */
public record Inspect(ClientId client, long nonce, Signed<Response> response, Question question)
        implements ClientQuestion {
    static final Schema<Inspect> SCHEMA = items -> new Inspect(
            items.client(Inspect::client),
            items.natural(Inspect::nonce),
            items.of(Response.SIGNED, Inspect::response),
            items.of(Question.ITEM, Inspect::question));
}
