package org.aspas.emulab.testbed.cluster;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.certify.identity.NodeId;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.net.DelayedTransport;
import org.aspas.client.net.TransportDelay;
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

    private EmulatedLink clientWay(int client, int appserver) {
        NodeId server = NodeId.appserver(appserver);
        return way(
                Tiers.CLIENTS_APPSERVERS,
                world.toClient(client, appserver),
                group -> group.hasClient(world, client),
                group -> group.has(world, server));
    }

    private EmulatedLink way(Tiers tiers, LinkQuality quality, Predicate<Group> one, Predicate<Group> other) {
        return new EmulatedLink(
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
        promptThreads = LowLatencyThreads.ask();
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

    /** One direction of one connection in a world. Used by one thread at a time. */
    private static final class EmulatedLink implements LinkDelay.Way, TransportDelay.Way {
        /** How often a way that a fault closes is checked again. */
        private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

        private final LinkQuality quality;
        private final List<FaultWindow> faults;
        private final BooleanSupplier cut;
        private final FaultClock clock;
        private final DelayTimer timer;
        private final LatenessMeter meter;
        private final SplittableRandom random;
        /** When the last byte of the frame before has entered the link. */
        private long free = System.nanoTime();

        private long last = free;

        /**
         * A way that nothing travels on yet.
         *
         * @param cut whether a partition that is on no timeline closes it now
         * @param random draws the jitter
         */
        EmulatedLink(
                LinkQuality quality,
                List<FaultWindow> faults,
                BooleanSupplier cut,
                FaultClock clock,
                DelayTimer timer,
                LatenessMeter meter,
                SplittableRandom random) {
            this.quality = quality;
            this.faults = faults;
            this.cut = cut;
            this.clock = clock;
            this.timer = timer;
            this.meter = meter;
            this.random = random;
        }

        @Override
        public long due(long sent, int bytes) {
            free = later(sent, free) + quality.transmissionNanos(bytes);
            long jitter = quality.jitterMicros() == 0 ? 0 : random.nextLong(quality.jitterMicros() + 1);
            long travels = TimeUnit.MICROSECONDS.toNanos(quality.delayMicros() + jitter) + slower(sent);
            last = later(free + travels, last);
            return last;
        }

        private static long later(long one, long other) {
            return one - other > 0 ? one : other;
        }

        private long slower(long moment) {
            long sum = 0;
            if (!faults.isEmpty() && clock.runs()) {
                for (FaultWindow fault : faults) {
                    sum += fault.has(moment - clock.start()) ? fault.slowerNanos() : 0;
                }
            }
            return sum;
        }

        @Override
        public long open(long now) {
            if (cut.getAsBoolean()) {
                return now + ASK_AGAIN_NANOS;
            }
            if (!faults.isEmpty() && clock.runs()) {
                for (FaultWindow fault : faults) {
                    if (fault.cut() && fault.has(now - clock.start())) {
                        return now + ASK_AGAIN_NANOS;
                    }
                }
            }
            return now;
        }

        @Override
        public void left(long sent, long due, long now) {
            meter.record(sent, due, now);
        }

        @Override
        public void wake(long moment, Runnable task) {
            timer.wake(moment, task);
        }
    }

    /**
     * The threads that hand on frames, at work as soon as they wake. Linux, from 6.12, lets a thread ask for short slices of time;
     * one that wakes then does not wait until a thread with longer slices has used up its own (sched_setattr(2); the deadlines of
     * EEVDF). It gets no more of the processors for it. On other systems nothing happens.
     */
    private static final class LowLatencyThreads {
        /** As the first letters of their names: the timer here, the links' event loops, and those of the ordering library. */
        private static final List<String> NAMES = List.of("delays", "link-", "nioEventLoop");

        /** The shortest slice that the kernel grants. */
        private static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

        private static final int WORKING_PRIORITY = -5;
        private static final Path THREADS = Path.of("/proc/self/task");

        private LowLatencyThreads() {}

        /** Asks the kernel for such slices; returns how many threads got them. */
        static int ask() {
            if (!Platform.isLinux() || !Platform.is64Bit() || !(Platform.isIntel() || Platform.isARM())) {
                return 0;
            }
            try (Scheduler scheduler = new Scheduler();
                    DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
                int granted = 0;
                for (Path thread : threads) {
                    if (carriesFrames(thread) && scheduler.shorten(Integer.parseInt(name(thread)))) {
                        granted++;
                    }
                }
                return granted;
            } catch (IOException | DirectoryIteratorException | NumberFormatException | LinkageError unusual) {
                return 0; // A system without /proc, or on which no native code loads.
            }
        }

        private static String name(Path path) {
            return String.valueOf(path.getFileName());
        }

        private static boolean carriesFrames(Path thread) throws IOException {
            try {
                String name = Files.readString(thread.resolve("comm"));
                return NAMES.stream().anyMatch(name::startsWith);
            } catch (NoSuchFileException ended) {
                return false;
            }
        }

        /** The two calls, which the C library has no functions for, and their argument, struct sched_attr. */
        private static final class Scheduler implements AutoCloseable {
            private static final int BYTES = 48;
            private static final int NICE = 16;
            private static final int RUNTIME = 24;

            private final Function syscall = NativeLibrary.getProcess().getFunction("syscall");
            private final Memory attributes = new Memory(BYTES);
            private final long set = Platform.isARM() ? 274 : 314;
            private final long get = set + 1;

            boolean shorten(int thread) {
                if (call(get, thread, BYTES) != 0) {
                    return false;
                }
                attributes.setLong(RUNTIME, SLICE_NANOS);
                int nice = attributes.getInt(NICE);
                attributes.setInt(NICE, Math.min(nice, WORKING_PRIORITY));
                if (call(set, thread, 0) == 0) {
                    return true;
                }
                attributes.setInt(NICE, nice); // A higher priority is not for every user.
                return call(set, thread, 0) == 0;
            }

            /** The first takes flags after the attributes, the second their length and flags. */
            private long call(long number, int thread, long third) {
                return syscall.invokeLong(new Object[] {number, (long) thread, (Pointer) attributes, third, 0L});
            }

            @Override
            public void close() {
                attributes.close();
            }
        }
    }

    /** The thread that says when frames are due. Tasks do no more than queue what is to be done. Thread-safe. */
    private static final class DelayTimer implements AutoCloseable {
        private final AtomicLong threadId = new AtomicLong();

        /** Where the launcher lets Java's priorities mean something, frames are less late on a busy machine. */
        @SuppressWarnings("ThreadPriorityCheck")
        private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "delays");
            thread.setDaemon(true);
            thread.setPriority(Thread.MAX_PRIORITY);
            threadId.set(thread.getId());
            return thread;
        });

        DelayTimer() {
            executor.prestartCoreThread();
        }

        /** Runs a task at a moment of {@link System#nanoTime} or soon after; never when the timer is closed. */
        void wake(long moment, Runnable task) {
            try {
                var unused = executor.schedule(task, moment - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closed) {
                // Nothing travels any more.
            }
        }

        /** What the thread has used of a processor; zero where the system does not tell. */
        Duration processorTime() {
            long nanos = ManagementFactory.getThreadMXBean().getThreadCpuTime(threadId.get());
            return Duration.ofNanos(Math.max(0, nanos));
        }

        @Override
        public void close() {
            executor.shutdownNow();
        }
    }

    /** When the world's timeline began, if it has. Thread-safe. */
    private static final class FaultClock {
        private volatile boolean runs;
        private volatile long start;

        /** Begins, at a moment of {@link System#nanoTime}; earlier and later ones than now are fine. */
        void begin(long moment) {
            start = moment;
            runs = true;
        }

        /** Ends all faults. */
        void end() {
            runs = false;
        }

        boolean runs() {
            return runs;
        }

        /** When it began; means something while it runs. */
        long start() {
            return start;
        }
    }

    /**
     * What happens to one way for a while. Times are nanoseconds since the timeline began.
     *
     * @param ends when it ends; {@link Long#MAX_VALUE} for never
     */
    private record FaultWindow(long begins, long ends, boolean cut, long slowerNanos) {
        /** All that happens between two parties, of whom it is known in which groups they are. */
        static List<FaultWindow> between(WorldMap world, Predicate<Group> one, Predicate<Group> other) {
            List<FaultWindow> windows = new ArrayList<>();
            for (WorldFault fault : world.faults()) {
                if (fault instanceof WorldFault.Partition partition && partition.separates(one, other)) {
                    windows.add(new FaultWindow(nanos(fault.begins()), nanos(fault.ends()), true, 0));
                } else if (fault instanceof WorldFault.SlowLink slow && slow.slows(one, other)) {
                    windows.add(
                            new FaultWindow(nanos(fault.begins()), nanos(fault.ends()), false, nanos(slow.byMicros())));
                }
            }
            return windows;
        }

        boolean has(long nanos) {
            return begins <= nanos && nanos < ends;
        }

        private static long nanos(long micros) {
            return TimeUnit.MICROSECONDS.toNanos(micros); // Stays Long.MAX_VALUE.
        }
    }

    /** How late the frames of one network were. Thread-safe. */
    private static final class LatenessMeter {
        private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(10);
        private static final int DIGITS = 3;

        private final Tiers tiers;
        private final Histogram lateMicros = new ConcurrentHistogram(HIGHEST_MICROS, DIGITS);
        private final LongAdder askedNanos = new LongAdder();
        private final LongAdder measuredNanos = new LongAdder();

        LatenessMeter(Tiers tiers) {
            this.tiers = tiers;
        }

        void record(long sent, long due, long now) {
            askedNanos.add(due - sent);
            measuredNanos.add(now - sent);
            lateMicros.recordValue(Math.min(TimeUnit.NANOSECONDS.toMicros(now - due), HIGHEST_MICROS));
        }

        void reset() {
            lateMicros.reset();
            askedNanos.reset();
            measuredNanos.reset();
        }

        DelayReport.Network read() {
            long frames = lateMicros.getTotalCount();
            double each = frames == 0 ? 0 : 1e-6 / frames;
            return new DelayReport.Network(
                    tiers.key(),
                    frames,
                    askedNanos.sum() * each,
                    measuredNanos.sum() * each,
                    lateMicros.getValueAtPercentile(50) / 1e3,
                    lateMicros.getValueAtPercentile(95) / 1e3,
                    lateMicros.getValueAtPercentile(99) / 1e3,
                    lateMicros.getMaxValue() / 1e3);
        }
    }
}
