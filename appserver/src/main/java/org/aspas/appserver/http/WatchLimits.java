package org.aspas.appserver.http;

import java.time.Duration;

/**
 * The bounds of streams of {@code /v1/watch}.
 *
 * @param streams how many may be open at once, half of them from one address; at least 2
 * @param keysOfStream how many keys one may watch; at least 1
 * @param keys how many different keys all of them may watch; at least {@code keysOfStream}
 * @param queue how many events wait for one before the oldest is dropped; at least 1
 * @param heartbeat after how long without an event a stream says that it is there; above zero
 */
public record WatchLimits(int streams, int keysOfStream, int keys, int queue, Duration heartbeat) {
    public WatchLimits {
        if (streams < 2 || keysOfStream < 1 || keys < keysOfStream || queue < 1 || heartbeat.toMillis() < 1) {
            throw new IllegalArgumentException("bounds of watches out of range: " + streams + " streams, "
                    + keysOfStream + " keys of one, " + keys + " of all, " + queue + " events, " + heartbeat);
        }
    }

    /** 64 streams of 64 keys, 1,024 different ones, 128 events, 15 s. */
    public static WatchLimits defaults() {
        return new WatchLimits(64, 64, 1024, 128, Duration.ofSeconds(15));
    }
}
