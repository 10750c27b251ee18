package org.aspas.emulab.experiments.run;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectQueries;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.appserver.node.AppServer;
import org.aspas.appserver.node.AppServerOptions;
import org.aspas.appserver.node.StartException;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.api.ClientResources;
import org.aspas.client.net.Transport;
import org.aspas.client.net.WebSocketTransport;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.DataTypes;
import org.aspas.emulab.baselines.ap.EchoMachine;
import org.aspas.emulab.sim.node.Linear;
import org.aspas.emulab.testbed.cluster.LoopbackPlaces;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.jspecify.annotations.Nullable;

/**
 * Measures what a frame costs on real sockets of the loopback interface, by the processor time of the threads at each end:
 * between two appservers from core to core, with TLS, and on the clients' WebSockets between the JDK's client and Akka. A
 * few frames are on their way at a time, as under a moderate load. The share of the JVM's own threads is spread over both
 * ends. The codec is included.
 */
final class SocketCosts {
    private static final int SMALL = 200;
    private static final int LARGE = 4_200;
    private static final int ON_THEIR_WAY = 4;
    private static final int WARM_UP = 20_000;
    private static final int FRAMES = 20_000;
    private static final int CONNECTIONS = 16;
    private static final int EXCHANGES = 1_500;
    private static final long PATIENCE_SECONDS = 120;
    private static final NodeId SENDER = NodeId.appserver(0);
    private static final long POLL_MILLIS = 5;

    private SocketCosts() {}

    // ---- Links ----

    /** What two appservers together pay for a frame that one sends to the other, on all their threads. */
    static Linear links() throws IOException, InterruptedException {
        Deployment deployment = deployment();
        LongAdder frames = new LongAdder();
        FrameEcho.FrameLength length = new FrameEcho.FrameLength();
        length.bytes = SMALL;
        AppServerOptions options = AppServerOptions.defaults();
        try (AppServer one = AppServer.start(
                        deployment.descriptor(),
                        1,
                        deployment.key(NodeId.appserver(1)),
                        options.withMachine(
                                (settings, records, store, links) -> new FrameEcho(settings, 0, frames, length)));
                AppServer other = AppServer.start(
                        deployment.descriptor(),
                        0,
                        deployment.key(SENDER),
                        options.withMachine((settings, records, store, links) ->
                                new FrameEcho(settings, ON_THEIR_WAY, frames, length)))) {
            String between = "between " + one.id() + " and " + other.id();
            perFrame(frames, WARM_UP, between);
            double small = perFrame(frames, FRAMES, between);
            length.bytes = LARGE;
            return line(small, perFrame(frames, FRAMES, between));
        } catch (StartException failed) {
            throw new IOException(failed);
        }
    }

    /** What both ends together paid for each of so many frames, in nanoseconds. */
    private static double perFrame(LongAdder frames, int count, String between) throws InterruptedException {
        long before = frames.sum();
        ProcessorTime time = new ProcessorTime();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (frames.sum() - before < count) {
            await(System.nanoTime() - end < 0, "no frame comes " + between);
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        double spent = time.of(name -> name.startsWith("link-appserver")
                || name.startsWith("frames-appserver")
                || name.startsWith("aspas-appserver"));
        return spent * time.runtimeShare() / (frames.sum() - before);
    }

    private static Deployment deployment() throws IOException {
        Quorums quorums = new Quorums(1, 1);
        return Deployment.generate("costs", quorums, LoopbackPlaces.choose(quorums), Set.of(), Limits.DEFAULT);
    }

    // ---- WebSockets ----

    /** What a client and an appserver pay for a question and its answer, each half for either frame. */
    record Exchange(Linear client, Linear server) {}

    static Exchange webSockets() throws IOException, InterruptedException {
        Deployment deployment = deployment();
        AppServerOptions options = AppServerOptions.defaults()
                .withFreePorts("127.0.0.1")
                .withMachine((settings, records, store, links) -> new EchoMachine(settings));
        try (AppServer server = AppServer.start(deployment.descriptor(), 0, deployment.key(SENDER), options);
                ClientResources resources = ClientResources.create(2)) {
            URI uri = URI.create("ws://127.0.0.1:" + server.httpAddress().getPort() + "/v1/session");
            Transport transport =
                    new WebSocketTransport(resources.http(), uri, Duration.ofSeconds(PATIENCE_SECONDS), 1 << 20, 64);
            exchanges(transport, SMALL, 2 * EXCHANGES);
            double[] small = exchanges(transport, SMALL, EXCHANGES);
            double[] large = exchanges(transport, LARGE, EXCHANGES);
            return new Exchange(line(small[0], large[0]), line(small[1], large[1]));
        } catch (StartException failed) {
            throw new IOException(failed);
        }
    }

    /** Asks so many questions of a length on each of some connections; what client and server paid for each exchange. */
    private static double[] exchanges(Transport transport, int bytes, int count) throws InterruptedException {
        Read read = new Read(7, "x".repeat(bytes), DataTypes.PN_COUNTER.name(), false, CertificateNumber.NONE);
        byte[] question = Codec.encode(read);
        CountDownLatch done = new CountDownLatch(CONNECTIONS);
        ProcessorTime time = new ProcessorTime();
        List<Asking> all = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            all.add(new Asking(transport, question, count, done));
        }
        await(done.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "a WebSocket stands still");
        double share = time.runtimeShare() / ((long) count * CONNECTIONS);
        double[] paid = {
            time.of(name -> name.startsWith("aspas-client") || name.startsWith("HttpClient")) * share,
            time.of(name -> name.startsWith("aspas-" + SENDER)) * share
        };
        all.forEach(Asking::close);
        return paid;
    }

    /** One connection that asks anew as soon as it is answered. */
    private static final class Asking implements Transport.Listener {
        private final byte[] question;
        private final CountDownLatch done;
        private final CompletableFuture<Transport.Connection> connection = new CompletableFuture<>();
        private int left;
        private boolean greeted;

        Asking(Transport transport, byte[] question, int count, CountDownLatch done) {
            this.question = question;
            this.done = done;
            this.left = count;
            connection.complete(transport.connect(this));
        }

        @Override
        public void connected() {
            // The server's greeting comes first.
        }

        @Override
        public void received(byte[] frame, Runnable consumed) {
            consumed.run();
            if (greeted) {
                left--;
            }
            greeted = true;
            if (left > 0) {
                connection.join().send(question);
            } else {
                done.countDown();
            }
        }

        @Override
        public void closed(String reason) {
            // The measurement ends by its patience.
        }

        void close() {
            connection.join().close();
        }
    }

    private static Linear line(double small, double large) {
        double slope = Math.max(0, (large - small) / (LARGE - SMALL));
        return new Linear(Math.max(0, small - slope * SMALL), slope);
    }

    private static void await(boolean came, String otherwise) {
        if (!came) {
            throw new IllegalStateException(otherwise);
        }
    }

    /**
     * A machine that sends each frame of a peer back: what two appservers spend on that is what their shells cost, from the link
     * to the core's thread and back to the link. One of the two begins with some frames, and begins anew when none has come for a
     * second: frames are lost with a link that one end replaces. For the thread that drives it.
     */
    private static final class FrameEcho implements AppServerMachine {
        private static final long LOST_AFTER_MILLIS = 1_000;

        private final CoreSettings settings;
        private final int begins;
        private final LongAdder frames;
        private final FrameLength length;
        private @Nullable NodeId peer;
        private long seen;
        private long seenMillis;

        /** How many bytes the frames have from now on. */
        static final class FrameLength {
            volatile int bytes;
        }

        /**
         * Counts in {@code frames} every frame that it sends back.
         *
         * @param begins how many frames it sends when an appserver is linked, or 0
         */
        FrameEcho(CoreSettings settings, int begins, LongAdder frames, FrameLength length) {
            this.settings = settings;
            this.begins = begins;
            this.frames = frames;
            this.length = length;
        }

        @Override
        public List<Effect> step(Event event) {
            List<Effect> effects = new ArrayList<>();
            if (event instanceof Event.NodeConnected connected) {
                peer = connected.node();
                begin(peer, effects);
            } else if (event instanceof Event.Tick tick && peer != null) {
                beginAnew(peer, tick.nowMillis(), effects);
            } else if (event instanceof Event.NodeFrame node
                    && node.frame() instanceof Frame.Plain plain
                    && plain.message() instanceof Refusal) {
                frames.increment();
                effects.add(back(node.from()));
            }
            return effects;
        }

        private void begin(NodeId other, List<Effect> effects) {
            for (int i = 0; i < begins; i++) {
                effects.add(new Effect.ToNode(other, text()));
            }
        }

        private void beginAnew(NodeId other, long nowMillis, List<Effect> effects) {
            long now = frames.sum();
            if (now != seen) {
                seen = now;
                seenMillis = nowMillis;
            } else if (nowMillis - seenMillis >= LOST_AFTER_MILLIS) {
                seenMillis = nowMillis;
                begin(other, effects);
            }
        }

        private Effect back(NodeId peer) {
            return new Effect.ToNode(peer, text());
        }

        /** Links carry any message, and nobody verifies this one. */
        private Refusal text() {
            return new Refusal(1, false, Refusal.Reason.BUSY, "x".repeat(length.bytes));
        }

        @Override
        public ObjectQueries objects() {
            return ObjectQueries.NONE;
        }

        @Override
        public CoreStatus status() {
            VersionVector nothing = VersionVector.zero(settings.quorums().appservers());
            return new CoreStatus(
                    nothing,
                    CertificateNumber.NONE,
                    nothing,
                    new TreeMap<>(),
                    new TreeMap<>(),
                    true,
                    ServerState.SERVING,
                    "",
                    List.of());
        }
    }
}
