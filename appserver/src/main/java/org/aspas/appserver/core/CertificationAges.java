package org.aspas.appserver.core;

/** How long own entries have waited for their certificate, and how old the newest certificate is. For one thread. */
final class CertificationAges {
    private final CoreTime time;
    private final WaitingTimes ownWaiting = new WaitingTimes();
    private long adoptedAt;
    private boolean ticked;

    CertificationAges(CoreTime time) {
        this.time = time;
    }

    /**
     * Time has passed.
     *
     * @param own the size of the own log
     * @param certified how much of it is certified
     */
    void tick(long own, long certified) {
        ownWaiting.seen(own, time.now());
        ownWaiting.certified(certified);
        if (!ticked) {
            // What was adopted before there was a time counts from now on.
            ticked = true;
            adoptedAt = time.now();
        }
    }

    /** A certificate was adopted. */
    void adopted() {
        adoptedAt = time.now();
    }

    /** The age of the oldest own entry that is not certified, in milliseconds; 0 without one. */
    long oldestOwnMillis() {
        return ownWaiting.oldestMillis(time.now());
    }

    /** The time since a certificate was adopted, in milliseconds. */
    long certificateMillis() {
        return time.now() - adoptedAt;
    }
}
