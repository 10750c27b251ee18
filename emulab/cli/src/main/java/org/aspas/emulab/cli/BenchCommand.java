package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.aspas.emulab.baselines.AspasProcess;
import org.aspas.emulab.baselines.SystemCatalogue;
import org.aspas.emulab.baselines.SystemChoice;
import org.aspas.emulab.experiments.WorkloadRun;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.testbed.attack.FloodPlan;
import org.aspas.emulab.workload.Arrivals;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.ObjectKind;
import org.aspas.emulab.workload.ToleranceMix;
import org.aspas.emulab.workload.WorkloadMix;
import org.aspas.emulab.workload.WorkloadPhase;
import org.aspas.emulab.workload.YcsbProperties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code bench}: one YCSB workload as fast as it goes, all three tiers in this process. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measure one YCSB workload in a closed loop, or with --rate in an open one. All three tiers run in this"
                    + " process on loopback sockets.",
            "The benchmark starts servers of its own. To load a running deployment, use 'aspas gatling'"
                    + " (docs/gatling.md) or YCSB with its binding for ASPAS (docs/workloads.md)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no errors, no verification failures, and every appserver agreed",
            "1:an error, a verification failure, a disagreement, or fewer operations than --rate asked for",
            "2:wrong usage",
            "4:no error, but the load generator was saturated, so the figures do not describe the system"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas bench",
            "  aspas bench --workload update --type sets --seconds 30 --json result.json",
            "  aspas bench --system aspas0 --workload update --clients 32",
            "  aspas bench -P workloads/workloada -p recordcount=5000 -p threadcount=32",
            "  aspas bench --world paper --clients 40",
            "  aspas bench --split --rate 300 --seconds 60",
            "  aspas bench --ramp 1,10,40,100 --seconds 15 --json ramp.json",
            "  aspas bench --compare ap,aspas0 --repeat 5 --workload update --clients 40",
            "  aspas bench --durability sync --data /srv/scratch",
            "  aspas bench --compare aspas2:memory,aspas2:os,aspas2:sync --repeat 5 --data /srv/scratch",
            "  aspas bench --rate 500 --tau 1=20,10=40,unbounded=40",
            "  aspas bench --compare-inspection 1 --seconds 20",
            "  aspas bench --byzantine wrong-values@1 --inspect 1 --seconds 60",
            "  aspas bench --signatures",
            "  aspas bench --compare-flooding 2000 --rtt 70 --clients 40",
            "  aspas bench --compare-flooding 2000 --tau unbounded=100 --rate 25%%",
            "  aspas bench --compare echo,aspas0 --rtt 70 --rate 50%% --repeat 5 --warmup 90",
            "  aspas bench --compare-pipelining 1000 --workload update --clients 63"
        })
public final class BenchCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private YcsbOptions ycsb;

    @Option(
            names = "--system",
            paramLabel = "NAME",
            converter = SystemConverter.class,
            description = "system under test: aspas0 to aspas4 (ASPAS with the clients of Table 1 of the paper), or"
                    + " with a durability, as in aspas2:sync; --systems lists all of them (default: aspas2)")
    private SystemChoice system = SystemCatalogue.USUAL;

    @Option(
            names = "--split",
            description =
                    "run the servers of ASPAS in a process of their own, and print the processor time of each side")
    private boolean split;

    @Option(names = "--systems", description = "describe each --system and exit")
    private boolean systems;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "20",
            description = "length of the run in seconds, 1 to 86400 (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Mixin
    private RunOptions options = new RunOptions(64, 0);

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private GuardOptions guard;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private LoadOptions load;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private SeriesOptions series;

    @Option(
            names = "--compare-inspection",
            paramLabel = "PERCENT",
            description =
                    "run the workload four times in one cluster, inspection off, on, on, off, each --seconds long, "
                            + "and print what inspecting PERCENT of the answers costs as a ratio to inspecting none")
    private @Nullable Double compare;

    @Option(
            names = "--compare-flooding",
            paramLabel = "RATE",
            description = "run the workload four times in one cluster, without, with, with and without floods, in which"
                    + " seven other clients at each appserver send RATE frames a second each, 1 to 100000: reads"
                    + " without a session (from two clients, one of which never reads its answers), forged and"
                    + " repeated updates, inquiries, false complaints, and garbage. An additional first run measures"
                    + " the processor time of the floods, so that the runs without floods can burn as much")
    private @Nullable Integer flooding;

    @Option(
            names = "--attack",
            paramLabel = "KIND",
            converter = FloodPlanConverter.class,
            description = "with --compare-flooding: what the other clients send, one of floods (all seven), reads,"
                    + " deaf-reads, forgeries, repeated-updates, inquiries, complaints, garbage; over WebSockets, or"
                    + " with the prefix session- over binary sessions (default: floods)")
    private @Nullable FloodPlan attack;

    @Option(
            names = "--compare-pipelining",
            paramLabel = "K",
            description = "run the workload four times in one cluster, without, with, with and without one more client"
                    + " that keeps K updates open at the first appserver, 1 to 10000")
    private @Nullable Integer pipelining;

    @Option(
            names = "--byzantine",
            paramLabel = "ROLE",
            description = "role in which the last appserver attacks, as in 'aspas demo'; wrong-values@1 gives a wrong"
                    + " value in one answer of a hundred")
    private @Nullable String byzantine;

    @Option(
            names = "--signatures",
            description = "measure the signature libraries in place of a workload, in about half a minute")
    private boolean signatures;

    @Override
    public Integer call() throws IOException, InterruptedException, TimeoutException {
        if (signatures) {
            SignatureSpeed.compare(spec.commandLine().getOut(), options.json(), SignatureSpeed.USUAL_ROUND);
            return 0;
        }
        if (systems) {
            SystemCatalogue.all()
                    .forEach(choice -> spec.commandLine()
                            .getOut()
                            .println(String.format(Locale.ROOT, "  %-10s %s", choice.name(), choice.about())));
            return 0;
        }
        WorkloadRun run = workloadRun();
        if (byzantine != null) {
            run = attacked(run, byzantine);
        }
        if (attack != null && flooding == null) {
            throw new ParameterException(spec.commandLine(), "--attack is for --compare-flooding");
        }
        if (compares() || series.wanted()) {
            options.noWorldWith("--ramp, --compare, --compare-flooding, --compare-pipelining and --compare-inspection");
        }
        if (series.wanted()) {
            options.noDurabilityWith(series.compares());
            guard.notWith("--ramp or --compare", compare != null);
            return series.run(run);
        }
        if (!SystemCatalogue.isAspas(system)) {
            guard.notWith("--system " + system.name(), compare != null);
            if (otherClients() != null) {
                throw new ParameterException(
                        spec.commandLine(), otherClients() + " is for ASPAS: leave --system " + system.name() + " out");
            }
        }
        if (otherClients() != null) {
            return beside(run);
        }
        return compare == null
                ? run.guarded(byzantine != null || options.worldIsByzantine() ? guard.attacked() : guard.policy())
                        .run(cluster -> {})
                : run.compareInspection(guard.compared(compare));
    }

    private boolean compares() {
        return otherClients() != null || compare != null;
    }

    /** The option that compares runs with and without other clients; null without one. */
    private @Nullable String otherClients() {
        if (flooding != null) {
            return "--compare-flooding";
        }
        return pipelining == null ? null : "--compare-pipelining";
    }

    private int beside(WorkloadRun run) throws IOException, InterruptedException, TimeoutException {
        if (flooding != null && pipelining != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--compare-flooding and --compare-pipelining are two comparisons: leave one out");
        }
        guard.notWith(String.valueOf(otherClients()), compare != null);
        if (flooding != null) {
            Ranges.check(spec, "--compare-flooding", flooding, 1, 100_000);
            return run.compareFlooding(attack == null ? FloodPlan.USUAL : attack, flooding);
        }
        int open = pipelining == null ? 1 : pipelining;
        Ranges.check(spec, "--compare-pipelining", open, 1, 10_000);
        return run.comparePipelining(open);
    }

    private WorkloadRun attacked(WorkloadRun run, String role) {
        if (!Roles.isServer(role)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "there is no role " + role + " of an appserver; 'aspas demo --byzantine list' names them");
        }
        if (compares() || series.wanted() || split || !SystemCatalogue.isAspas(system)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--byzantine is for one run of ASPAS in this process: leave other systems, --split, --ramp and all"
                            + " comparisons out");
        }
        options.noWorldWith("--byzantine");
        return run.attacked(role);
    }

    private WorkloadRun workloadRun() throws IOException {
        YcsbProperties properties = ycsb.read();
        int length = ycsb.given("--seconds") ? seconds : properties.maxSeconds().orElse(seconds);
        Ranges.check(spec, "--seconds", length, 1, 86_400);
        if (!ycsb.given("--clients")) {
            properties.threads().ifPresent(options::clients);
        }
        WorkloadPhase phase =
                new WorkloadPhase(properties.workload(ycsb.type()), length * 1000L, properties.operations());
        return load.applied(options.run(List.of(phase)).against(chosen()), properties.target());
    }

    private SystemChoice chosen() {
        SystemChoice kept = series.compares() ? system : options.kept(system);
        if (!split) {
            return kept;
        }
        options.noWorldWith("--split");
        if (!SystemCatalogue.isAspas(system) || compares() || series.compares()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--split is for one system, which must be ASPAS: leave --system " + system.name()
                            + ", --compare, --compare-flooding, --compare-pipelining and --compare-inspection out");
        }
        return new SystemChoice(
                kept.name(),
                kept.about() + "; servers in a process of their own",
                kept.mix(),
                started -> AspasProcess.start(Supervisor.command(List.of()), started, options.keepingArguments(kept)),
                kept.durability());
    }

    /** The value of {@code --attack}: who floods, and how. */
    private static final class FloodPlanConverter implements ITypeConverter<FloodPlan> {
        @Override
        public FloodPlan convert(String value) {
            return FloodPlan.named(value)
                    .orElseThrow(() -> new TypeConversionException("there is no attack '" + value + "': attacks are "
                            + String.join(", ", FloodPlan.names()) + ", each also with session- before it"));
        }
    }

    /** When the operations of a run begin, and how many updates its clients let be unconfirmed. */
    private static final class LoadOptions {
        private static final int MOST_PER_SECOND = 1_000_000;
        private static final int MOST_PERCENT = 200;
        private static final String PERCENT = "%";

        @Spec(Spec.Target.MIXEE)
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec command;

        @Option(
                names = "--rate",
                paramLabel = "N|P%",
                description = "open loop: operations to start each second over all clients, 1 to 1000000, whether"
                        + " earlier ones have ended or not; latency counts from the scheduled start. P%%, up to 200%%,"
                        + " is a share of the throughput of a closed loop with the same number of clients and no"
                        + " emulated delay, measured for ten seconds after the warm-up; with --compare the slowest"
                        + " system determines the rate of all. A client with τ=1 starts only one update per"
                        + " certificate; --tau unbounded=100 excludes such clients (default: closed loop)")
        private @Nullable String rate;

        @Option(
                names = "--arrivals",
                paramLabel = "A",
                defaultValue = "poisson",
                description = "with --rate: poisson or uniform (default: ${DEFAULT-VALUE})")
        private Arrivals arrivals = Arrivals.POISSON;

        @Option(
                names = "--open-updates",
                paramLabel = "K",
                defaultValue = "1",
                description =
                        "closed loop: operations that each client keeps open, 1 to 1000 (default: ${DEFAULT-VALUE})")
        private int openEach = 1;

        @Option(
                names = "--tau",
                paramLabel = "TAU=PERCENT",
                split = ",",
                description = "classes of clients in place of those of --system: each τ with the percentage of clients"
                        + " that use it, such as 1=20,10=40,unbounded=40")
        private @Nullable Map<String, Integer> mix;

        WorkloadRun applied(WorkloadRun run, OptionalInt target) {
            WorkloadRun loaded = run.loaded(model(target));
            if (mix == null) {
                return loaded;
            }
            try {
                return loaded.mixed(new ToleranceMix(mix));
            } catch (IllegalArgumentException wrong) {
                throw new ParameterException(command.commandLine(), "--tau: " + wrong.getMessage(), wrong);
            }
        }

        private LoadModel model(OptionalInt target) {
            Ranges.check(command, "--open-updates", openEach, 1, 1000);
            if (rate == null && target.isEmpty()) {
                return new LoadModel.Closed(openEach);
            }
            if (openEach > 1) {
                throw new ParameterException(
                        command.commandLine(), "--rate opens as many operations as it needs: leave --open-updates out");
            }
            boolean share = rate != null && rate.endsWith(PERCENT);
            int number = rate == null ? target.orElse(1) : number(share ? rate.substring(0, rate.length() - 1) : rate);
            Ranges.check(command, "--rate", number, 1, share ? MOST_PERCENT : MOST_PER_SECOND);
            return share ? new LoadModel.Share(number / 100.0, arrivals) : new LoadModel.Open(number, arrivals);
        }

        private int number(String text) {
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException none) {
                throw new ParameterException(
                        command.commandLine(),
                        "--rate is " + rate + ", but must be a whole number, or one and %",
                        none);
            }
        }
    }

    /** Several runs in one: with ever more clients, or on several systems in turns. */
    private static final class SeriesOptions {
        @Spec(Spec.Target.MIXEE)
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec command;

        @Option(
                names = "--ramp",
                paramLabel = "CLIENTS",
                split = ",",
                description = "run the workload with increasing numbers of clients, such as 1,10,40,100, until the"
                        + " system or the load generator is saturated; each step has a warm-up and takes --seconds")
        private @Nullable List<Integer> ramp;

        @Option(
                names = "--compare",
                paramLabel = "SYSTEM",
                split = ",",
                converter = SystemConverter.class,
                description = "run the workload on two or more systems in turn (A B, B A), such as ap,aspas2 or"
                        + " aspas2:memory,aspas2:os,aspas2:sync, each run on a freshly started system, and print the"
                        + " figures of the others as ratios to those of the first, with their spread")
        private @Nullable List<SystemChoice> compared;

        @Option(
                names = "--repeat",
                paramLabel = "R",
                defaultValue = "2",
                description = "with --compare: runs of each system, 1 to 100 (default: ${DEFAULT-VALUE})")
        private int repeat = 2;

        /** Whether there is to be more than one run. */
        boolean wanted() {
            return ramp != null || compared != null;
        }

        boolean compares() {
            return compared != null;
        }

        /** Does the runs, and returns the exit code. */
        int run(WorkloadRun run) throws IOException, InterruptedException, TimeoutException {
            if (ramp != null && compared != null) {
                throw new ParameterException(command.commandLine(), "--ramp and --compare do not go together");
            }
            if (compared != null) {
                if (compared.size() < 2) {
                    throw new ParameterException(
                            command.commandLine(), "--compare takes two systems or more, such as ap,aspas2");
                }
                Ranges.check(command, "--repeat", repeat, 1, 100);
                return run.compare(compared, repeat);
            }
            List<Integer> steps = ramp == null ? List.of() : ramp;
            for (int step = 0; step < steps.size(); step++) {
                Ranges.check(command, "--ramp", steps.get(step), 1, 1000);
                if (step > 0 && steps.get(step) <= steps.get(step - 1)) {
                    throw new ParameterException(command.commandLine(), "--ramp must increase: " + steps);
                }
            }
            return run.ramp(steps);
        }
    }

    /** Which workload to run, as users of YCSB say it. */
    private static final class YcsbOptions {
        @Spec(Spec.Target.MIXEE)
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec command;

        @Option(
                names = "--workload",
                paramLabel = "W",
                defaultValue = "A",
                description =
                        "one of YCSB's mixes: A (half updates), B (5 %% updates), C (reads), D (5 %% inserts, the newest"
                                + " read most), F (half read-modify-writes); update (updates only); or feed (a social feed,"
                                + " with comments of -p fieldlength bytes) (default: ${DEFAULT-VALUE})")
        private WorkloadMix workload = WorkloadMix.A;

        @Option(
                names = "--type",
                paramLabel = "T",
                defaultValue = "counters",
                description = "counters or sets " + "(default: ${DEFAULT-VALUE})")
        private ObjectKind type = ObjectKind.COUNTERS;

        @Option(
                names = "-P",
                paramLabel = "FILE",
                description = "YCSB workload file, in place of --workload; repeatable, and later files override earlier"
                        + " ones. threadcount, maxexecutiontime and operationcount apply unless --clients and"
                        + " --seconds are given")
        private List<Path> files = new ArrayList<>();

        @Option(
                names = "-p",
                paramLabel = "NAME=VALUE",
                description = "YCSB property, which overrides those of --workload and -P; aspas.elements is the number"
                        + " of different elements that a set can have (100)")
        private Map<String, String> properties = new LinkedHashMap<>();

        boolean given(String option) {
            return command.commandLine().getParseResult().hasMatchedOption(option);
        }

        ObjectKind type() {
            return type;
        }

        /** The properties asked for; tells those that are ignored. */
        YcsbProperties read() throws IOException {
            if (!files.isEmpty() && given("--workload")) {
                throw new ParameterException(command.commandLine(), "-P defines the workload: leave --workload out");
            }
            YcsbProperties read = YcsbProperties.read(workload, files, properties);
            read.ignored(type).forEach(command.commandLine().getErr()::println);
            return read;
        }
    }

    /** The value of {@code --system}: the name of a system. */
    private static final class SystemConverter implements ITypeConverter<SystemChoice> {
        @Override
        public SystemChoice convert(String value) {
            return SystemCatalogue.named(value)
                    .orElseThrow(() -> new TypeConversionException("there is no system '" + value + "': systems are "
                            + SystemCatalogue.all().stream()
                                    .map(SystemChoice::name)
                                    .collect(Collectors.joining(", "))));
        }
    }
}
