package org.aspas.certify.message;

import org.aspas.certify.identity.Hash;

/**
 * The first frame of an appserver on a client connection, so that a stale descriptor is noticed before anything else.
 *
 * @param deployment the deployment id
 * @param server the appserver's index
 */
public record Hello(Hash deployment, int server) implements Message {
    @Override
    public Kind kind() {
        return Kind.HELLO;
    }
}
