package org.aspas.certify.bound;

/** So many at once, and so many in each period after that, such as a second. For one thread. */
public final class TokenBucket {
    private static final long SECOND_MILLIS = 1000;

    private final long capacity;
    private final long amount;
    private final long periodMillis;
    /** What is there, in parts of which a period's milliseconds make one whole. */
    private long parts;

    private long filledAt;

    /**
     * A full bucket.
     *
     * @param capacity how many at once, from 1
     * @param perSecond how many more each second, from 1
     * @param now the time in milliseconds
     */
    public TokenBucket(long capacity, long perSecond, long now) {
        this(capacity, perSecond, SECOND_MILLIS, now);
    }

    /**
     * A full bucket.
     *
     * @param capacity how many at once; with 0 there is never one
     * @param amount how many more in each period
     * @param periodMillis the period in milliseconds, from 1
     * @param now the time in milliseconds
     */
    public TokenBucket(long capacity, long amount, long periodMillis, long now) {
        this.capacity = capacity * periodMillis;
        this.amount = amount;
        this.periodMillis = periodMillis;
        this.parts = this.capacity;
        this.filledAt = now;
    }

    public boolean take(long now) {
        return take(1, now);
    }

    /** Takes so many, if there are so many; none otherwise. */
    public boolean take(long wanted, long now) {
        if (now > filledAt) {
            long elapsed = Math.min(now - filledAt, capacity);
            parts = Math.min(capacity, parts + elapsed * amount);
        }
        filledAt = now; // Also when it is earlier: a clock may begin below the time that the bucket was made with.
        if (parts < wanted * periodMillis) {
            return false;
        }
        parts -= wanted * periodMillis;
        return true;
    }

    /** Takes so many, whether they are there or not; what lacks has to come before anything can be taken again. */
    public void overdraw(long spent) {
        parts -= spent * periodMillis;
    }
}
