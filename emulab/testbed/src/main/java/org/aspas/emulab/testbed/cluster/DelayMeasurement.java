package org.aspas.emulab.testbed.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.TlsIdentity;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.jspecify.annotations.Nullable;

/**
 * Sends frames at a steady rate over real links between all servers of a small deployment, which do nothing else, and
 * measures how late they come. Each server dials each other one.
 */
public final class DelayMeasurement implements AutoCloseable {
    private static final long CONNECT_SECONDS = 60;
    private static final long POLL_MILLIS = 20;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(1);

    private final @Nullable EmulatedNetwork network;
    private final Map<NodeId, NodeLinks> links = new TreeMap<>();
    private final List<Pair> pairs = new ArrayList<>();
    private final Histogram lateMicros = new ConcurrentHistogram(HIGHEST_MICROS, 3);
    private volatile boolean counting;

    private record Pair(NodeId from, NodeId to, long askedNanos) {}

    /**
     * What was measured.
     *
     * @param refused how many frames a link did not take
     * @param late how much longer than asked frames took from their sending until the receiver had them, in microseconds
     * @param cpuMicros the processor time of the whole process for each frame, in microseconds; 0 where it is not known
     * @param timerMicros what of it the thread took that says when frames are due
     */
    public record Result(long frames, long refused, Histogram late, double cpuMicros, double timerMicros) {
        /** The lateness that this percentile of the frames does not exceed, in milliseconds. */
        public double lateMs(double percentile) {
            return late.getValueAtPercentile(percentile) / 1e3;
        }
    }

    /**
     * Links between all servers, which are not connected yet.
     *
     * @param network delays frames; for delays that can be compared its world has no jitter. Null for no delay
     */
    public DelayMeasurement(Quorums quorums, @Nullable EmulatedNetwork network) {
        this.network = network;
        Map<NodeId, TlsIdentity> identities = new TreeMap<>();
        for (int index = 0; index < quorums.appservers(); index++) {
            identities.put(
                    NodeId.appserver(index), TlsIdentity.of(Deployment.newKey().seed()));
        }
        for (int index = 0; index < quorums.bftservers(); index++) {
            identities.put(
                    NodeId.bftserver(index), TlsIdentity.of(Deployment.newKey().seed()));
        }
        Map<NodeId, PublicKey> keys = new TreeMap<>();
        identities.forEach((node, identity) -> keys.put(node, identity.publicKey()));
        identities.forEach((node, identity) -> links.put(
                node,
                new NodeLinks(
                        node,
                        identity,
                        keys,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        LinkLimits.defaults(),
                        new Inbox(),
                        network == null ? null : network.delayOf(node))));
    }

    private long askedNanos(NodeId from, NodeId to) {
        return network == null
                ? 0
                : TimeUnit.MICROSECONDS.toNanos(
                        network.world().between(from, to).delayMicros());
    }

    public void connect() throws IOException, InterruptedException, TimeoutException {
        Map<NodeId, InetSocketAddress> places = new TreeMap<>();
        for (Map.Entry<NodeId, NodeLinks> one : links.entrySet()) {
            places.put(one.getKey(), one.getValue().start());
        }
        links.forEach((from, sender) -> places.forEach((to, place) -> {
            if (!from.equals(to)) {
                sender.connect(to, place);
                pairs.add(new Pair(from, to, askedNanos(from, to)));
            }
        }));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CONNECT_SECONDS);
        for (Pair pair : pairs) {
            while (!links(pair).isConnected(pair.to())) {
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException(pair.from() + " does not reach " + pair.to());
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
    }

    private NodeLinks links(Pair pair) {
        NodeLinks sender = links.get(pair.from());
        if (sender == null) {
            throw new IllegalStateException("no links of " + pair.from());
        }
        return sender;
    }

    /**
     * Sends for a while, to every other server in turn, and waits for the last frames.
     *
     * @param perSecond how many frames a second, over all links, from 1
     * @param bytes of each frame, from 16
     */
    public Result run(int perSecond, int bytes, Duration length) throws InterruptedException {
        lateMicros.reset();
        counting = true;
        if (network != null) {
            network.begin();
        }
        Duration cpuBefore = processorTime();
        long refused = send(perSecond, bytes, length.toNanos());
        TimeUnit.MILLISECONDS.sleep(slowestMillis() + 1_000);
        counting = false;
        long frames = Math.max(1, lateMicros.getTotalCount());
        double timer = network == null ? 0 : network.report().emulatorCpuSeconds();
        return new Result(
                lateMicros.getTotalCount(),
                refused,
                lateMicros.copy(),
                processorTime().minus(cpuBefore).toNanos() / 1e3 / frames,
                timer * 1e6 / frames);
    }

    private long send(int perSecond, int bytes, long lengthNanos) {
        long start = System.nanoTime();
        long sent = 0;
        long refused = 0;
        for (long elapsed = 0; elapsed < lengthNanos; elapsed = System.nanoTime() - start) {
            long wanted = elapsed / 1_000 * perSecond / 1_000_000;
            for (; sent < wanted; sent++) {
                int at = (int) (sent % pairs.size());
                Pair pair = pairs.get(at);
                byte[] frame = ByteBuffer.allocate(bytes)
                        .putLong(pair.askedNanos())
                        .putLong(System.nanoTime())
                        .array();
                refused += links(pair).send(pair.to(), frame) ? 0 : 1;
            }
            LockSupport.parkNanos(TICK_NANOS);
        }
        return refused;
    }

    private long slowestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(
                pairs.stream().mapToLong(Pair::askedNanos).max().orElse(0));
    }

    private static Duration processorTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private final class Inbox implements LinkListener {
        @Override
        public void onConnected(NodeId peer) {
            // Asked of the links.
        }

        @Override
        public void onDisconnected(NodeId peer) {
            // What is lost is missing from the frames that came.
        }

        @Override
        public void onFrame(NodeId peer, byte[] frame) {
            if (counting) {
                ByteBuffer words = ByteBuffer.wrap(frame);
                long late = System.nanoTime() - words.getLong() - words.getLong();
                lateMicros.recordValue(Math.max(0, Math.min(TimeUnit.NANOSECONDS.toMicros(late), HIGHEST_MICROS)));
            }
        }
    }

    @Override
    public void close() {
        links.values().forEach(NodeLinks::close);
    }
}
