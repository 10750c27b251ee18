package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;

/**
 * The size and root of an origin log, signed by the origin (the protocol page, §2). Two signed heads of one origin with
 * equal size and different roots prove a fork.
 *
 * @param origin the appserver whose log it is
 * @param root the RFC 9162 root over them
 */
public record Head(int origin, long size, Hash root) implements Message {
    @Override
    public Kind kind() {
        return Kind.HEAD;
    }
}
