package org.aspas.appserver.core.broadcast;

/**
 * How much one peer may have for the asking: bytes of entries, so many at once and so many more each second, where every
 * question costs something even if nothing comes of it. The last answer may overdraw it. For one thread.
 */
final class PullBudget {
    private static final long ANSWERS_AT_ONCE = 16;
    private static final long ANSWERS_PER_SECOND = 32;
    private static final long QUESTIONS_PER_ANSWER = 64;
    private static final long MILLIS = 1000;

    private final long capacity;
    private final long perSecond;
    private final long question;
    private long left;
    private long filledAt;

    /**
     * A full budget.
     *
     * @param batchBytes the bytes of a full batch, by which all is measured
     */
    PullBudget(int batchBytes) {
        this.capacity = ANSWERS_AT_ONCE * batchBytes;
        this.perSecond = ANSWERS_PER_SECOND * batchBytes;
        this.question = batchBytes / QUESTIONS_PER_ANSWER + 1;
        this.left = capacity;
    }

    /** Takes the price of a question, if there is anything left at this time in milliseconds. */
    boolean ask(long now) {
        if (now > filledAt) {
            long elapsed = Math.min(now - filledAt, MILLIS);
            left = Math.min(capacity, left + elapsed * perSecond / MILLIS);
        }
        filledAt = now;
        if (left <= 0) {
            return false;
        }
        left -= question;
        return true;
    }

    /** Takes the price of what is answered. */
    void spend(Iterable<byte[]> entries) {
        for (byte[] entry : entries) {
            left -= entry.length;
        }
    }
}
