package org.aspas.certify.message;

import org.aspas.certify.identity.ClientId;

/**
 * What no two contents may share: the client that numbered a request, which is one start with its key, and the number.
 *
 * @param client who numbered it
 * @param number the request number, from 1
 */
public record RequestName(ClientId client, long number) {
    /** The name of a request. */
    public static RequestName of(Request request) {
        return new RequestName(request.client(), request.number());
    }
}
