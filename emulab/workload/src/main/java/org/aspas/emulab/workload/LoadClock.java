package org.aspas.emulab.workload;

import java.util.concurrent.locks.LockSupport;

/** The time by which a generator goes. */
interface LoadClock {
    LoadClock SYSTEM = new LoadClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleepUntil(long nanos) throws InterruptedException {
            for (long left = nanos - nanos(); left > 0; left = nanos - nanos()) {
                LockSupport.parkNanos(left);
                if (Thread.interrupted()) {
                    throw new InterruptedException("while waiting for the next operation's time");
                }
            }
        }
    };

    /** Now, as {@link System#nanoTime} tells it. */
    long nanos();

    /** Returns at that moment or later; at once if it is over. */
    void sleepUntil(long nanos) throws InterruptedException;
}
