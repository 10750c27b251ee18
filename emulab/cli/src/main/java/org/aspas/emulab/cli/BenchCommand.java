package org.aspas.emulab.cli;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.aspas.emulab.experiments.WorkloadRun;
import org.aspas.emulab.lab.attack.FloodPlan;
import org.aspas.emulab.rivals.SystemCatalogue;
import org.aspas.emulab.rivals.SystemChoice;
import org.aspas.emulab.rivals.aspas.AspasProcess;
import org.aspas.emulab.sim.role.Roles;
import org.aspas.emulab.workload.WorkloadPhase;
import org.aspas.emulab.workload.YcsbProperties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench}: one YCSB workload as fast as it goes, all three tiers in this process. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measure one YCSB workload, as fast as the clients get answers. All three tiers run in this process, on"
                    + " loopback sockets.",
            "It starts servers of its own, and puts no load on a running deployment. 'aspas gatling' does (docs/gatling.md),"
                    + " and so does YCSB by its binding (docs/workloads.md)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no errors, no verification failures, and every appserver agreed",
            "1:an error, a verification failure, a disagreement, or less was done than --rate asked for",
            "2:wrong usage",
            "4:no error, but the generator was saturated: the figures are not the system's"
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
            description = "what the workload is run against: aspas0 to aspas4 (ASPAS with the clients of Table 1 of the"
                    + " paper), aspas2:sync and so on with --durability; '--systems' tells more (default: aspas2)")
    private SystemChoice system = SystemCatalogue.USUAL;

    @Option(
            names = "--split",
            description = "run the servers of ASPAS in a process of their own, and say what each side takes of the"
                    + " processors")
    private boolean split;

    @Option(names = "--systems", description = "run nothing: say what each --system is")
    private boolean systems;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "20",
            description = "length of the run, 1 to 86400 " + "(default: ${DEFAULT-VALUE})")
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
            description =
                    "run the workload four times in one cluster, without, with, with and without floods: seven other"
                            + " clients at each appserver send RATE frames a second each, 1 to 100000: reads without a"
                            + " session (one takes in no answer), forged and repeated updates, inquiries, false"
                            + " complaints, garbage. As much processor time as they take is burnt beside the runs"
                            + " without them; so there is one more run with them first")
    private @Nullable Integer flooding;

    @Option(
            names = "--attack",
            paramLabel = "KIND",
            converter = FloodPlanConverter.class,
            description = "with --compare-flooding: one of floods (all seven), reads, deaf-reads, forgeries,"
                    + " repeated-updates, inquiries, complaints, garbage, by WebSockets; with session- before it, by"
                    + " binary sessions (default: floods)")
    private @Nullable FloodPlan attack;

    @Option(
            names = "--compare-pipelining",
            paramLabel = "K",
            description =
                    "run the workload four times in one cluster, without, with, with and without one more client, which"
                            + " has K updates open at once at the first appserver, 1 to 10000")
    private @Nullable Integer pipelining;

    @Option(
            names = "--byzantine",
            paramLabel = "ROLE",
            description = "the last appserver attacks in this role, as in 'aspas demo'; wrong-values@1 answers one in"
                    + " a hundred with a wrong value")
    private @Nullable String byzantine;

    @Option(
            names = "--signatures",
            description = "run no workload: print what each library for signatures needs, in about half a minute")
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
                    "--byzantine is for one run of ASPAS in this process: leave other systems and"
                            + " --split, --ramp and what compares out");
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
                    "--split is for one system, and that ASPAS: leave --system " + system.name()
                            + ", --compare, --compare-flooding, --compare-pipelining and --compare-inspection out");
        }
        return new SystemChoice(
                kept.name(),
                kept.about() + "; servers in a process of their own",
                kept.mix(),
                started -> AspasProcess.start(Supervisor.command(List.of()), started, options.keepingArguments(kept)),
                kept.durability());
    }
}
