package org.aspas.emulab.gatling;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * What a run is to do.
 *
 * @param tolerance the τ of users; over HTTP 1 for waiting for the certificate, else unbounded
 */
record FeedPlan(
        FeedTarget target, Transport transport, Load load, Content content, ToleranceShares tolerance, Limits limits) {
    /** How users reach the servers. */
    enum Transport {
        /** The JSON API: the server signs for its users, who trust it. */
        HTTP,
        /** The clients' protocol: users sign, and verify every answer. */
        WEBSOCKET
    }

    /**
     * How many users there are, and how long.
     *
     * @param users so many all the time (closed model); empty for the open model
     * @param pace in the closed model, the time from a user's operation to its next, if the first is over by then; zero for
     *     the next at once
     * @param rate in the open model, how many users arrive a second
     * @param operations in the open model, how much each of them does before it leaves
     * @param warmUp how long what users do is not counted with the rest
     */
    record Load(OptionalInt users, Duration pace, double rate, int operations, Duration warmUp, Duration measured) {
        /** From the first user to the last new one. */
        Duration whole() {
            return warmUp.plus(measured);
        }
    }

    /**
     * What users do.
     *
     * @param payload the length of a comment in bytes
     */
    record Content(FeedMix mix, int posts, int payload, long seed) {}

    /**
     * What is asserted.
     *
     * @param p99Millis the largest 99th percentile of updates and of reads; empty for any
     * @param errorPercent how many requests of a hundred may fail
     */
    record Limits(OptionalInt p99Millis, double errorPercent) {}
}
