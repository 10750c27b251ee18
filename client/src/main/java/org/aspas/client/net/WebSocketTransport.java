package org.aspas.client.net;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;

/**
 * Frames as binary messages of a WebSocket (RFC 6455) on the JDK's client. Many transports should share one {@link
 * HttpClient}, which has one selector thread.
 */
public final class WebSocketTransport implements Transport {
    private final HttpClient http;
    private final URI uri;
    private final Duration connectTimeout;
    private final int maxFrameBytes;
    private final int maxQueuedFrames;

    /**
     * A transport to one address.
     *
     * @param uri such as {@code ws://host:port/v1/session}
     * @param connectTimeout how long the opening handshake may take
     * @param maxFrameBytes larger messages from the server close the connection; from 1
     * @param maxQueuedFrames how many frames may wait to be sent before the connection is closed; from 1
     */
    public WebSocketTransport(
            HttpClient http, URI uri, Duration connectTimeout, int maxFrameBytes, int maxQueuedFrames) {
        this.http = http;
        this.uri = uri;
        this.connectTimeout = connectTimeout;
        this.maxFrameBytes = maxFrameBytes;
        this.maxQueuedFrames = maxQueuedFrames;
    }

    @Override
    public Connection connect(Listener listener) {
        WebSocketConnection connection = new WebSocketConnection(listener, maxFrameBytes, maxQueuedFrames);
        http.newWebSocketBuilder()
                .connectTimeout(connectTimeout)
                .buildAsync(uri, connection)
                .whenComplete((socket, failure) -> {
                    if (failure != null) {
                        connection.failed(uri + ": " + WebSocketConnection.describe(failure));
                    }
                });
        return connection;
    }
}
