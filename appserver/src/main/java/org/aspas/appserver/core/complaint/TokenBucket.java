package org.aspas.appserver.core.complaint;

/** So many at once, and so many each second after that. For one thread. */
final class TokenBucket {
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
    TokenBucket(long capacity, long perSecond, long now) {
        this.capacity = capacity * MILLIS;
        this.perSecond = perSecond;
        this.thousandths = this.capacity;
        this.filledAt = now;
    }

    /** Takes one, if there is one. */
    boolean take(long now) {
        if (now > filledAt) {
            long elapsed = Math.min(now - filledAt, capacity);
            thousandths = Math.min(capacity, thousandths + elapsed * perSecond);
            filledAt = now;
        }
        if (thousandths < MILLIS) {
            return false;
        }
        thousandths -= MILLIS;
        return true;
    }
}
