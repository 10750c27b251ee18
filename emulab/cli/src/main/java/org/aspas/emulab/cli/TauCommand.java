package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.aspas.client.api.Tolerance;
import org.aspas.emulab.experiments.run.ToleranceRow;
import org.aspas.emulab.experiments.run.ToleranceSweep;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.world.WorldMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code emulab tau}: what τ to choose in a world, at a rate. */
@Command(
        name = "tau",
        description = {
            "Show waiting, latency and exposure for each τ, and the smallest τ at which",
            "nobody waits, in virtual time.",
            "",
            "Clients call at random times, whether earlier updates are confirmed or not.",
            "",
            "WAITED      updates that waited for room in the window of τ, or with τ = 1",
            "            for their own confirmation",
            "UPDATE      from the call to the verified answer, waiting included",
            "CONFIRMED   from the call to the verified confirmation",
            "FOUND       own unconfirmed updates that an update found at its client",
            "EXPOSURE    the most own unconfirmed updates that one client had"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:at most one update in a hundred waits at the recommended τ",
            "1:more do, or a guarantee did not hold",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas emulab tau --world aws5 --rate 2",
            "  aspas emulab tau --world paper --rate 20 --clients 10 --json"
        })
final class TauCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--world",
            paramLabel = "NAME|FILE",
            converter = WorldConverter.class,
            required = true,
            description = "World that places all parties: aws5, lan, paper, or a file.")
    private @Nullable WorldMap world;

    @Option(
            names = "--rate",
            paramLabel = "R",
            defaultValue = "5",
            description =
                    "Calls per second of each client, 0.01 to 1000; one in ten is a read (default: ${DEFAULT-VALUE}).")
    private double rate;

    @Option(
            names = "--workload",
            paramLabel = "L",
            defaultValue = "CLASSIC",
            description = "What clients call: classic (counters and sets, mostly their own) or full (all operations of"
                    + " all types) (default: classic).")
    private Workload.Mix workload = Workload.Mix.CLASSIC;

    @Option(
            names = "--clients",
            paramLabel = "C",
            defaultValue = "10",
            description = "Number of clients, 1 to 1000 (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "60",
            description = "Virtual seconds during which clients work, 1 to 3600 (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of all randomness (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        Ranges.check(spec, "--clients", clients, 1, 1000);
        Ranges.check(spec, "--seconds", seconds, 1, 3600);
        if (!(rate >= 0.01 && rate <= 1000)) {
            throw new IllegalArgumentException("--rate " + rate + " is outside 0.01..1000");
        }
        WorldMap map = world;
        if (map == null) {
            throw new IllegalArgumentException("--world is missing");
        }
        Settings settings = Settings.of(seed)
                .withFaults(Set.of(), 1_000_000)
                .withMicros(seconds * 1_000_000L)
                .withClients(clients, Math.round(1e6 / rate))
                .withWorkload(workload)
                .withWorld(map);
        map.idle(settings.quorums(), settings.micros()).ifPresent(why -> {
            throw new ParameterException(spec.commandLine(), "world " + map.name() + " " + why);
        });
        PrintWriter out = spec.commandLine().getOut();
        if (!json.wanted()) {
            out.println("world " + map.name() + ", " + clients + " clients, " + rate + " calls/s each, seed " + seed);
            out.println("        τ  WAITED  UPDATE p50     p99 ms  CONFIRMED p50     p99 ms  FOUND p50  p99  EXPOSURE");
        }
        ToleranceSweep.Result result = new ToleranceSweep(settings).run(row -> print(out, row));
        if (json.wanted()) {
            json.print(tree(result));
        } else {
            conclude(out, result);
        }
        boolean kept = result.rows().stream().allMatch(row -> row.violations() == 0)
                && result.validation().violations() == 0;
        return result.holds() && kept ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private static JsonNode tree(ToleranceSweep.Result result) {
        ObjectNode tree = JSON.valueToTree(result);
        tree.path("rows")
                .forEach(row -> ((ObjectNode) row)
                        .put("tau", JsonOption.tau(row.path("tau").asLong())));
        return tree;
    }

    private void print(PrintWriter out, ToleranceRow row) {
        if (!json.wanted()) {
            out.println(String.format(
                    Locale.ROOT,
                    "%9s  %5.1f %%  %10.1f  %9.1f  %13.1f  %9.1f  %9d  %3d  %8d%s",
                    Tolerance.text(row.tau()),
                    100 * row.waitedShare(),
                    row.updateP50Ms(),
                    row.updateP99Ms(),
                    row.confirmedP50Ms(),
                    row.confirmedP99Ms(),
                    row.unconfirmedP50(),
                    row.unconfirmedP99(),
                    row.exposure(),
                    row.violations() == 0 ? "" : "  " + row.violations() + " guarantees did not hold"));
            out.flush();
        }
    }

    private static void conclude(PrintWriter out, ToleranceSweep.Result result) {
        if (result.recommendedTau() == 0) {
            out.println("no τ was found at which at most one update in a hundred waits");
            return;
        }
        out.println(String.format(
                Locale.ROOT,
                "recommended: τ = %d (rate x lag p99 = %.1f); run with another seed, %.1f %% of the updates wait"
                        + " there: %s",
                result.recommendedTau(),
                result.littleTau(),
                100 * result.validation().waitedShare(),
                result.holds() ? "it holds" : "it does not hold"));
    }
}
