package org.aspas.emulab.sim.world;

/**
 * What one direction of a link does to messages.
 *
 * @param delayMicros how long a message takes at least, in microseconds, 0 or more
 * @param jitterMicros how much longer it may take, in microseconds, 0 or more; equally likely in between
 * @param bitsPerSecond how fast bytes enter the link; 0 for no bound
 */
public record LinkQuality(long delayMicros, long jitterMicros, long bitsPerSecond) {
    /** No delay, no bound. */
    public static final LinkQuality NONE = new LinkQuality(0, 0, 0);

    /** The same, slower by so many microseconds. */
    public LinkQuality slower(long micros) {
        return new LinkQuality(delayMicros + micros, jitterMicros, bitsPerSecond);
    }

    /** How long so many bytes take to enter the link, in nanoseconds. */
    public long transmissionNanos(long bytes) {
        return bitsPerSecond == 0 ? 0 : Math.multiplyExact(bytes, 8_000_000_000L) / bitsPerSecond;
    }
}
