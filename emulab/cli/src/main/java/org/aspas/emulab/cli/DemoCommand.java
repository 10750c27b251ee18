package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.bftcluster.engine.PrintCapture;
import org.aspas.emulab.baselines.SystemCatalogue;
import org.aspas.emulab.console.demo.DemoSummary;
import org.aspas.emulab.console.demo.LiveDemo;
import org.aspas.emulab.console.demo.LiveDemoOptions;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.experiments.WorkloadRun;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory.UnusableDirectory;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.ObjectKind;
import org.aspas.emulab.workload.WorkloadMix;
import org.aspas.emulab.workload.WorkloadPhase;
import org.aspas.emulab.workload.YcsbWorkload;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code demo}: all three tiers in one process, YCSB A and then B on counters and then sets, and a closing table. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Run all three tiers in one process on real loopback sockets, drive YCSB workloads A and B over counters"
                    + " and then over sets, and print the measured figures.",
            "Clients are the mix ASPAS2 of the paper's Table 1: 3 %% wait for a certificate after every update (τ=1),"
                    + " 30 %% may have 1000 unconfirmed updates, and 67 %% never wait.",
            "On a terminal the demo prints the address of a page instead, on which you can watch all of this and attack"
                    + " it.",
            "In a --world each client starts at most one operation every 70 ms, because clients near a server would"
                    + " otherwise saturate the machine."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no errors, no verification failures, and every appserver agreed; with --byzantine, correct parties lost "
                    + "nothing and the correct appservers agreed",
            "1:an error, a verification failure, or a disagreement",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas demo",
            "  aspas demo --console --clients 100",
            "  aspas demo --no-console",
            "  aspas demo --seconds 60 --rtt 0 --json result.json",
            "  aspas demo --seconds 8 --keep",
            "  aspas demo --world aws5",
            "  aspas demo --byzantine list",
            "  aspas demo --byzantine forking --seconds 12"
        })
public final class DemoCommand implements Callable<Integer> {
    /** The round trip of a demo without a world: with it, or with this pace, its clients do not fill two processors. */
    private static final int USUAL_RTT_MILLIS = 70;

    private static final int ENDLESS_DAYS = 365;

    /** The options that a demo with a console takes. */
    private static final Set<String> WITH_CONSOLE =
            Set.of("--console", "--seconds", "--clients", "--world", "--f", "--b", "--seed");

    /** Clients next to their server would fill the processors, and the figures would be those of a full machine. */
    private static final LoadModel WORLD_PACE = new LoadModel.Closed(1, USUAL_RTT_MILLIS);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "20",
            description = "length of the run in seconds, split equally among A counters, B counters, A sets, B sets; 4"
                    + " to 86400 (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Mixin
    private RunOptions options = new RunOptions(40, USUAL_RTT_MILLIS);

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private GuardOptions guard;

    @Option(
            names = "--byzantine",
            paramLabel = "ROLE",
            description = "role of the simulator, or several joined by +, in which the last appserver attacks from"
                    + " shortly after the workload's start; clients leave bad servers and have 1 %% of answers"
                    + " inspected unless --inspect is given; 'list' names the roles")
    private @Nullable String byzantine;

    @Option(
            names = "--console",
            negatable = true,
            description = "print the address of a page instead of a table: a live map of world aws5 or another --world,"
                    + " on which you change τ and let servers attack. The demo runs until Ctrl-C, or for --seconds."
                    + " Default: on a terminal, unless an option other than --clients, --world, --f, --b and --seed is"
                    + " given")
    private @Nullable Boolean console;

    @Option(names = "--keep", description = "keep the servers running after the run and print how to use them")
    private boolean keep;

    @Override
    public Integer call() throws IOException, InterruptedException, TimeoutException {
        if ("list".equals(byzantine)) {
            Roles.described(Roles.servers()).forEach(spec.commandLine().getOut()::println);
            return 0;
        }
        if (byzantine != null && !Roles.isServer(byzantine)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "there is no role " + byzantine + " of an appserver; 'aspas demo --byzantine list' names them");
        }
        Ranges.check(spec, "--seconds", seconds, 4, 86_400);
        if (withConsole()) {
            Duration length = parsed().hasMatchedOption("--seconds")
                    ? Duration.ofSeconds(seconds)
                    : Duration.ofDays(ENDLESS_DAYS);
            return LiveDemoRun.run(Terminal.of(spec.commandLine().getOut()), options.live(usualWorld()), length);
        }
        long quarter = seconds * 1000L / 4;
        List<WorkloadPhase> phases = List.of(
                new WorkloadPhase(YcsbWorkload.of(WorkloadMix.A, ObjectKind.COUNTERS), quarter),
                new WorkloadPhase(YcsbWorkload.of(WorkloadMix.B, ObjectKind.COUNTERS), quarter),
                new WorkloadPhase(YcsbWorkload.of(WorkloadMix.A, ObjectKind.SETS), quarter),
                new WorkloadPhase(YcsbWorkload.of(WorkloadMix.B, ObjectKind.SETS), quarter));
        boolean attacked = byzantine != null || options.worldIsByzantine();
        if (byzantine != null && options.worldIsByzantine()) {
            options.noWorldWith("--byzantine: it has a Byzantine appserver of its own");
        }
        WorkloadRun run = options.run(phases)
                .against(options.kept(SystemCatalogue.USUAL))
                .guarded(attacked ? guard.attacked() : guard.policy())
                .attacked(byzantine)
                .loaded(options.inWorld() ? WORLD_PACE : LoadModel.ONE_EACH);
        int exit = run.run(cluster -> {
            if (keep) {
                stay(cluster, Terminal.of(spec.commandLine().getOut()));
            }
        });
        // The demo shows that all works, in one process; whose figures they are matters for a measurement.
        return exit == RunReport.INVALID ? ExitCodes.DONE : exit;
    }

    private ParseResult parsed() {
        return spec.commandLine().getParseResult();
    }

    /** Whether the demo opens a console: as the command line says, else for whoever sits at a terminal and asks for no figures. */
    private boolean withConsole() {
        List<String> others = parsed().matchedOptions().stream()
                .map(option -> option.longestName())
                .filter(name -> !WITH_CONSOLE.contains(name))
                .toList();
        if (console == null) {
            return others.isEmpty()
                    && !parsed().hasMatchedOption("--seconds")
                    && Terminal.of(spec.commandLine().getOut()).isInteractive();
        }
        if (console && !others.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--console does not go together with " + String.join(", ", others));
        }
        return console;
    }

    private static WorldMap usualWorld() {
        return new WorldConverter().convert("aws5");
    }

    private static void stay(Cluster cluster, Terminal terminal) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("aspas-demo-").resolve("deployment");
        try {
            StandingServers servers = StandingServers.of(cluster, directory);
            terminal.line("");
            terminal.title("The servers stay up until Ctrl-C.");
            servers.print(terminal);
            servers.untilSignal();
        } catch (UnusableDirectory fresh) {
            throw new IllegalStateException("a new temporary directory holds a deployment: " + directory, fresh);
        }
    }

    /** A demo that somebody looks at in a browser. */
    private static final class LiveDemoRun {
        private LiveDemoRun() {}

        /**
         * Runs for a time, or until Ctrl-C.
         *
         * @return the exit code
         */
        static int run(Terminal terminal, LiveDemoOptions options, Duration length)
                throws IOException, InterruptedException, TimeoutException {
            PrintCapture.install();
            terminal.line("starting " + options.quorums().appservers() + " appservers, "
                    + options.quorums().bftservers() + " bftservers and " + options.clients() + " clients in world "
                    + options.world().name() + " ...");
            LiveDemo demo = LiveDemo.start(options);
            CountDownLatch over = new CountDownLatch(1);
            Thread closing = new Thread(() -> {
                end(terminal, demo);
                over.countDown();
            });
            Runtime.getRuntime().addShutdownHook(closing);
            terminal.line("");
            terminal.title("Open this page in a browser of this machine:");
            terminal.title("  " + demo.address());
            terminal.line(
                    "Move a τ, corrupt a site and verify the proof there. Treat this URL as a password: anyone who has it can control the demo.");
            terminal.line("All servers run in this process with emulated distances. Ctrl-C ends it.");
            if (over.await(length.toMillis(), TimeUnit.MILLISECONDS)) {
                return ExitCodes.DONE; // The process is ending.
            }
            Runtime.getRuntime().removeShutdownHook(closing);
            return end(terminal, demo).clean() ? ExitCodes.DONE : ExitCodes.FAILED;
        }

        private static DemoSummary end(Terminal terminal, LiveDemo demo) {
            DemoSummary summary = demo.summary();
            demo.close();
            terminal.line("");
            summary.lines().forEach(terminal::line);
            return summary;
        }
    }
}
