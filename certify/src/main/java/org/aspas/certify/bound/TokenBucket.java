package org.aspas.certify.bound;

/** So many at once, and so many each second after that. For one thread. */
public final class TokenBucket {
    private static final long MILLIS = 1000;

    private final long capacity;
    private final long perSecond;
    private long thousandths;
    private long filledAt;

    /**
     * A full bucket.
     *
     * @param capacity how many at once, from 1
     * @param perSecond how many more each second, from 1
     * @param now the time in milliseconds
     */
    public TokenBucket(long capacity, long perSecond, long now) {
        this.capacity = capacity * MILLIS;
        this.perSecond = perSecond;
        this.thousandths = this.capacity;
        this.filledAt = now;
    }

    /** Takes one, if there is one. */
    public boolean take(long now) {
        return take(1, now);
    }

    /** Takes so many, if there are so many; none otherwise. */
    public boolean take(long amount, long now) {
        if (now > filledAt) {
            long elapsed = Math.min(now - filledAt, capacity);
            thousandths = Math.min(capacity, thousandths + elapsed * perSecond);
        }
        filledAt = now; // Also when it is earlier: a clock may begin below the time that the bucket was made with.
        if (thousandths < amount * MILLIS) {
            return false;
        }
        thousandths -= amount * MILLIS;
        return true;
    }
}
