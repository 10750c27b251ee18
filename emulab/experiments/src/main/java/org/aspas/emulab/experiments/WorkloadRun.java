package org.aspas.emulab.experiments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.aspas.appserver.store.Durability;
import org.aspas.bftcluster.engine.PrintCapture;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.client.core.Policy;
import org.aspas.emulab.baselines.AspasSystem;
import org.aspas.emulab.baselines.SystemCatalogue;
import org.aspas.emulab.baselines.SystemChoice;
import org.aspas.emulab.experiments.report.ClosingTable;
import org.aspas.emulab.experiments.report.ComparisonReport.Subject;
import org.aspas.emulab.experiments.report.RampReport;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.experiments.report.RunSettings;
import org.aspas.emulab.experiments.report.SystemRatios;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.testbed.attack.Attack;
import org.aspas.emulab.testbed.attack.FloodPlan;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.testbed.cluster.StorageOptions;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.SystemUnderTest;
import org.aspas.emulab.workload.ToleranceMix;
import org.aspas.emulab.workload.WorkloadPhase;
import org.aspas.emulab.workload.YcsbWorkload;
import org.jspecify.annotations.Nullable;
import site.ycsb.WorkloadException;

/** What demo and bench share: banner, cluster, run, closing table, JSON, and the exit code. */
public final class WorkloadRun {
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);

    private final Terminal terminal;
    private final RunSettings settings;
    private final List<WorkloadPhase> phases;
    private final @Nullable Path json;
    private final Policy policy;
    private final @Nullable String role;
    private final SystemChoice choice;
    private final @Nullable WorldMap world;
    private final StorageOptions keeping;

    public WorkloadRun(Terminal terminal, RunSettings settings, List<WorkloadPhase> phases, @Nullable Path json) {
        this(terminal, settings, phases, json, Policy.STAY, null, SystemCatalogue.USUAL, null, StorageOptions.NOTHING);
    }

    private WorkloadRun(
            Terminal terminal,
            RunSettings settings,
            List<WorkloadPhase> phases,
            @Nullable Path json,
            Policy policy,
            @Nullable String role,
            SystemChoice choice,
            @Nullable WorldMap world,
            StorageOptions keeping) {
        this.terminal = terminal;
        this.settings = settings;
        this.phases = List.copyOf(phases);
        this.json = json;
        this.policy = policy;
        this.role = role;
        this.choice = choice;
        this.world = world;
        this.keeping = keeping;
    }

    /** The same run with clients that guard themselves so; null for clients that stay whatever happens. */
    public WorkloadRun guarded(@Nullable Policy other) {
        Policy chosen = other == null ? Policy.STAY : other;
        return new WorkloadRun(
                terminal,
                settings.guarded(chosen.switching(), 100 * chosen.inspection()),
                phases,
                json,
                chosen,
                role,
                choice,
                world,
                keeping);
    }

    /** The same run with the last appserver Byzantine in a role; null for none. */
    public WorkloadRun attacked(@Nullable String byzantine) {
        return new WorkloadRun(terminal, settings, phases, json, policy, byzantine, choice, world, keeping);
    }

    public WorkloadRun against(SystemChoice other) {
        RunSettings same = settings.against(other.name(), other.mix());
        return new WorkloadRun(terminal, same, phases, json, policy, role, other, world, keeping);
    }

    /** The same run in a world, on whose timeline nothing is that one process cannot have; null for none. */
    public WorkloadRun in(@Nullable WorldMap map) {
        return new WorkloadRun(terminal, settings, phases, json, policy, role, choice, map, keeping);
    }

    /** The same run with servers of ASPAS that keep what they know elsewhere, or for another time. */
    public WorkloadRun keeping(StorageOptions other) {
        return new WorkloadRun(terminal, settings, phases, json, policy, role, choice, world, other);
    }

    public WorkloadRun loaded(LoadModel load) {
        return new WorkloadRun(terminal, settings.loaded(load), phases, json, policy, role, choice, world, keeping);
    }

    public WorkloadRun mixed(ToleranceMix mix) {
        return new WorkloadRun(
                terminal, settings.against(settings.system(), mix), phases, json, policy, role, choice, world, keeping);
    }

    public int compareInspection(Policy inspecting) throws IOException, InterruptedException, TimeoutException {
        return compare(settings.guarded(true, 100 * inspecting.inspection()), new Inspection(inspecting));
    }

    public int compareFlooding(FloodPlan plan, int perSecond)
            throws IOException, InterruptedException, TimeoutException {
        return compare(settings, new Flooding(plan, perSecond, settings.seed()));
    }

    public int comparePipelining(int open) throws IOException, InterruptedException, TimeoutException {
        return compare(settings, new Pipelining(open, Experiment.roundTrip(settings)));
    }

    /**
     * Runs it with ever more clients until the system is saturated.
     *
     * @param clients how many clients each step has
     * @return the exit code: 0 when all steps are clean and valid, 1 when one is not clean, 4 when one is not valid
     */
    public int ramp(List<Integer> clients) throws IOException, InterruptedException, TimeoutException {
        PrintCapture.install();
        terminal.line("starting " + choice.name() + " ...");
        try (SystemUnderTest system = choice.start(options())) {
            RampReport report = new Ramp(terminal, settings, phases).run(system, clients);
            terminal.title("ASPAS " + settings.command() + " of " + choice.name() + ": " + workloads());
            report.lines().forEach(terminal::line);
            if (json != null) {
                report.write(json);
                terminal.line("  written to " + json);
            }
            return report.exitCode();
        } catch (WorkloadException refused) {
            throw refusal(refused);
        }
    }

    /**
     * Runs it on several systems in turns.
     *
     * @param systems two or more; the first is the one that is divided by
     * @param repeat how many runs each has, from 1
     * @return the exit code: 0 when all runs are clean and valid, 1 when one is not clean, 4 when one is not valid
     */
    public int compare(List<SystemChoice> systems, int repeat)
            throws IOException, InterruptedException, TimeoutException {
        PrintCapture.install();
        try {
            List<SystemRatios> all = new SystemComparison(terminal, settings, phases, options()).run(systems, repeat);
            for (SystemRatios ratios : all) {
                terminal.title("ASPAS " + settings.command() + ": " + ratios.name() + ", " + workloads() + ", "
                        + settings.clients() + " clients");
                ratios.lines().forEach(terminal::line);
            }
            if (json != null) {
                SystemRatios.write(all, json);
                terminal.line("  written to " + json);
            }
            return SystemRatios.exitCodeOf(all);
        } catch (WorkloadException refused) {
            throw refusal(refused);
        }
    }

    private String workloads() {
        boolean ycsb = phases.stream().allMatch(phase -> phase.workload() instanceof YcsbWorkload);
        return (ycsb ? "YCSB " : "") + String.join(", ", settings.phases());
    }

    private SystemChoice.Options options() {
        return new SystemChoice.Options(new Quorums(settings.f(), settings.b()), policy, START_PATIENCE, null, keeping);
    }

    private static UncheckedIOException refusal(WorkloadException refused) {
        return new UncheckedIOException(new IOException("YCSB refuses the workload: " + refused.getMessage(), refused));
    }

    private int compare(RunSettings compared, Comparison.Treatment treatment)
            throws IOException, InterruptedException, TimeoutException {
        return new Comparison(terminal, compared, phases, json, treatment, keeping.with(choice.durability())).run();
    }

    /** What happens with the cluster of ASPAS after the run, before it is stopped; nothing with another system. */
    public interface Afterwards {
        void with(Cluster cluster) throws IOException, InterruptedException;
    }

    public static RunSettings settings(
            String command,
            int clients,
            int warmUpSeconds,
            int rttMillis,
            Quorums quorums,
            long seed,
            List<WorkloadPhase> phases) {
        long millis = phases.stream().mapToLong(WorkloadPhase::millis).sum();
        return new RunSettings(
                command,
                SystemCatalogue.USUAL.name(),
                SystemCatalogue.USUAL.mix(),
                clients,
                LoadModel.ONE_EACH,
                (int) (millis / 1000),
                warmUpSeconds,
                rttMillis,
                false,
                0,
                quorums.f(),
                quorums.b(),
                seed,
                phases.stream().map(WorkloadPhase::label).toList(),
                phases.stream()
                        .mapToInt(phase -> phase.workload().records())
                        .max()
                        .orElse(0),
                Runtime.version().toString(),
                Runtime.getRuntime().availableProcessors());
    }

    /** What is done with a system after the run, before it is stopped. */
    private interface Finish {
        void with(SystemUnderTest system, RunReport report) throws IOException, InterruptedException;
    }

    /**
     * Runs and prints.
     *
     * @return the exit code: 0 for a clean run, 1 for any error, failed check or disagreement
     * @throws IOException when the servers cannot be started or asked, or the JSON file cannot be written
     */
    public int run(Afterwards afterwards) throws IOException, InterruptedException, TimeoutException {
        RunReport done = measure(measures -> {}, (system, report) -> {
            print(report);
            if (system instanceof AspasSystem aspas) {
                afterwards.with(aspas.cluster());
            }
        });
        return done.exitCode();
    }

    /**
     * Runs, and prints no table.
     *
     * @param watcher is told of the measurements as they begin
     * @throws IOException when the servers cannot be started or asked
     */
    public RunReport measure(Consumer<Measures> watcher) throws IOException, InterruptedException, TimeoutException {
        return measure(watcher, (system, report) -> {});
    }

    private RunReport measure(Consumer<Measures> watcher, Finish finish)
            throws IOException, InterruptedException, TimeoutException {
        PrintCapture.install();
        Quorums quorums = new Quorums(settings.f(), settings.b());
        terminal.line("starting " + choice.name() + ", f=" + quorums.f() + " and b=" + quorums.b()
                + ", on loopback sockets ...");
        Attack attack = attack(quorums);
        EmulatedNetwork network = world == null ? null : new EmulatedNetwork(world, settings.seed());
        try (network;
                SystemUnderTest system = start(quorums, attack, network)) {
            terminal.title("ASPAS " + settings.command()
                    + ": a loopback demo in one process, not representative of production");
            RunBanner.lines(choice, settings, world, keeping.with(choice.durability()), system)
                    .forEach(terminal::line);
            if (attack != null) {
                terminal.line("  appserver-" + attack.server() + " will attack as " + attack.role() + ": "
                        + Roles.line(attack.role()));
            }
            Progress progress = new Progress(terminal, watcher);
            RunReport report = new Experiment(system, settings, phases, progress, attack, network).run();
            finish.with(system, report);
            return report;
        } catch (WorkloadException refused) {
            throw refusal(refused);
        }
    }

    private void print(RunReport report) throws IOException {
        terminal.line("");
        String subject = choice.equals(SystemCatalogue.USUAL) ? "" : " of " + choice.name();
        terminal.title("ASPAS " + settings.command() + subject + ": " + workloads());
        ClosingTable.lines(report).forEach(terminal::line);
        if (json != null) {
            report.write(json);
            terminal.line("  written to " + json);
        }
    }

    /** What the command line or else the world's timeline asks for. */
    private @Nullable Attack attack(Quorums quorums) {
        if (role != null) {
            return new Attack(role, quorums.appservers() - 1, settings.seed(), terminal::line);
        }
        return world == null
                ? null
                : Attack.of(world, settings.seed(), terminal::line).orElse(null);
    }

    private SystemUnderTest start(Quorums quorums, @Nullable Attack attack, @Nullable EmulatedNetwork network)
            throws IOException, InterruptedException, TimeoutException {
        if (attack == null) {
            SystemUnderTest system =
                    choice.start(new SystemChoice.Options(quorums, policy, START_PATIENCE, network, keeping));
            if (network != null && !network.isUsed()) {
                system.close();
                throw new IllegalArgumentException("--system " + choice.name() + " does not take a --world");
            }
            return system;
        }
        Cluster cluster = Cluster.start(
                quorums,
                keeping.with(choice.durability())
                        .options()
                        .withMachines(attack::machine)
                        .in(network));
        List<Integer> correct = IntStream.range(0, cluster.appservers())
                .filter(server -> attack.server() != server)
                .boxed()
                .toList();
        return AspasSystem.of(cluster, correct, policy, START_PATIENCE);
    }

    /**
     * Inspection as a treatment: two groups of equally many clients that differ in the rate of inspection alone.
     *
     * @param inspecting how the inspecting clients guard themselves; the others do the same and inspect nothing
     */
    private record Inspection(Policy inspecting) implements Comparison.Treatment {
        private String percent() {
            return String.format(Locale.ROOT, "%s %%", 100 * inspecting.inspection());
        }

        @Override
        public Subject subject() {
            return new Subject("inspection", percent(), "inspections");
        }

        @Override
        public String title() {
            return "the cost of inspecting " + percent() + " of the answers";
        }

        @Override
        public Policy policy(boolean on) {
            return on ? inspecting : inspecting.withInspection(0, 0);
        }

        @Override
        public SortedMap<String, Double> figures(List<StoreSession> clients, long operations)
                throws InterruptedException {
            return InspectionFigures.figures(InspectionFigures.settled(clients), operations);
        }

        @Override
        public Comparison.Running begin(AspasSystem system) {
            return new Comparison.Running() {
                @Override
                public long count(List<StoreSession> clients) {
                    return clients.stream().mapToLong(StoreSession::inspections).sum();
                }

                @Override
                public void close() {
                    // The clients that inspect do so while they work.
                }
            };
        }
    }

    /** The same workload with ever more clients on one system, until it is saturated. */
    private static final class Ramp {
        /** Less than in the first step, in which the JVM has compiled what it has to. */
        private static final int LATER_WARM_UP_SECONDS = 4;

        private final Terminal terminal;
        private final RunSettings settings;
        private final List<WorkloadPhase> phases;

        Ramp(Terminal terminal, RunSettings settings, List<WorkloadPhase> phases) {
            this.terminal = terminal;
            this.settings = settings;
            this.phases = List.copyOf(phases);
        }

        /**
         * Runs the steps, each with a warm-up and a check at its end that the servers agree.
         *
         * @param clients how many clients each step has
         */
        RampReport run(SystemUnderTest system, List<Integer> clients)
                throws IOException, InterruptedException, TimeoutException, WorkloadException {
            Ledger ledger = new Ledger();
            List<RunReport> steps = new ArrayList<>();
            Optional<String> saturation = Optional.empty();
            for (int next = 0; next < clients.size() && saturation.isEmpty(); next++) {
                int warmUp = next == 0
                        ? settings.warmUpSeconds()
                        : Math.min(settings.warmUpSeconds(), LATER_WARM_UP_SECONDS);
                RunSettings step = settings.withClients(clients.get(next), warmUp);
                terminal.line("step " + (next + 1) + " of " + clients.size() + ": " + step.clients() + " clients");
                steps.add(new Experiment(system, step, phases, new Progress(terminal, measures -> {}), null, null)
                        .run(ledger));
                saturation = RampReport.saturation(steps);
            }
            return new RampReport(steps, saturation.orElse("all steps are done"));
        }
    }

    /** What is said of a run before it begins. */
    private static final class RunBanner {
        private RunBanner() {}

        static List<String> lines(
                SystemChoice choice,
                RunSettings settings,
                @Nullable WorldMap world,
                StorageOptions keeping,
                SystemUnderTest system) {
            List<String> lines = new ArrayList<>();
            lines.add("  " + choice.name() + ": " + choice.about());
            if (system instanceof AspasSystem aspas) {
                aspas.cluster()
                        .descriptor()
                        .nodes()
                        .forEach(node -> lines.add(String.format(
                                        Locale.ROOT, "  %-12s links %s:%d", node.id(), node.host(), node.linkPort())
                                + (node.id().role() == Role.APPSERVER ? "   http " + node.servicePort() : "")));
            }
            Durability durability = keeping.durability();
            if (durability != null) {
                lines.add("  records in files on " + keeping.disk() + ", those of appservers by "
                        + durability.name().toLowerCase(Locale.ROOT));
            }
            String distance = world == null
                    ? "round trip " + settings.rttMillis() + " ms"
                    : "world " + world.name() + " (" + world.about() + ")";
            lines.add("  " + settings.clients() + " clients (" + settings.mix().text() + "), " + distance + ", seed "
                    + settings.seed());
            return lines;
        }
    }
}
