package org.aspas.emulab.lab.delay;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.certify.identity.NodeId;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.transport.DelayedTransport;
import org.aspas.client.transport.TransportDelay;
import org.aspas.emulab.sim.world.Group;
import org.aspas.emulab.sim.world.LinkQuality;
import org.aspas.emulab.sim.world.Tiers;
import org.aspas.emulab.sim.world.WorldFault;
import org.aspas.emulab.sim.world.WorldMap;
import org.jspecify.annotations.Nullable;

/** A world's distances for the nodes and clients of this process. Thread-safe. */
public final class EmulatedNetwork implements AutoCloseable {
    private static final int MOST_FRAMES_ON_THEIR_WAY = 1 << 16;

    private final WorldMap world;
    private final long seed;
    private final FaultClock clock = new FaultClock();
    private final DelayTimer timer = new DelayTimer();
    private final Map<Tiers, LatenessMeter> meters = new EnumMap<>(Tiers.class);
    private final AtomicInteger ways = new AtomicInteger();
    private volatile Duration cpuBefore = Duration.ZERO;
    private volatile int promptThreads;
    private volatile WorldFault.@Nullable Partition partition;

    /**
     * A network on which no fault has begun.
     *
     * @param seed of the jitter
     */
    public EmulatedNetwork(WorldMap world, long seed) {
        this.world = world;
        this.seed = seed;
        for (Tiers tiers : Tiers.values()) {
            meters.put(tiers, new LatenessMeter(tiers));
        }
    }

    public WorldMap world() {
        return world;
    }

    /** Whether anything was ever connected on it. */
    public boolean isUsed() {
        return ways.get() > 0;
    }

    /** What a server is to delay: all that it sends to other servers. */
    public LinkDelay delayOf(NodeId self) {
        return peer -> way(
                Tiers.of(self, peer),
                world.between(self, peer),
                group -> group.has(world, self),
                group -> group.has(world, peer));
    }

    /**
     * What a client is to delay: all between it and an appserver.
     *
     * @param client its index, which is its place in the world
     */
    public TransportDelay delayOf(int client, int appserver) {
        return new TransportDelay() {
            @Override
            public Way toServer() {
                return clientWay(client, appserver);
            }

            @Override
            public Way toClient() {
                return clientWay(client, appserver);
            }
        };
    }

    private EmulatedWay clientWay(int client, int appserver) {
        NodeId server = NodeId.appserver(appserver);
        return way(
                Tiers.CLIENTS_APPSERVERS,
                world.toClient(client, appserver),
                group -> group.hasClient(world, client),
                group -> group.has(world, server));
    }

    private EmulatedWay way(Tiers tiers, LinkQuality quality, Predicate<Group> one, Predicate<Group> other) {
        return new EmulatedWay(
                quality,
                FaultWindow.between(world, one, other),
                () -> separated(one, other),
                clock,
                timer,
                Objects.requireNonNull(meters.get(tiers)),
                new SplittableRandom(seed + ways.incrementAndGet()));
    }

    /**
     * The options of a client at its place.
     *
     * @param client its index, which is its place in the world
     */
    public ClientOptions place(ClientOptions options, ClientResources resources, int client) {
        return options.withResources(resources)
                .withTransport((server, real) -> new DelayedTransport(
                        real, delayOf(client, server), resources.executor(), MOST_FRAMES_ON_THEIR_WAY));
    }

    private boolean separated(Predicate<Group> one, Predicate<Group> other) {
        WorldFault.Partition now = partition;
        return now != null && now.separates(one, other);
    }

    /**
     * Parties of different groups do not reach each other from now on, whatever the timeline says. It takes the place of an
     * earlier partition.
     *
     * @param groups at least two; a party of none of them reaches everybody
     */
    public void partition(List<Group> groups) {
        partition = new WorldFault.Partition(0, Long.MAX_VALUE, groups);
    }

    /** Takes back what {@link #partition} did. */
    public void heal() {
        partition = null;
    }

    /** The timeline begins now, and so does what is reported: partitions and slow links come and go from here. */
    public void begin() {
        begin(Instant.now());
        meters.values().forEach(LatenessMeter::reset);
        cpuBefore = timer.processorTime();
    }

    /** Begins the timeline at a moment that other processes know too, past or future. */
    public void begin(Instant moment) {
        promptThreads = PromptThreads.ask();
        clock.begin(System.nanoTime() + Duration.between(Instant.now(), moment).toNanos());
    }

    /** Ends all faults, of the timeline and otherwise. */
    public void end() {
        partition = null;
        clock.end();
    }

    /** Compares the delays asked for with those measured since the last {@link #begin()}. */
    public DelayReport report() {
        List<DelayReport.Network> networks = meters.values().stream()
                .map(LatenessMeter::read)
                .filter(network -> network.frames() > 0)
                .toList();
        return new DelayReport(
                world.name(), networks, timer.processorTime().minus(cpuBefore).toNanos() / 1e9, promptThreads);
    }

    /** Delays nothing any more; what is on its way stays there. To be called when all nodes and clients have ended. */
    @Override
    public void close() {
        timer.close();
    }
}
