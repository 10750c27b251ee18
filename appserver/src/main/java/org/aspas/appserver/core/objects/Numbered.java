package org.aspas.appserver.core.objects;

import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Request;

/** A client's request number, under which there is one effect for ever. */
record Numbered(ClientId client, long number) {
    static Numbered of(Request request) {
        return new Numbered(request.client(), request.number());
    }
}
