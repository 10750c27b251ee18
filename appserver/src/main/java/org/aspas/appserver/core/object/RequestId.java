package org.aspas.appserver.core.object;

import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Request;

/** A client's request number, under which there is one effect for ever. */
record RequestId(ClientId client, long number) {
    static RequestId of(Request request) {
        return new RequestId(request.client(), request.number());
    }
}
