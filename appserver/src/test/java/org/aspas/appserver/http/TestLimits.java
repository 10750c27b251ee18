package org.aspas.appserver.http;

import java.time.Duration;

/** The usual bounds of a door, but for those that a test is about. */
public final class TestLimits {
    private static final HttpLimits USUAL = HttpLimits.defaults();

    private int frameBytes = USUAL.maxFrameBytes();
    private int requestBytes = USUAL.maxRequestBytes();
    private int bodyBytes = USUAL.maxBodyBytes();
    private int allFrameBytes = USUAL.allFrameBytes();
    private int connections = USUAL.maxConnections();
    private int strangers = USUAL.maxSessionless();
    private Duration confirmTimeout = USUAL.confirmTimeout();
    private Duration frameTimeout = USUAL.frameTimeout();
    private Duration idleTimeout = USUAL.idleTimeout();
    private WatchLimits watches = USUAL.watches();
    private JsonAccess jsonApi = USUAL.jsonApi();

    public TestLimits frames(int each, int all) {
        frameBytes = each;
        requestBytes = each;
        allFrameBytes = all;
        return this;
    }

    public TestLimits bodies(int bytes) {
        bodyBytes = bytes;
        return this;
    }

    public TestLimits places(int all, int forStrangers) {
        connections = all;
        strangers = forStrangers;
        return this;
    }

    public TestLimits confirmTimeout(Duration timeout) {
        confirmTimeout = timeout;
        return this;
    }

    public TestLimits frameTimeout(Duration timeout) {
        frameTimeout = timeout;
        return this;
    }

    public TestLimits idleTimeout(Duration timeout) {
        idleTimeout = timeout;
        return this;
    }

    public TestLimits watches(WatchLimits bounds) {
        watches = bounds;
        return this;
    }

    public TestLimits jsonApi(JsonAccess access) {
        jsonApi = access;
        return this;
    }

    public HttpLimits make() {
        return new HttpLimits(
                frameBytes,
                requestBytes,
                bodyBytes,
                USUAL.clientQueue(),
                USUAL.maxAnswerBytes(),
                USUAL.clientQueueBytes(),
                USUAL.allQueueBytes(),
                USUAL.framesInFlight(),
                allFrameBytes,
                connections,
                strangers,
                USUAL.jsonQueue(),
                USUAL.answerTimeout(),
                confirmTimeout,
                frameTimeout,
                idleTimeout,
                watches,
                jsonApi);
    }
}
