package org.aspas.emulab.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.report.RunSettings;
import org.aspas.emulab.workload.ObjectKind;
import org.aspas.emulab.workload.WorkloadMix;
import org.aspas.emulab.workload.WorkloadPhase;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench}: one YCSB workload as fast as it goes, all three tiers in this process. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Runs one YCSB workload without emulated delay, as fast as the clients get answers, with all three "
                        + "tiers in this process on loopback sockets.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no errors, no verification failures, and every appserver agreed",
            "1:an error, a verification failure, or a disagreement",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  aspas bench", "  aspas bench --workload update --type sets --seconds 30 --json result.json"})
public final class BenchCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--workload",
            paramLabel = "W",
            defaultValue = "A",
            description =
                    "A (half updates), B (5 %% updates) or " + "update (updates only) (default: ${DEFAULT-VALUE})")
    private WorkloadMix workload = WorkloadMix.A;

    @Option(
            names = "--type",
            paramLabel = "T",
            defaultValue = "counters",
            description = "counters or sets " + "(default: ${DEFAULT-VALUE})")
    private ObjectKind type = ObjectKind.COUNTERS;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "20",
            description = "length of the run, 1 to 86400 " + "(default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            defaultValue = "8",
            description =
                    "seconds that the same workloads run first, by clients of their own without emulated delay, so "
                            + "that what is measured is compiled code; 0 to 3600 (default: ${DEFAULT-VALUE})")
    private int warmUpSeconds;

    @Option(
            names = "--clients",
            paramLabel = "C",
            defaultValue = "64",
            description = "number of clients, 1 to 1000 " + "(default: ${DEFAULT-VALUE})")
    private int clients;

    @Option(
            names = "--rtt",
            paramLabel = "MS",
            defaultValue = "0",
            description = "emulated round trip between client and "
                    + "appserver in milliseconds, 0 for none (default: ${DEFAULT-VALUE})")
    private int rttMillis;

    @Option(
            names = "--f",
            paramLabel = "F",
            defaultValue = "1",
            description = "Byzantine appservers borne, N=3f+1 " + "(default: ${DEFAULT-VALUE})")
    private int f;

    @Option(
            names = "--b",
            paramLabel = "B",
            defaultValue = "1",
            description = "Byzantine bftservers borne, n=3b+1 " + "(default: ${DEFAULT-VALUE})")
    private int b;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "seed of what the bench chooses itself; "
                    + "YCSB's generators cannot be seeded (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "write the figures to this file too")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException, InterruptedException, TimeoutException {
        Ranges.check(spec, "--seconds", seconds, 1, 86_400);
        Ranges.check(spec, "--warmup", warmUpSeconds, 0, 3600);
        Ranges.check(spec, "--clients", clients, 1, 1000);
        Ranges.check(spec, "--rtt", rttMillis, 0, 10_000);
        Ranges.check(spec, "--f", f, 1, 33);
        Ranges.check(spec, "--b", b, 1, 33);
        List<WorkloadPhase> phases = List.of(new WorkloadPhase(workload, type, seconds * 1000L));
        Terminal terminal = Terminal.of(spec.commandLine().getOut());
        RunSettings settings =
                WorkloadRun.settings("bench", clients, warmUpSeconds, rttMillis, new Quorums(f, b), seed, phases);
        return new WorkloadRun(terminal, settings, phases, json).run(cluster -> {});
    }
}
