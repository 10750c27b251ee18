package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.experiments.report.DelayTable;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.testbed.cluster.DelayMeasurement;
import org.aspas.emulab.testbed.cluster.DelayReport;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code aspas world measure}: asked against measured delays at a steady rate, and what delaying costs. */
@Command(
        name = "measure",
        description = {
            "Send frames at a steady rate over real links between four appservers and four bftservers that do nothing"
                    + " else, first without delay and then with the delays of a world, and print how late they arrive"
                    + " and what each costs.",
            "The world's jitter and faults are left out. Real-time priority (chrt -f 50 ./aspas ...), where the system "
                    + "permits it, makes frames less late on a busy machine."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the delays were held",
            "1:the 99th percentile of the frames was more than 1 ms late, or frames are missing",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  aspas world measure", "  aspas world measure --world paper --rate 2000 --json"})
final class WorldMeasureCommand implements Callable<Integer> {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};
    private static final int LEAST_BYTES = 16;
    private static final int MOST_BYTES = 1 << 20;
    private static final long WARM_UP_SECONDS = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--world",
            paramLabel = "NAME|FILE",
            converter = WorldConverter.class,
            defaultValue = "aws5",
            description = "world whose delays to measure: paper, aws5, lan or a file (default: ${DEFAULT-VALUE})")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private WorldMap world;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "10000",
            description = "frames a second over all links, 1 to 1000000 (default: ${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "10",
            description = "length of each of the two runs in seconds, 1 to 3600 (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--bytes",
            paramLabel = "B",
            defaultValue = "200",
            description = "size of a frame in bytes, 16 to 1048576 (default: ${DEFAULT-VALUE})")
    private int bytes;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException, InterruptedException, TimeoutException {
        Ranges.check(spec, "--rate", rate, 1, 1_000_000);
        Ranges.check(spec, "--seconds", seconds, 1, 3_600);
        Ranges.check(spec, "--bytes", bytes, LEAST_BYTES, MOST_BYTES);
        DelayMeasurement.Result none = measure(null);
        DelayMeasurement.Result delayed;
        DelayReport report;
        try (EmulatedNetwork network = new EmulatedNetwork(world.steady(), 1)) {
            delayed = measure(network);
            report = network.report();
        }
        boolean held =
                delayed.lateMs(99) <= DelayReport.MOST_LATE_MS && delayed.frames() >= (long) rate * seconds * 99 / 100;
        if (json.wanted()) {
            ObjectNode out = new ObjectMapper().createObjectNode();
            out.put("world", world.name()).put("rate", rate).put("bytes", bytes).put("valid", held);
            out.set("without_delay", figures(none));
            out.set("with_delay", figures(delayed));
            json.print(out);
        } else {
            print(none, delayed, report, held);
        }
        return held ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private DelayMeasurement.Result measure(@Nullable EmulatedNetwork network)
            throws IOException, InterruptedException, TimeoutException {
        try (DelayMeasurement measurement = new DelayMeasurement(new Quorums(1, 1), network)) {
            measurement.connect();
            measurement.run(rate, bytes, Duration.ofSeconds(WARM_UP_SECONDS));
            return measurement.run(rate, bytes, Duration.ofSeconds(seconds));
        }
    }

    private static ObjectNode figures(DelayMeasurement.Result result) {
        ObjectNode out = new ObjectMapper().createObjectNode();
        out.put("frames", result.frames()).put("refused", result.refused());
        ObjectNode late = out.putObject("late_ms");
        for (double percentile : PERCENTILES) {
            late.put(
                    percentile == 100 ? "max" : "p" + String.valueOf(percentile).replace(".0", ""),
                    result.lateMs(percentile));
        }
        return out.put("cpu_us_per_frame", result.cpuMicros()).put("timer_us_per_frame", result.timerMicros());
    }

    private void print(
            DelayMeasurement.Result none, DelayMeasurement.Result delayed, DelayReport report, boolean held) {
        var out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%d frames/s of %d bytes over 56 links of 8 servers, %d s without delay and %d s in world %s%n",
                rate,
                bytes,
                seconds,
                seconds,
                world.name());
        out.printf(
                Locale.ROOT,
                "  %-22s %9s %8s %8s %8s %8s %8s%n",
                "late on arrival, ms",
                "frames",
                "p50",
                "p90",
                "p99",
                "p99.9",
                "max");
        row("without delay", none);
        row("with delay", delayed);
        out.printf(
                Locale.ROOT,
                "  processor time of a frame: %.1f us without delay, %.1f us with, of which the timer %.1f us%n",
                none.cpuMicros(),
                delayed.cpuMicros(),
                delayed.timerMicros());
        DelayTable.lines(report, 0).forEach(out::println);
        if (!held) {
            out.println("  NOT HELD: more than 1 ms late on arrival (p99), or frames are missing");
        }
    }

    private void row(String name, DelayMeasurement.Result result) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %-22s %,9d", name, result.frames()));
        for (double percentile : PERCENTILES) {
            line.append(String.format(Locale.ROOT, " %8.2f", result.lateMs(percentile)));
        }
        spec.commandLine().getOut().println(line);
    }
}
