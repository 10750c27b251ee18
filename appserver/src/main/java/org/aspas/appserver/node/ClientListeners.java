package org.aspas.appserver.node;

import akka.actor.ActorSystem;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.http.HttpCounts;
import org.aspas.appserver.http.HttpLimits;
import org.aspas.appserver.http.HttpServer;
import org.aspas.appserver.http.JsonClient;
import org.aspas.appserver.http.ServerIdentity;
import org.aspas.appserver.net.Conversations;
import org.aspas.appserver.net.CoreHandle;
import org.aspas.appserver.net.SessionPort;
import org.aspas.appserver.port.LinkStatus;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ports at which clients reach a server: one for HTTP and WebSockets, and one for binary sessions, if it is to have that. Both
 * are by TLS, or neither is. Thread-safe.
 */
final class ClientListeners {
    private static final Logger LOG = LoggerFactory.getLogger(ClientListeners.class);

    private final HttpServer http;
    private final @Nullable SessionPort sessions;

    private ClientListeners(HttpServer http, @Nullable SessionPort sessions) {
        this.http = http;
        this.sessions = sessions;
    }

    /**
     * Binds the ports.
     *
     * @throws PortUnavailableException when the port of binary sessions cannot be bound
     * @throws StartException when that of HTTP cannot
     */
    static ClientListeners open(
            NodeDescription described,
            AppServerOptions options,
            ActorSystem system,
            ServerIdentity identity,
            CoreHandle core,
            LinkStatus links,
            JsonClient jsonClient)
            throws PortUnavailableException, StartException {
        Descriptor descriptor = identity.descriptor();
        Limits shared = descriptor.limits();
        HttpLimits limits =
                options.http().within(shared.clientFrameBytes(), shared.requestBytes(), shared.linkFrameBytes());
        Conversations conversations = new Conversations(
                core,
                new ClientAdmission(
                        descriptor.verifier(),
                        descriptor::admits,
                        limits.maxRequestBytes(),
                        !descriptor.agreements().isEmpty()),
                limits.conversations(),
                identity.spans());
        ClientTls shown = options.clientTls();
        Supplier<SSLEngine> tls = shown == null ? null : shown::engine;
        if (shown != null) {
            tell(described, shown.expires());
        }
        SessionPort sessions = sessions(described, options, conversations, tls);
        InetSocketAddress wanted = options.httpAddress() != null
                ? options.httpAddress()
                : new InetSocketAddress(described.host(), described.servicePort());
        try {
            HttpServer http = HttpServer.start(
                            system,
                            wanted,
                            identity,
                            core,
                            conversations,
                            links,
                            jsonClient,
                            core,
                            limits,
                            options.origins(),
                            tls)
                    .toCompletableFuture()
                    .join();
            return new ClientListeners(http, sessions);
        } catch (CompletionException failed) {
            if (sessions != null) {
                sessions.close();
            }
            Throwable cause = failed;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw new StartException(
                    "cannot listen on " + wanted.getHostString() + ":" + wanted.getPort() + ": " + cause.getMessage(),
                    failed);
        }
    }

    private static void tell(NodeDescription described, Instant expires) {
        if (Instant.now().isBefore(expires)) {
            LOG.info("{} serves clients by TLS; its certificate expires at {}", described.id(), expires);
        } else {
            LOG.warn("{} shows clients a certificate that expired at {}: they may refuse it", described.id(), expires);
        }
    }

    private static @Nullable SessionPort sessions(
            NodeDescription described,
            AppServerOptions options,
            Conversations conversations,
            @Nullable Supplier<SSLEngine> tls)
            throws PortUnavailableException {
        InetSocketAddress wanted = options.sessionAddress();
        if (wanted == null && described.sessionPort() == 0) {
            return null;
        }
        return new SessionPort(
                wanted != null ? wanted : new InetSocketAddress(described.host(), described.sessionPort()),
                conversations,
                tls);
    }

    InetSocketAddress httpAddress() {
        return http.address();
    }

    Optional<InetSocketAddress> sessionAddress() {
        return Optional.ofNullable(sessions).map(SessionPort::address);
    }

    HttpCounts counts() {
        return http.counts();
    }

    /** Ends sessions, stops accepting, and lets requests finish for a short time. */
    CompletionStage<?> stop(Duration patience) {
        if (sessions != null) {
            sessions.close();
        }
        return http.stop(patience);
    }
}
