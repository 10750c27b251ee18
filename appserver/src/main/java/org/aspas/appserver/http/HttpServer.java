package org.aspas.appserver.http;

import akka.actor.ActorSystem;
import akka.http.javadsl.Http;
import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.model.headers.Server;
import akka.http.javadsl.settings.ServerSettings;
import akka.http.javadsl.settings.WebSocketSettings;
import akka.stream.Materializer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.aspas.appserver.port.ClientPort;
import org.aspas.certify.identity.Descriptor;
import scala.concurrent.duration.FiniteDuration;

/** The bound port of a server with everything behind it. Thread-safe. */
public final class HttpServer {
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

    private final ServerBinding binding;
    private final HttpCounters counters;

    private HttpServer(ServerBinding binding, HttpCounters counters) {
        this.binding = binding;
        this.counters = counters;
    }

    /**
     * Binds a port and begins to serve.
     *
     * @param system runs the streams
     * @param address where to listen; port 0 takes a free one
     * @param descriptor the deployment
     * @param index which appserver this is
     * @param version the software's version, for people
     * @param port the server behind the door
     * @param linked whether the server is linked to 2f other appservers now
     * @param gateway the client that stands for JSON users
     * @param limits the bounds
     * @return the server; fails when the address cannot be bound
     */
    public static CompletionStage<HttpServer> start(
            ActorSystem system,
            InetSocketAddress address,
            Descriptor descriptor,
            int index,
            String version,
            ClientPort port,
            BooleanSupplier linked,
            Gateway gateway,
            HttpLimits limits) {
        Materializer materializer = Materializer.matFromSystem(system);
        HttpCounters counters = new HttpCounters();
        Router router = new Router(
                new Router.ServerIdentity(descriptor, index, version),
                port,
                new Readiness(linked),
                new SessionSocket(port, descriptor.verifier(), limits, counters, materializer),
                new JsonApi(gateway, limits, materializer),
                counters,
                materializer);
        return Http.get(system)
                .newServerAt(address.getHostString(), address.getPort())
                .withSettings(settings(system, limits))
                .bind(router::handle)
                .thenApply(binding -> new HttpServer(binding, counters));
    }

    private static ServerSettings settings(ActorSystem system, HttpLimits limits) {
        ServerSettings defaults = ServerSettings.create(system);
        WebSocketSettings webSocket = defaults.getWebsocketSettings()
                .withPeriodicKeepAliveMode("ping")
                .withPeriodicKeepAliveMaxIdle(FiniteDuration.fromNanos(KEEP_ALIVE.toNanos()));
        return defaults.withServerHeader(
                        Optional.of(Server.create(akka.http.javadsl.model.headers.ProductVersion.create("aspas", ""))))
                .withMaxConnections(limits.maxConnections())
                .withTransparentHeadRequests(true)
                .withWebsocketSettings(webSocket);
    }

    /** Where the server listens. */
    public InetSocketAddress address() {
        return binding.localAddress();
    }

    /** What has happened at the door. */
    public HttpCounts counts() {
        return counters.read();
    }

    /** Stops accepting, lets requests finish for a short time, then closes every connection. */
    public CompletionStage<?> stop(Duration patience) {
        return binding.terminate(patience);
    }
}
