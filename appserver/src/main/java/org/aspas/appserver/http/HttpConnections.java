package org.aspas.appserver.http;

import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.MediaTypes;
import akka.http.javadsl.model.RemoteAddress;
import akka.io.Inet;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.aspas.bftcluster.link.ConnectionPlaces;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TCP connections of a client port. All of them that have no session, WebSockets or not, share a number of places, and
 * for one more the idlest ends, of the address that has most of them. One that is no WebSocket has a fixed time for each
 * request, from the last answer to the end of the request's head, however it spends it; a TLS handshake is in that of the
 * first one. Thread-safe.
 *
 * <p>Akka HTTP tells nobody of a connection before its first request, and ends one only when nothing comes on it for a
 * while. So the socket itself is caught when it is accepted ({@link #onAccept}). Where a connection has to end, its input is
 * shut down: Akka reads the end of the stream, closes the socket, and lets go of all that belongs to it.
 */
final class HttpConnections {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnections.class);
    private static final int SWITCHING_PROTOCOLS = 101;

    private final ConnectionPlaces places;
    private final long idleNanos;
    private final boolean tls;
    private final HttpCounters counters;
    private final LongSupplier nanoTime;
    private final Map<SocketAddress, Connection> open = new ConcurrentHashMap<>();

    /**
     * No connections yet.
     *
     * @param tls whether each begins with a TLS handshake, for which it has the time of its first request
     * @param nanoTime a clock that never goes back, in nanoseconds, of any origin
     */
    HttpConnections(HttpLimits limits, boolean tls, HttpCounters counters, LongSupplier nanoTime) {
        this.tls = tls;
        this.places = new ConnectionPlaces(limits.maxSessionless());
        this.idleNanos = limits.idleTimeout().toNanos();
        this.counters = counters;
        this.nanoTime = nanoTime;
    }

    /** To be one of the socket options of the port: Akka applies it to every socket that it accepts. */
    Inet.SocketOption onAccept() {
        return new Inet.AbstractSocketOption() {
            @Override
            public void afterConnect(Socket socket) {
                accepted(socket);
            }
        };
    }

    /** A socket has been accepted; nothing has been read from it. */
    void accepted(Socket socket) {
        SocketAddress remote = socket.getRemoteSocketAddress();
        if (remote == null) {
            return; // It is gone already.
        }
        Connection connection = new Connection(socket, remote);
        Connection older = open.put(remote, connection);
        if (older != null) {
            // It is closed already, or came from the same port to another address of this machine. A request says
            // only where it comes from, so that one of the two would have no place and no time.
            older.cut();
        }
        connection.enter();
    }

    /** Answers a request, whose head is here, by the handler. */
    CompletionStage<HttpResponse> serve(
            HttpRequest request, Function<HttpRequest, CompletionStage<HttpResponse>> handler) {
        Optional<Connection> connection =
                request.getAttribute(AttributeKeys.remoteAddress).flatMap(this::find);
        connection.ifPresent(Connection::onRequest);
        if (connection.isPresent() && connection.get().ends) {
            return CompletableFuture.completedFuture(
                    Problem.badRequest("An earlier request of this connection could not be read.")
                            .response());
        }
        return handler.apply(request)
                .whenComplete((response, failure) -> connection.ifPresent(one -> one.onAnswer(response)))
                .thenApply(response ->
                        connection.map(one -> one.whileItLasts(response)).orElse(response));
    }

    private Optional<Connection> find(RemoteAddress remote) {
        return remote.getAddress()
                .flatMap(address -> Optional.ofNullable(open.get(new InetSocketAddress(address, remote.getPort()))));
    }

    /**
     * A connection has become a WebSocket, without a session so far.
     *
     * @param end tells who serves the WebSocket that it ends to make room
     */
    ConnectionPlaces.Place enterWebSocket(Optional<RemoteAddress> remote, Runnable end) {
        Optional<Connection> connection = remote.flatMap(this::find);
        return places.enter(remote.flatMap(RemoteAddress::getAddress), () -> {
            end.run();
            connection.ifPresent(Connection::cut);
        });
    }

    /** Ends what takes too long for a request, and forgets what is gone. To be called about once a second. */
    void sweep() {
        long now = nanoTime.getAsLong();
        for (Connection connection : open.values()) {
            if (connection.socket.isClosed()) {
                connection.leave();
            } else if (connection.isOverdue(now)) {
                counters.connectionsEnded.increment();
                LOG.debug("connection from {} brings no request in time", connection.remote);
                connection.cut();
            }
        }
    }

    /** How many sockets are known, WebSockets too. */
    int count() {
        return open.size();
    }

    private final class Connection {
        private final Socket socket;
        private final SocketAddress remote;
        private volatile ConnectionPlaces.@Nullable Place place;
        private volatile boolean waiting = true;
        private volatile boolean asked;
        /** Whether an answer has said that it is the last: what follows on the connection is not looked at. */
        private volatile boolean ends;

        private volatile long waitsSince = nanoTime.getAsLong();

        Connection(Socket socket, SocketAddress remote) {
            this.socket = socket;
            this.remote = remote;
        }

        void enter() {
            Optional<InetAddress> address = Optional.ofNullable(socket.getInetAddress());
            place = places.enter(address, this::makeRoom);
        }

        private void makeRoom() {
            counters.connectionsEnded.increment();
            LOG.debug("connection from {} makes room for another one", remote);
            cut();
        }

        void onRequest() {
            waiting = false;
            asked = true;
            ConnectionPlaces.Place own = place;
            if (own != null) {
                own.heard();
            }
        }

        void onAnswer(@Nullable HttpResponse response) {
            ConnectionPlaces.Place own = place;
            boolean webSocket = response != null && response.status().intValue() == SWITCHING_PROTOCOLS;
            if (own != null && webSocket) {
                own.leave(); // As a WebSocket it takes another place.
            } else if (own != null) {
                own.heard();
            }
            ends |= response != null
                    && response.getHeader(akka.http.javadsl.model.headers.Connection.class)
                            .isPresent();
            waitsSince = nanoTime.getAsLong();
            waiting = !webSocket;
        }

        /** A stream of events is an answer that goes on: the time for the next request begins with its end. */
        HttpResponse whileItLasts(HttpResponse response) {
            if (!response.entity().getContentType().mediaType().equals(MediaTypes.TEXT_EVENT_STREAM)) {
                return response;
            }
            waiting = false;
            Source<ByteString, ?> events = response.entity()
                    .getDataBytes()
                    .map(event -> {
                        ConnectionPlaces.Place own = place;
                        if (own != null) {
                            own.heard();
                        }
                        return event;
                    })
                    .watchTermination((unused, end) -> end.whenComplete((done, failure) -> {
                        waitsSince = nanoTime.getAsLong();
                        waiting = true;
                    }));
            return response.withEntity(HttpEntities.create(response.entity().getContentType(), events));
        }

        boolean isOverdue(long now) {
            return waiting && now - waitsSince > idleNanos;
        }

        void cut() {
            leave();
            try {
                socket.shutdownInput();
            } catch (IOException closed) {
                LOG.trace("connection from {} was gone before it was cut", remote);
            }
        }

        void leave() {
            boolean first = open.remove(remote, this);
            if (first && tls && !asked) {
                counters.handshakesFailed.increment();
            }
            ConnectionPlaces.Place own = place;
            if (own != null) {
                own.leave();
            }
        }
    }
}
