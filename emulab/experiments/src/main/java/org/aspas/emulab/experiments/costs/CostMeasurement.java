package org.aspas.emulab.experiments.costs;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.aspas.bftcluster.replica.PrintCapture;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.processor.CostFile;
import org.aspas.emulab.sim.processor.Costs;
import org.aspas.emulab.sim.processor.Linear;
import org.aspas.emulab.sim.processor.LoadedSystem;
import org.aspas.emulab.sim.processor.ProcessorModel;
import org.aspas.emulab.sim.processor.StepKind;
import org.aspas.emulab.sim.run.Settings;
import org.aspas.emulab.sim.run.Simulation;

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
}
