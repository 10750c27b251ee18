package org.aspas.appserver.actor;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Which keys were used in the last few seconds: their objects are in memory. It has a fixed size, and so forgets keys; and of two keys with
 * one hash it takes one for the other, seldom. Thread-safe.
 */
final class RecentKeys {
    /** For so long an object that was used stays in memory, as a rule: the ones that go are those that were longest unused. */
    static final int SECONDS = 4;

    private static final int PLACES = 1 << 15;
    /** 2^32 by the golden ratio: hashes of like keys lie far apart. */
    private static final int SPREAD = 0x9e3779b9;

    private static final long SET = 1L << 31;
    private static final long MOST_SECONDS = SET - 1;
    private static final int PLACE_SHIFT = Integer.numberOfLeadingZeros(PLACES) + 1;

    /** In each place the hash of a key (high 32 bits), and the second when it was used (low 31 bits, below one that is set). */
    private final AtomicLongArray places = new AtomicLongArray(PLACES);

    private final LongSupplier nanos;

    /**
     * No keys.
     *
     * @param nanos the time as {@link System#nanoTime()} tells it
     */
    RecentKeys(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Notes that a key is used now; whether it was not used in the last {@value #SECONDS} seconds, as far as is known. */
    boolean isNew(String key) {
        int hash = key.hashCode() * SPREAD;
        long now = TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong()) & MOST_SECONDS;
        // Never 0, as an empty place is.
        long used = (long) hash << 32 | SET | now;
        int place = hash >>> PLACE_SHIFT;
        long before = places.get(place);
        if (before != used) {
            places.set(place, used);
        }
        return before >>> 32 != used >>> 32 || before == 0 || (now - before & MOST_SECONDS) > SECONDS;
    }
}
