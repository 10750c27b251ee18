package org.aspas.appserver.node;

import akka.actor.ActorSystem;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.http.HttpLimits;
import org.aspas.appserver.http.WebOrigins;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.appserver.store.StoreOptions;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.bftcluster.telemetry.TracingSettings;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.jspecify.annotations.Nullable;

/**
 * What one appserver does otherwise than its descriptor says or than is usual. Immutable.
 *
 * @param linkAddress where to accept links; by default the descriptor's host and port. Port 0 takes a free one
 * @param httpAddress where to serve clients; by default the descriptor's host and port. Port 0 takes a free one
 * @param sessionAddress where to serve binary sessions; by default the descriptor's host and port, and none where it has none. Port
 *     0 takes a free one
 * @param peers addresses of other servers' links that replace the descriptor's
 * @param system the actor system to use, made by {@link AkkaSystem#create} and not terminated by the server; by default
 *     an own one
 * @param jsonClientKey the client key for JSON users, never used before; by default a fresh one. To be given where the
 *     descriptor admits listed clients only
 * @param http the bounds of the HTTP port; {@code maxFrameBytes} is the descriptor's where that is smaller
 * @param origins the web pages that may use the HTTP port; by default none
 * @param tick the time between two ticks of the core, 1 ms to 1 s
 * @param machine what the server runs; another than {@link MachineMaker#CORE} is for experiments
 * @param store where it keeps its records; by default nowhere, for servers that live as long as one process
 * @param retention how long it keeps what is certified; how many certificates at least, the descriptor says
 * @param clientTls what it shows to clients, who then reach both ports by TLS alone; null for ports without TLS
 * @param delay delays what the server sends to other servers, for experiments; null for no delay
 * @param tracing where the spans of its work go; null for no tracing
 */
public record AppServerOptions(
        @Nullable InetSocketAddress linkAddress,
        @Nullable InetSocketAddress httpAddress,
        @Nullable InetSocketAddress sessionAddress,
        Map<NodeId, InetSocketAddress> peers,
        @Nullable ActorSystem system,
        @Nullable SigningKey jsonClientKey,
        HttpLimits http,
        WebOrigins origins,
        Duration tick,
        MachineMaker machine,
        @Nullable StoreOptions store,
        RetentionLimits retention,
        @Nullable ClientTls clientTls,
        @Nullable LinkDelay delay,
        @Nullable TracingSettings tracing) {
    private static final Duration USUAL_TICK = Duration.ofMillis(20);

    public AppServerOptions {
        peers = Map.copyOf(peers);
        if (tick.toMillis() < 1 || tick.toMillis() > 1000) {
            throw new IllegalArgumentException("tick = " + tick.toMillis() + " ms is outside 1..1000 ms");
        }
    }

    /** Everything as the descriptor says. */
    public static AppServerOptions defaults() {
        return new AppServerOptions(
                null,
                null,
                null,
                Map.of(),
                null,
                null,
                HttpLimits.defaults(),
                WebOrigins.NONE,
                USUAL_TICK,
                MachineMaker.CORE,
                null,
                RetentionLimits.USUAL,
                null,
                null,
                null);
    }

    /** These options with both ports free ones of the given interface. */
    public AppServerOptions withFreePorts(String host) {
        return withAddresses(new InetSocketAddress(host, 0), new InetSocketAddress(host, 0));
    }

    /** These options with other addresses to listen on; binary sessions have none of their own. */
    public AppServerOptions withAddresses(InetSocketAddress links, InetSocketAddress clients) {
        return withAddresses(links, clients, null);
    }

    /** These options with other addresses to listen on, the last one for binary sessions. */
    public AppServerOptions withAddresses(
            InetSocketAddress links, InetSocketAddress clients, @Nullable InetSocketAddress sessions) {
        return with(draft -> {
            draft.linkAddress = links;
            draft.httpAddress = clients;
            draft.sessionAddress = sessions;
        });
    }

    public AppServerOptions withPeers(Map<NodeId, InetSocketAddress> addresses) {
        return with(draft -> draft.peers = addresses);
    }

    public AppServerOptions withSystem(ActorSystem shared) {
        return with(draft -> draft.system = shared);
    }

    public AppServerOptions withJsonClientKey(SigningKey key) {
        return with(draft -> draft.jsonClientKey = key);
    }

    public AppServerOptions withHttp(HttpLimits limits) {
        return with(draft -> draft.http = limits);
    }

    /**
     * These options with web pages that may use the HTTP port.
     *
     * @param pages their origins, such as {@code https://example.org}
     * @throws IllegalArgumentException when one is not an origin as browsers write it
     */
    public AppServerOptions withOrigins(Collection<String> pages) {
        WebOrigins given = WebOrigins.of(pages);
        return with(draft -> draft.origins = given);
    }

    /** These options with another machine behind the same sockets. */
    public AppServerOptions withMachine(MachineMaker maker) {
        return with(draft -> draft.machine = maker);
    }

    /** These options with frames to other servers that take their time; null for no delay. */
    public AppServerOptions withDelay(@Nullable LinkDelay frames) {
        return with(draft -> draft.delay = frames);
    }

    /** These options with a store that survives the process. */
    public AppServerOptions withStore(StoreOptions kept) {
        return with(draft -> draft.store = kept);
    }

    public AppServerOptions withRetention(RetentionLimits limits) {
        return with(draft -> draft.retention = limits);
    }

    /** These options with ports that clients reach by TLS; null for ports without TLS. */
    public AppServerOptions withClientTls(@Nullable ClientTls shown) {
        return with(draft -> draft.clientTls = shown);
    }

    /** These options with spans that go somewhere; null for no tracing. */
    public AppServerOptions withTracing(@Nullable TracingSettings settings) {
        return with(draft -> draft.tracing = settings);
    }

    Optional<InetSocketAddress> peer(NodeId node) {
        return Optional.ofNullable(peers.get(node));
    }

    private AppServerOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** Options that are being changed. */
    private static final class Draft {
        private @Nullable InetSocketAddress linkAddress;
        private @Nullable InetSocketAddress httpAddress;
        private @Nullable InetSocketAddress sessionAddress;
        private Map<NodeId, InetSocketAddress> peers;
        private @Nullable ActorSystem system;
        private @Nullable SigningKey jsonClientKey;
        private HttpLimits http;
        private WebOrigins origins;
        private final Duration tick;
        private MachineMaker machine;
        private @Nullable StoreOptions store;
        private RetentionLimits retention;
        private @Nullable ClientTls clientTls;
        private @Nullable LinkDelay delay;
        private @Nullable TracingSettings tracing;

        Draft(AppServerOptions from) {
            this.linkAddress = from.linkAddress;
            this.httpAddress = from.httpAddress;
            this.sessionAddress = from.sessionAddress;
            this.peers = from.peers;
            this.system = from.system;
            this.jsonClientKey = from.jsonClientKey;
            this.http = from.http;
            this.origins = from.origins;
            this.tick = from.tick;
            this.machine = from.machine;
            this.store = from.store;
            this.retention = from.retention;
            this.clientTls = from.clientTls;
            this.delay = from.delay;
            this.tracing = from.tracing;
        }

        AppServerOptions options() {
            return new AppServerOptions(
                    linkAddress,
                    httpAddress,
                    sessionAddress,
                    peers,
                    system,
                    jsonClientKey,
                    http,
                    origins,
                    tick,
                    machine,
                    store,
                    retention,
                    clientTls,
                    delay,
                    tracing);
        }
    }
}
