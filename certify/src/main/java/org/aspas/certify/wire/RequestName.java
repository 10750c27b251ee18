package org.aspas.certify.wire;

import org.aspas.certify.identity.ClientId;

/**
 * What no two contents may share: the client that numbered a request, which is one start with its key, and the number.
 */
public record RequestName(ClientId client, long number) {
    public static RequestName of(Request request) {
        return new RequestName(request.client(), request.number());
    }
}
