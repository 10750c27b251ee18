package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;

/**
 * The first frame of an appserver on a client connection, so that a stale descriptor is noticed before anything else.
 */
public record Hello(Hash deployment, int server) implements Message {
    static final Schema<Hello> SCHEMA = items -> new Hello(items.hash(Hello::deployment), items.index(Hello::server));
}
