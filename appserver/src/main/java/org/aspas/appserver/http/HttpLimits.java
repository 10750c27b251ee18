package org.aspas.appserver.http;

import java.time.Duration;

/**
 * The bounds of a server's door.
 *
 * @param maxFrameBytes the largest WebSocket message, in bytes; at least 1
 * @param maxBodyBytes the largest JSON body, in bytes; at least 1
 * @param clientQueue how many messages may wait for one client before its connection is closed; at least 1
 * @param maxAnswerBytes the largest message to a client, in bytes; a read whose answer is larger is refused; at least 1
 * @param clientQueueBytes how many bytes may wait for one client before its connection is cut; at least
 *     {@code maxAnswerBytes}
 * @param allQueueBytes how many bytes may wait for all clients together before the connection for which most wait is cut;
 *     at least {@code clientQueueBytes}
 * @param framesInFlight how many frames of one connection may wait for the core before the connection is read no
 *     further; at least 1
 * @param maxConnections how many TCP connections may be open at once; at least 1
 * @param jsonQueue how many JSON requests may wait at once; more are refused as busy; at least 1
 * @param answerTimeout how long a JSON request may wait for the core's answer; above zero
 * @param confirmTimeout how long {@code ?confirm=true} may wait for a certificate; above zero
 * @param frameTimeout how long one WebSocket message or JSON body may take to arrive; above zero
 */
public record HttpLimits(
        int maxFrameBytes,
        int maxBodyBytes,
        int clientQueue,
        int maxAnswerBytes,
        int clientQueueBytes,
        int allQueueBytes,
        int framesInFlight,
        int maxConnections,
        int jsonQueue,
        Duration answerTimeout,
        Duration confirmTimeout,
        Duration frameTimeout) {
    /** Checks every range. */
    public HttpLimits {
        check("maxFrameBytes", maxFrameBytes);
        check("maxBodyBytes", maxBodyBytes);
        check("clientQueue", clientQueue);
        check("maxAnswerBytes", maxAnswerBytes);
        checkOrder("clientQueueBytes", clientQueueBytes, "maxAnswerBytes", maxAnswerBytes);
        checkOrder("allQueueBytes", allQueueBytes, "clientQueueBytes", clientQueueBytes);
        check("framesInFlight", framesInFlight);
        check("maxConnections", maxConnections);
        check("jsonQueue", jsonQueue);
        check("answerTimeout", answerTimeout.toMillis());
        check("confirmTimeout", confirmTimeout.toMillis());
        check("frameTimeout", frameTimeout.toMillis());
    }

    /**
     * Frames to 256 KiB, bodies to 128 KiB, answers to 8 MiB, 4096 messages of 16 MiB per client and 256 MiB in all, 64
     * frames in flight, 1024 connections.
     */
    public static HttpLimits defaults() {
        return new HttpLimits(
                256 << 10,
                128 << 10,
                4096,
                8 << 20,
                16 << 20,
                256 << 20,
                64,
                1024,
                4096,
                Duration.ofSeconds(10),
                Duration.ofSeconds(15),
                Duration.ofSeconds(10));
    }

    private static void checkOrder(String key, long value, String smaller, long least) {
        if (value < least) {
            throw new IllegalArgumentException(key + " = " + value + " is below " + smaller + " = " + least);
        }
    }

    private static void check(String key, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(key + " = " + value + " is not at least 1");
        }
    }
}
