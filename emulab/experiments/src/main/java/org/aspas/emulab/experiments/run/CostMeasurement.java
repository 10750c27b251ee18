package org.aspas.emulab.experiments.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectQueries;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.bftcluster.engine.PrintCapture;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.VertObft;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.emulab.sim.node.CostFile;
import org.aspas.emulab.sim.node.Costs;
import org.aspas.emulab.sim.node.Linear;
import org.aspas.emulab.sim.node.LoadedSystem;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.aspas.emulab.sim.node.StepKind;
import org.aspas.emulab.sim.node.StepMeter;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.ClusterOptions;

/** Measures what work costs on this machine, for the simulator (docs/simulator-costs.md). Takes about two minutes. */
public final class CostMeasurement {
    private static final int CLIENTS = 40;
    private static final long PAUSE_MICROS = 30_000;
    private static final long WARM_UP_MICROS = 8_000_000;
    private static final long MEASURED_MICROS = 12_000_000;
    private static final long ROUND_TRIP_MICROS = 20_000;
    private static final int USUAL_TEXT = 300;
    private static final int ANSWER = 250;
    private static final String ORDERED = StepKind.ofOrdered("");

    private CostMeasurement() {}

    /**
     * Measures all costs.
     *
     * @param told takes a line on each step of the measurement
     * @throws IOException when a port of the loopback interface cannot be had
     */
    public static CostFile measure(Consumer<String> told) throws IOException {
        try {
            return measured(told);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while costs were measured", stop);
        }
    }

    private static CostFile measured(Consumer<String> told) throws IOException, InterruptedException {
        PrintCapture.install();
        told.accept("costs: signatures and codec");
        PureCosts pure = new PureCosts();
        Linear sign = pure.sign();
        Linear verify = pure.verify();
        Linear encode = pure.encode();
        Linear decode = pure.decode();
        told.accept("costs: the steps of the cores");
        StepTimes steps = steps();
        told.accept("costs: links");
        Linear links = perEnd(SocketCosts.links(), decode, encode);
        told.accept("costs: WebSockets");
        SocketCosts.Exchange sockets = SocketCosts.webSockets();
        Linear server = half(sockets.server(), decode, encode);
        Linear client = half(sockets.client(), Linear.FREE, Linear.FREE);
        told.accept("costs: the order");
        double bftserver = OrderCosts.perCommand(commandsPerReport(steps));
        double known = stepsPerCommand(steps) + sign.of(USUAL_TEXT) + verify.of(USUAL_TEXT);
        Linear order = new Linear(Math.max(0, bftserver - known), 0);
        Costs costs = new Costs(
                sign, verify, encode, decode, links, links, server, server, client, client, order, steps.costs());
        return new CostFile(CostFile.VERSION, machine(), now(), how(), counts(steps), costs);
    }

    /** Half of an exchange for each of its two frames, without the codec, which is counted by itself. */
    private static Linear half(Linear exchange, Linear decode, Linear encode) {
        double once = exchange.nanos() - decode.nanos() - encode.of(encode.nanos() == 0 ? 0 : ANSWER);
        return new Linear(Math.max(0, once / 2), Math.max(0, exchange.nanosPerByte() - decode.nanosPerByte()));
    }

    /** Half of what both ends pay for a frame, without the codec. */
    private static Linear perEnd(Linear both, Linear decode, Linear encode) {
        double once = both.nanos() - decode.nanos() - encode.nanos();
        double perByte = both.nanosPerByte() - decode.nanosPerByte() - encode.nanosPerByte();
        return new Linear(Math.max(0, once / 2), Math.max(0, perByte / 2));
    }

    // ---- The cores ----

    /** A run of the simulator itself without costs, whose steps are timed; a first one has compiled them. */
    private static StepTimes steps() {
        StepTimes times = new StepTimes();
        Simulation.run(run(times, 1));
        times.count();
        Simulation.run(run(times, 2));
        return times;
    }

    private static Settings run(StepTimes times, long seed) {
        return Settings.of(seed)
                .withFaults(Set.of(), ROUND_TRIP_MICROS)
                .withRoundTrip(ROUND_TRIP_MICROS)
                .withClients(CLIENTS, PAUSE_MICROS)
                .withMicros(seed == 1 ? WARM_UP_MICROS : MEASURED_MICROS)
                .withWorkload(Workload.Mix.COUNTERS)
                .withProcessors(new ProcessorModel(Costs.FREE, 1, CLIENTS, false, LoadedSystem.ASPAS0, 0, times));
    }

    private static double commandsPerReport(StepTimes steps) {
        LeastSquares reports = steps.samples().get(ORDERED + "VERTOBFT");
        return reports == null ? 1 : (double) commands(steps) / reports.count();
    }

    private static long commands(StepTimes steps) {
        return steps.samples().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(ORDERED))
                .mapToLong(entry -> entry.getValue().count())
                .sum();
    }

    private static double stepsPerCommand(StepTimes steps) {
        LeastSquares all = steps.samples().get(StepKind.other(ORDERED));
        return all == null ? 0 : all.total() / commands(steps);
    }

    // ---- Where they come from ----

    private static Map<String, Long> counts(StepTimes steps) {
        Map<String, Long> counts = new TreeMap<>();
        steps.samples().forEach((kind, samples) -> counts.put(kind, samples.count()));
        return counts;
    }

    private static String machine() {
        return Runtime.getRuntime().availableProcessors() + " processors, " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + " " + System.getProperty("os.arch") + ", Java "
                + System.getProperty("java.version") + ", signatures by "
                + Ed25519Choice.ofThisProcess().description();
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static Map<String, String> how() {
        return Map.of(
                "sign, verify, encode, decode",
                "processor time of one thread, at 200 and 4,200 bytes, median of five rounds",
                "steps",
                "processor time of each step of the real cores in a run of the simulator with 40 clients, f=1, b=1; the"
                        + " least squares over its size",
                "link_send, link_receive",
                "processor time of all threads of two appservers that send 4 frames to and fro over the loopback"
                        + " interface, from core to core, TLS included, and of the JVM's own threads in proportion;"
                        + " without the codec, half for each end",
                "server_send, server_receive, client_send, client_receive",
                "processor time at both ends of 16 WebSockets on the loopback interface, each with one question at a"
                        + " time to an appserver that only echoes; half for each of the two frames",
                "order",
                "processor time of all threads of the bftservers of a cluster under light load, by ordered command and"
                        + " bftserver, without the steps, one signature and one verification");
    }

    /**
     * Measures steps by the processor time of the thread that runs them, so that what else runs on the machine does not count.
     * For one thread.
     */
    private static final class StepTimes implements StepMeter {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
        private static final int OVERHEAD_ROUNDS = 100_000;

        private final Map<String, LeastSquares> kinds = new TreeMap<>();
        private final long overhead = overhead();
        private boolean measuring;
        private long begun;

        /** What a pair of readings adds to a measured time, in nanoseconds. */
        private static long overhead() {
            long begin = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < OVERHEAD_ROUNDS; i++) {
                THREADS.getCurrentThreadCpuTime();
            }
            return (THREADS.getCurrentThreadCpuTime() - begin) / OVERHEAD_ROUNDS;
        }

        /** Counts what is measured from now on; nothing before was counted. */
        void count() {
            measuring = true;
        }

        @Override
        public void begin() {
            begun = THREADS.getCurrentThreadCpuTime();
        }

        @Override
        public void end(String step, long size) {
            long nanos = Math.max(0, THREADS.getCurrentThreadCpuTime() - begun - overhead);
            if (measuring) {
                kinds.computeIfAbsent(step, any -> new LeastSquares()).add(size, nanos);
                kinds.computeIfAbsent(StepKind.other(step), any -> new LeastSquares())
                        .add(0, nanos);
            }
        }

        Map<String, Linear> costs() {
            Map<String, Linear> costs = new TreeMap<>();
            kinds.forEach((kind, samples) -> costs.put(kind, samples.line()));
            return costs;
        }

        Map<String, LeastSquares> samples() {
            return kinds;
        }
    }

    /** Costs by size, and the line through them with the least squares, which goes through their mean and has no negative part. */
    private static final class LeastSquares {
        private long count;
        private double sizes;
        private double nanos;
        private double squares;
        private double products;

        void add(double size, double cost) {
            count++;
            sizes += size;
            nanos += cost;
            squares += size * size;
            products += size * cost;
        }

        long count() {
            return count;
        }

        /** All costs together, in nanoseconds. */
        double total() {
            return nanos;
        }

        Linear line() {
            double meanSize = sizes / count;
            double meanCost = nanos / count;
            double spread = squares - sizes * meanSize;
            double slope = spread <= 1e-9 ? 0 : (products - sizes * meanCost) / spread;
            double most = meanSize == 0 ? 0 : meanCost / meanSize;
            double kept = Math.max(0, Math.min(slope, most));
            return new Linear(meanCost - kept * meanSize, kept);
        }
    }

    /**
     * Measures what a bftserver pays for an ordered command, in a whole cluster on loopback sockets with few clients: the
     * processor time of all threads that are no appserver's and no client's, by the number of commands. It counts the reports of
     * the appservers, which go through their machines; how many commands there are for each report is known from the simulator.
     */
    private static final class OrderCosts {
        private static final Duration PATIENCE = Duration.ofSeconds(120);
        private static final long WARM_UP_MILLIS = 6_000;
        private static final long MEASURED_MILLIS = 10_000;
        private static final long PAUSE_MILLIS = 50;
        private static final NodeId ONE = NodeId.bftserver(0);

        private OrderCosts() {}

        /** Counts the reports that its core sends to one bftserver. */
        private record Counted(AppServerMachine core, LongAdder reports) implements AppServerMachine {
            @Override
            public List<Effect> step(Event event) {
                List<Effect> effects = core.step(event);
                for (Effect effect : effects) {
                    if (effect instanceof Effect.ToNodeSigned send
                            && send.to().equals(ONE)
                            && send.signed().message() instanceof VertObft) {
                        reports.increment();
                    }
                }
                return effects;
            }

            @Override
            public CoreStatus status() {
                return core.status();
            }

            @Override
            public ObjectQueries objects() {
                return core.objects();
            }
        }

        /**
         * What a bftserver spends for a command, all its threads together, in nanoseconds.
         *
         * @param commandsPerReport how many commands are ordered for each report of an appserver
         */
        static double perCommand(double commandsPerReport) throws IOException, InterruptedException {
            LongAdder reports = new LongAdder();
            MachineMaker counting = (settings, records, store, links) ->
                    new Counted(MachineMaker.CORE.make(settings, records, store, links), reports);
            try (Cluster cluster =
                    Cluster.start(new Quorums(1, 1), ClusterOptions.defaults().withMachines(server -> counting))) {
                cluster.awaitReady(PATIENCE);
                List<AspasClient> clients = new ArrayList<>();
                for (int server = 0; server < cluster.appservers(); server++) {
                    clients.add(cluster.client(server, ClientOptions.defaults()));
                }
                work(clients, WARM_UP_MILLIS);
                long before = reports.sum();
                ProcessorTime time = new ProcessorTime();
                work(clients, MEASURED_MILLIS);
                double commands = (reports.sum() - before) * commandsPerReport;
                double spent = time.of(OrderCosts::isBftserver) * time.runtimeShare();
                clients.forEach(AspasClient::close);
                return commands <= 0 ? 0 : spent / cluster.bftservers() / commands;
            } catch (TimeoutException late) {
                throw new IOException(late);
            }
        }

        private static boolean isBftserver(String thread) {
            return !(thread.startsWith("aspas")
                    || thread.startsWith("HttpClient")
                    || thread.startsWith("link-appserver")
                    || thread.startsWith("frames-appserver")
                    || thread.startsWith("json-client")
                    || thread.equals(Thread.currentThread().getName()));
        }

        private static void work(List<AspasClient> clients, long millis) throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            while (System.nanoTime() - end < 0) {
                clients.forEach(client -> client.counter("costs").increment(1));
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
    }

    /** Measures what needs no socket: signatures of the scheme that this process uses, and the codec. For one thread. */
    private static final class PureCosts {
        private static final int ROUNDS = 5;
        private static final long ROUND_NANOS = 150_000_000;
        private static final int SMALL = 200;
        private static final int LARGE = 4_200;
        private static final int CALLS = 20;
        private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

        private final Hash deployment = Hash.sha256(new byte[] {1});
        private final SigningKey key = SigningKey.of(new byte[32]);
        private final Verifier verifier =
                new Verifier(deployment, Ed25519Choice.ofThisProcess().scheme());
        private int used;

        Linear sign() {
            return line(bytes -> {
                byte[] text = new byte[bytes];
                return () -> used += key.sign(Domain.REQUEST, deployment, text)[0];
            });
        }

        Linear verify() {
            return line(bytes -> {
                byte[] text = new byte[bytes];
                byte[] signature = key.sign(Domain.REQUEST, deployment, text);
                return () -> used += verifier.verify(key.publicKey(), Domain.REQUEST, text, signature) ? 1 : 0;
            });
        }

        Linear encode() {
            return line(bytes -> {
                Batch batch = batch(bytes);
                return () -> used += Codec.encode(batch).length;
            });
        }

        Linear decode() {
            return line(bytes -> {
                byte[] frame = Codec.encode(batch(bytes));
                return () -> used += Codec.decode(frame).accepted().isPresent() ? 1 : 0;
            });
        }

        /** A batch is the longest of the usual frames: a signed head, and entries as byte strings. */
        private Batch batch(int bytes) {
            Signed<Head> head = new Sealer(key, deployment).seal(new Head(0, 5, Hash.ZERO));
            return new Batch(head, List.of(new byte[bytes / 2], new byte[bytes / 2]));
        }

        private interface Work {
            Runnable of(int bytes);
        }

        private static Linear line(Work work) {
            double small = nanos(work.of(SMALL));
            double large = nanos(work.of(LARGE));
            double slope = Math.max(0, (large - small) / (LARGE - SMALL));
            return new Linear(Math.max(0, small - slope * SMALL), slope);
        }

        /** The median of some rounds, after one that warms up. */
        private static double nanos(Runnable work) {
            round(work);
            double[] rounds =
                    IntStream.range(0, ROUNDS).mapToDouble(round -> round(work)).toArray();
            Arrays.sort(rounds);
            return rounds[ROUNDS / 2];
        }

        private static double round(Runnable work) {
            long begin = CLOCK.getCurrentThreadCpuTime();
            long spent = 0;
            int calls = 0;
            while (spent < ROUND_NANOS) {
                for (int i = 0; i < CALLS; i++) {
                    work.run();
                }
                calls += CALLS;
                spent = CLOCK.getCurrentThreadCpuTime() - begin;
            }
            return (double) spent / calls;
        }

        @Override
        public String toString() {
            return "results " + used;
        }
    }
}
