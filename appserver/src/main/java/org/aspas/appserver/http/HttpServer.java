package org.aspas.appserver.http;

import akka.actor.ActorSystem;
import akka.actor.Cancellable;
import akka.event.LoggingAdapter;
import akka.http.javadsl.ConnectionContext;
import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.headers.Host;
import akka.http.javadsl.model.headers.ProductVersion;
import akka.http.javadsl.model.headers.Server;
import akka.http.javadsl.settings.ServerSettings;
import akka.http.javadsl.settings.WebSocketSettings;
import akka.io.Inet;
import akka.japi.function.Function;
import akka.stream.Materializer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.aspas.appserver.net.Conversations;
import org.aspas.appserver.port.ClientPort;
import org.aspas.appserver.port.LinkStatus;
import org.aspas.appserver.port.ObjectPort;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.duration.FiniteDuration;

/** The bound port of a server with everything behind it. Thread-safe. */
public final class HttpServer {
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

    private static final Duration MARGIN = Duration.ofSeconds(5);

    /** A key of 512 bytes, and behind it an element of 4 KiB in base64, all of it percent-encoded. */
    private static final int MOST_URI_CHARACTERS = 20 << 10;

    private static final Duration SWEEP = Duration.ofSeconds(1);

    private final ServerBinding binding;
    private final Server header;
    private final HttpCounters counters;
    private final Conversations conversations;
    private final WatchHub watches;
    private final Cancellable sweeps;

    private HttpServer(
            ServerBinding binding,
            Server header,
            HttpCounters counters,
            Conversations conversations,
            WatchHub watches,
            Cancellable sweeps) {
        this.binding = binding;
        this.header = header;
        this.counters = counters;
        this.conversations = conversations;
        this.watches = watches;
        this.sweeps = sweeps;
    }

    /**
     * Binds a port and begins to serve.
     *
     * @param address where to listen; port 0 takes a free one
     * @param tls makes the server's end of a TLS connection; null for a port without TLS
     * @return the server; fails when the address cannot be bound
     */
    public static CompletionStage<HttpServer> start(
            ActorSystem system,
            InetSocketAddress address,
            ServerIdentity identity,
            ClientPort port,
            Conversations conversations,
            LinkStatus links,
            JsonClient jsonClient,
            ObjectPort objects,
            HttpLimits limits,
            WebOrigins origins,
            @Nullable Supplier<SSLEngine> tls) {
        Materializer materializer = Materializer.matFromSystem(system);
        HttpCounters counters = new HttpCounters();
        HttpConnections connections = new HttpConnections(limits, tls != null, counters, System::nanoTime);
        WatchHub watches = new WatchHub(objects, limits.watches(), counters, identity.index());
        Router router = new Router(
                identity,
                port,
                conversations,
                links,
                new SessionSocket(conversations, connections, materializer),
                new JsonApi(jsonClient, objects, limits, materializer, HttpSpans.of(identity.spans())),
                watches,
                limits.jsonApi(),
                new CorsPolicy(origins),
                counters,
                materializer);
        Server header = Server.create(ProductVersion.create("aspas", ""));
        ParsingProblems.register(header, counters);
        Function<HttpRequest, CompletionStage<HttpResponse>> handler =
                request -> connections.serve(request, router::handle);
        return GuardedHttp.get(system)
                .bind(
                        address,
                        tls == null ? ConnectionContext.noEncryption() : ConnectionContext.httpsServer(tls::get),
                        settings(system, header, limits).withSocketOptions(options(system, connections)),
                        new ConnectionLog(),
                        handler)
                .whenComplete((binding, failure) -> {
                    if (failure != null) {
                        ParsingProblems.forget(header);
                        watches.close();
                    }
                })
                .thenApply(binding ->
                        new HttpServer(binding, header, counters, conversations, watches, sweeps(system, connections)));
    }

    private static List<Inet.SocketOption> options(ActorSystem system, HttpConnections connections) {
        List<Inet.SocketOption> options = new ArrayList<>();
        ServerSettings.create(system).getSocketOptions().forEach(options::add);
        options.add(connections.onAccept());
        return options;
    }

    private static Cancellable sweeps(ActorSystem system, HttpConnections connections) {
        return system.scheduler().scheduleWithFixedDelay(SWEEP, SWEEP, connections::sweep, system.dispatcher());
    }

    /**
     * Akka's own timeouts are longer than all of ours together, so that it is ours that answers, with a problem document, and ours
     * that ends a connection. A request of HTTP/1.0 needs no Host, and none is looked at.
     */
    private static ServerSettings settings(ActorSystem system, Server header, HttpLimits limits) {
        ServerSettings defaults = ServerSettings.create(system);
        WebSocketSettings webSocket = defaults.getWebsocketSettings()
                .withPeriodicKeepAliveMode("ping")
                .withPeriodicKeepAliveMaxIdle(FiniteDuration.fromNanos(KEEP_ALIVE.toNanos()));
        Duration longest = limits.frameTimeout()
                .plus(limits.answerTimeout())
                .plus(limits.confirmTimeout())
                .plus(MARGIN);
        ServerSettings.Timeouts timeouts = defaults.getTimeouts()
                .withRequestTimeout(FiniteDuration.fromNanos(longest.toNanos()))
                .withIdleTimeout(FiniteDuration.fromNanos(
                        limits.idleTimeout().plus(longest).toNanos()));
        return defaults.withServerHeader(Optional.of(header))
                .withTimeouts(timeouts)
                .withRawRequestUriHeader(true)
                .withDefaultHostHeader(Host.create("localhost"))
                .withParserSettings(defaults.getParserSettings().withMaxUriLength(MOST_URI_CHARACTERS))
                .withMaxConnections(limits.maxConnections())
                .withRemoteAddressAttribute(true)
                .withTransparentHeadRequests(true)
                .withWebsocketSettings(webSocket);
    }

    public InetSocketAddress address() {
        return binding.localAddress();
    }

    public HttpCounts counts() {
        return counters.read(conversations.counts());
    }

    /** Stops accepting, lets requests finish for a short time, then closes every connection. */
    public CompletionStage<?> stop(Duration patience) {
        sweeps.cancel();
        watches.close();
        return binding.terminate(patience).whenComplete((done, failure) -> ParsingProblems.forget(header));
    }

    /**
     * What Akka HTTP says of single connections, at DEBUG whatever it thinks of it: anybody can bring it about, as often as they
     * like, and what matters of it is counted ({@link HttpCounters}). What our own handlers throw is {@code Router}'s to log.
     * Thread-safe.
     */
    private static final class ConnectionLog implements LoggingAdapter {
        private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);

        @Override
        public boolean isErrorEnabled() {
            return LOG.isDebugEnabled();
        }

        @Override
        public boolean isWarningEnabled() {
            return LOG.isDebugEnabled();
        }

        @Override
        public boolean isInfoEnabled() {
            return LOG.isDebugEnabled();
        }

        @Override
        public boolean isDebugEnabled() {
            return LOG.isDebugEnabled();
        }

        @Override
        public void notifyError(String message) {
            LOG.debug("{}", message);
        }

        @Override
        public void notifyError(Throwable cause, String message) {
            LOG.debug("{}", message, cause);
        }

        @Override
        public void notifyWarning(String message) {
            LOG.debug("{}", message);
        }

        @Override
        public void notifyInfo(String message) {
            LOG.debug("{}", message);
        }

        @Override
        public void notifyDebug(String message) {
            LOG.debug("{}", message);
        }
    }
}
