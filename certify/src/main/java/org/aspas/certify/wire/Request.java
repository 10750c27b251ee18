package org.aspas.certify.wire;

import org.aspas.certify.identity.ClientId;
import org.aspas.crdt.value.Operation;

/**
 * REQUEST (paper §3.4): one update of one object, signed by the client. It names no session and no server, so that the
 * same bytes can be given to another appserver; client and number have one effect for ever.
 *
 * @param number from 1, contiguous per client
 * @param key the object, 1 to {@code Limits.keyBytes} bytes of UTF-8
 * @param type the name of the object's datatype, such as {@code pn-counter}
 */
public record Request(ClientId client, long number, String key, String type, Operation operation)
        implements ClientSigned {
    static final Item<Signed<Request>> SIGNED = Item.signed(Request.class);

    static final Schema<Request> SCHEMA = items -> new Request(
            items.client(Request::client),
            items.positive(Request::number),
            items.text(Request::key),
            items.text(Request::type),
            items.of(Item.OPERATION, Request::operation));
}
