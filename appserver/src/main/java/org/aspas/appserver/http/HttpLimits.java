package org.aspas.appserver.http;

import java.time.Duration;
import org.aspas.appserver.net.ConversationLimits;

/**
 * The bounds of a server's listeners.
 *
 * @param maxFrameBytes the largest WebSocket message, in bytes; at least 1
 * @param maxRequestBytes the largest payload of a client's signed request or session record, in bytes; at least 1
 * @param maxBodyBytes the largest JSON body, in bytes; at least 1
 * @param clientQueue how many messages may wait for one client before its connection is closed; at least 1
 * @param maxAnswerBytes the largest message to a client, in bytes; a read whose answer is larger is refused; at least 1
 * @param clientQueueBytes how many bytes may wait for one client before its connection is cut; at least
 *     {@code maxAnswerBytes}
 * @param allQueueBytes how many bytes may wait for all clients together before the connection for which most wait is cut;
 *     at least {@code clientQueueBytes}
 * @param framesInFlight how many frames of one connection may wait for the core before the connection is read no
 *     further, if there are no others lately: else it has its share of them, and one at least; at least 1
 * @param allFrameBytes how many bytes of frames of all connections together may wait for the core before no connection
 *     is read further than one frame more; at least {@code maxFrameBytes}
 * @param maxConnections how many TCP connections may be open at once; at least 1
 * @param maxSessionless how many of them may be without a session, WebSockets or not; for one more, the one that has been
 *     idle longest is ended, of the address that has most of them; from 1 to {@code maxConnections}
 * @param jsonQueue how many JSON requests may wait at once; more are refused as busy; at least 1
 * @param answerTimeout how long a JSON request may wait for the core's answer; above zero
 * @param confirmTimeout how long {@code ?confirm=true} may wait for a certificate; above zero
 * @param frameTimeout how long one WebSocket message or JSON body may take to arrive; above zero
 * @param idleTimeout how long a connection that is no WebSocket may take from its beginning, or from its last answer, until
 *     the head of its next request is here, whole; the time to read that answer is in it; above zero
 */
public record HttpLimits(
        int maxFrameBytes,
        int maxRequestBytes,
        int maxBodyBytes,
        int clientQueue,
        int maxAnswerBytes,
        int clientQueueBytes,
        int allQueueBytes,
        int framesInFlight,
        int allFrameBytes,
        int maxConnections,
        int maxSessionless,
        int jsonQueue,
        Duration answerTimeout,
        Duration confirmTimeout,
        Duration frameTimeout,
        Duration idleTimeout,
        WatchLimits watches,
        JsonAccess jsonApi) {
    public HttpLimits {
        check("maxFrameBytes", maxFrameBytes);
        check("maxRequestBytes", maxRequestBytes);
        check("maxBodyBytes", maxBodyBytes);
        check("clientQueue", clientQueue);
        check("maxAnswerBytes", maxAnswerBytes);
        checkOrder("clientQueueBytes", clientQueueBytes, "maxAnswerBytes", maxAnswerBytes);
        checkOrder("allQueueBytes", allQueueBytes, "clientQueueBytes", clientQueueBytes);
        check("framesInFlight", framesInFlight);
        checkOrder("allFrameBytes", allFrameBytes, "maxFrameBytes", maxFrameBytes);
        check("maxSessionless", maxSessionless);
        checkOrder("maxConnections", maxConnections, "maxSessionless", maxSessionless);
        check("jsonQueue", jsonQueue);
        check("answerTimeout", answerTimeout.toMillis());
        check("confirmTimeout", confirmTimeout.toMillis());
        check("frameTimeout", frameTimeout.toMillis());
        check("idleTimeout", idleTimeout.toMillis());
    }

    /**
     * Frames and requests to 256 KiB, bodies to 128 KiB, answers to 8 MiB, 4096 messages of 16 MiB per client and 256 MiB in
     * all, 16 frames in flight per client and 64 MiB of them in all, 1024 connections, 768 of them without a session, 75 s
     * from one answer to the next request, which is longer than load balancers keep theirs (60 s); the JSON API for programs on the same machine.
     */
    public static HttpLimits defaults() {
        return new HttpLimits(
                256 << 10,
                256 << 10,
                128 << 10,
                4096,
                8 << 20,
                16 << 20,
                256 << 20,
                16,
                64 << 20,
                1024,
                768,
                4096,
                Duration.ofSeconds(10),
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(75),
                WatchLimits.defaults(),
                JsonAccess.LOOPBACK);
    }

    /** These bounds with smaller messages, requests and answers where a deployment's are smaller. */
    public HttpLimits within(int frameBytes, int requestBytes, int answerBytes) {
        return with(
                Math.min(maxFrameBytes, frameBytes),
                Math.min(maxRequestBytes, requestBytes),
                Math.min(maxAnswerBytes, answerBytes),
                jsonApi);
    }

    public HttpLimits withJsonApi(JsonAccess access) {
        return with(maxFrameBytes, maxRequestBytes, maxAnswerBytes, access);
    }

    private HttpLimits with(int frameBytes, int requestBytes, int answerBytes, JsonAccess access) {
        return new HttpLimits(
                frameBytes,
                requestBytes,
                maxBodyBytes,
                clientQueue,
                answerBytes,
                clientQueueBytes,
                allQueueBytes,
                framesInFlight,
                allFrameBytes,
                maxConnections,
                maxSessionless,
                jsonQueue,
                answerTimeout,
                confirmTimeout,
                frameTimeout,
                idleTimeout,
                watches,
                access);
    }

    public ConversationLimits conversations() {
        return new ConversationLimits(
                maxFrameBytes,
                maxRequestBytes,
                maxAnswerBytes,
                clientQueue,
                clientQueueBytes,
                allQueueBytes,
                framesInFlight,
                allFrameBytes,
                maxConnections,
                maxSessionless,
                frameTimeout);
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
