package org.aspas.appserver.core.snapshot;

import org.aspas.certify.bound.TokenBucket;

/**
 * How many bytes of answers somebody may get. An answer is given while anything is left, and counts when its length is known: what
 * it takes too much comes off what follows. For one thread.
 */
final class ByteBudget {
    /** An answer counts so many bytes at least: also a short one costs a look at the state. */
    static final long LEAST = 64 << 10;

    private final TokenBucket bytes;

    /** A full budget, in bytes. */
    ByteBudget(long atOnce, long perSecond) {
        this.bytes = new TokenBucket(atOnce, perSecond, Long.MIN_VALUE / 2);
    }

    /** Whether an answer may be given at this time, in milliseconds; if so, it has to be, and {@link #gave} says how long it was. */
    boolean mayGive(long now) {
        return bytes.take(now);
    }

    void gave(long length) {
        bytes.overdraw(Math.max(length, LEAST) - 1);
    }
}
