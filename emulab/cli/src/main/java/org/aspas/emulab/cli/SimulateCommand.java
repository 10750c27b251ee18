package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import org.aspas.emulab.sim.crypto.Keyring;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.fault.Fault;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.report.CampaignReport;
import org.aspas.emulab.sim.role.Roles;
import org.aspas.emulab.sim.run.Campaign;
import org.aspas.emulab.sim.run.ExpectedFailures;
import org.aspas.emulab.sim.run.ExpectedFailures.ExpectedFailure;
import org.aspas.emulab.sim.run.RunResult;
import org.aspas.emulab.sim.run.Scenarios;
import org.aspas.emulab.sim.run.Settings;
import org.aspas.emulab.sim.run.Shrinker;
import org.aspas.emulab.sim.run.Simulation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code aspas simulate}: the cores of all tiers in virtual time, with faults and Byzantine parties. */
@Command(
        name = "simulate",
        description =
                "Run the cores of all tiers in virtual time, with faults and Byzantine parties, under the guarantees.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas simulate --seed 7 --minutes 1 --f 2 --roles forking,wrong-values",
            "  aspas simulate --runs 900 --f 1,2,3 --roles each --minutes 0.1667 --threads 2 --json figures.json",
            "  aspas simulate --list-roles"
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final int FOUND = 1;
    private static final int TAIL = 80;
    /** How many runs of each role are compared with runs without it, when there are as many. */
    private static final int COMPARED_RUNS = 30;

    @Option(names = "--seed", defaultValue = "1", description = "Where all randomness comes from (default: 1).")
    private long seed = 1;

    @Option(
            names = "--minutes",
            defaultValue = "0.25",
            description = "How long clients work and faults happen, in virtual minutes (default: 0.25).")
    private double minutes = 0.25;

    @Option(
            names = "--f",
            split = ",",
            defaultValue = "1",
            description = "How many appservers may be Byzantine, of 3f+1; several values take turns (default: 1).")
    private List<Integer> f = List.of(1);

    @Option(names = "--b", defaultValue = "1", description = "How many bftservers may be Byzantine (default: 1).")
    private int b = 1;

    @Option(names = "--clients", defaultValue = "5", description = "How many correct clients (default: 5).")
    private int clients = 5;

    @Option(
            names = "--pause-ms",
            defaultValue = "400",
            description = "The mean time between two calls of a client (default: 400).")
    private long pauseMillis = 400;

    @Option(
            names = "--roles",
            split = ",",
            description =
                    "Byzantine roles of this run, by name; 'each' gives every run the next role, 'mix' a random mix.")
    private List<String> roles = List.of();

    @Option(
            names = "--faults",
            split = ",",
            defaultValue = "all",
            description =
                    "What may go wrong besides: all, none, or kinds such as crash,partition,weather (default: all).")
    private List<String> faults = List.of("all");

    @Option(
            names = "--fault-pause-ms",
            defaultValue = "800",
            description = "The mean time between two faults (default: 800).")
    private long faultPauseMillis = 800;

    @Option(names = "--leave-out", split = ",", description = "Numbers of planned faults that do not happen.")
    private List<Integer> leaveOut = List.of();

    @Option(names = "--rtt-ms", defaultValue = "0", description = "One round trip for all (default: random sites).")
    private long roundTripMillis;

    @Option(names = "--runs", defaultValue = "1", description = "How many runs, with consecutive seeds (default: 1).")
    private int runs = 1;

    @Option(names = "--threads", defaultValue = "1", description = "How many runs at once (default: 1).")
    private int threads = 1;

    @Option(names = "--stop-at-first", description = "End with the first violation, and do not shrink it.")
    private boolean stopAtFirst;

    @Option(names = "--crypto", defaultValue = "fast", description = "fast or real signatures (default: fast).")
    private Keyring crypto = Keyring.FAST;

    @Option(
            names = "--scenario",
            defaultValue = "",
            description =
                    "A named scenario in place of all other settings but --roles, --tau, --workload and --crypto.")
    private String scenario = "";

    @Option(
            names = "--wary",
            description = "Clients of correct servers may leave them too, inspect and complain (default: they stay).")
    private boolean wary;

    @Option(
            names = "--retained",
            defaultValue = "1024",
            description = "How many certificates an appserver keeps for those that were away (default: 1024).")
    private int retained = 1024;

    @Option(
            names = "--workload",
            defaultValue = "full",
            description = "classic or full: which updates clients make (default: full, all operations of all types).")
    private Workload.Mix workload = Workload.Mix.FULL;

    @Option(
            names = "--tau",
            paramLabel = "N",
            description = "The τ of all clients, 0 for no bound (default: by chance, and changed now and then).")
    private @Nullable Long tau;

    @Option(
            names = "--baseline",
            description =
                    "Run each seed without its roles too, and compare what correct clients confirm. With --roles each"
                            + " and 30 runs of each role or more, the first 30 of each are compared in any case.")
    private boolean baseline;

    @Option(names = "--list-roles", description = "List the Byzantine roles and the scenarios, and end.")
    private boolean listRoles;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures here.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException {
        if (listRoles) {
            System.out.println("appservers:  " + String.join(" ", Roles.servers()));
            System.out.println("bftservers:  " + String.join(" ", Roles.replicas()));
            System.out.println("clients:     " + String.join(" ", Roles.clients()));
            System.out.println("scenarios:   " + String.join(" ", Scenarios.names()));
            System.out.println("fail:        " + String.join(" ", ExpectedFailures.names()));
            return 0;
        }
        check();
        Optional<ExpectedFailure> expected = ExpectedFailures.named(scenario);
        if (expected.isPresent()) {
            return failing(expected.get());
        }
        if (stopAtFirst) {
            return stoppingAtFirst();
        }
        long start = System.nanoTime();
        IntFunction<Settings> settings = this::settings;
        List<RunResult> results = Campaign.run(runs, settings, this::compared, Math.min(threads, runs), result -> {
            if (runs <= 20 || !result.violations().isEmpty()) {
                System.out.println(CampaignReport.line(result));
            }
        });
        CampaignReport report = new CampaignReport(results, (System.nanoTime() - start) / 1e9);
        System.out.print(report.summary());
        if (runs == 1) {
            times(results.get(0));
        }
        Path file = json;
        if (file != null) {
            report.write(file);
        }
        for (RunResult result : results) {
            if (!result.violations().isEmpty()) {
                explain(result);
                return FOUND;
            }
        }
        return report.roleViolations().isEmpty() ? 0 : FOUND;
    }

    private boolean compared(int run) {
        int first = COMPARED_RUNS * everyRole().size();
        return baseline || (roles.equals(List.of("each")) && runs >= first && run < first);
    }

    private static List<String> everyRole() {
        List<String> all = new ArrayList<>(Roles.servers());
        all.addAll(Roles.replicas());
        all.addAll(Roles.clients());
        return all;
    }

    /** 0 when every run fails as it is expected to. */
    private int failing(ExpectedFailure expected) {
        System.out.println(scenario + " is " + expected.sentence());
        int code = 0;
        for (int run = 0; run < runs; run++) {
            RunResult result = Simulation.run(settings(run));
            System.out.println(CampaignReport.line(result));
            if (!expected.isShownBy(result)) {
                System.out.println(
                        result.violations().isEmpty()
                                ? "It passes: it belongs to the scenarios that keep every guarantee."
                                : "It fails otherwise than expected.");
                code = FOUND;
            }
        }
        return code;
    }

    private int stoppingAtFirst() {
        for (int run = 0; run < runs; run++) {
            Settings one = settings(run);
            RunResult result = Simulation.run(one);
            if (!result.violations().isEmpty()) {
                System.out.println(CampaignReport.line(result));
                return FOUND;
            }
        }
        return 0;
    }

    private void check() {
        if (runs < 1
                || threads < 1
                || retained < 1
                || clients < 0
                || (tau != null && tau < 0)
                || minutes <= 0
                || pauseMillis < 1
                || faultPauseMillis < 1) {
            throw new IllegalArgumentException(
                    "--runs, --threads, --retained, --minutes, --pause-ms and --fault-pause-ms must be above 0,"
                            + " --clients and --tau not below");
        }
        for (String role : roles) {
            boolean known = role.equals("each")
                    || role.equals("mix")
                    || role.equals("none")
                    || Roles.isServer(role)
                    || Roles.isReplica(role)
                    || Roles.isClient(role);
            if (!known) {
                throw new IllegalArgumentException("--roles: there is no role '" + role + "'; see --list-roles");
            }
        }
    }

    private Settings settings(int run) {
        if (!scenario.isEmpty()) {
            Settings named = Scenarios.named(scenario)
                    .apply(seed + run)
                    .withKeyring(crypto)
                    .withWorkload(workload);
            Settings tolerant = tau == null ? named : named.withTolerance(tau);
            return roles.isEmpty() ? tolerant : tolerant.withRoles(roles(run));
        }
        return new Settings(
                seed + run,
                f.get(run % f.size()),
                b,
                clients,
                Math.round(minutes * 60e6),
                pauseMillis * 1000,
                roles(run),
                kinds(),
                faultPauseMillis * 1000,
                new TreeSet<>(leaveOut),
                crypto,
                roundTripMillis * 1000,
                List.of(),
                0,
                wary,
                retained,
                "",
                workload,
                false,
                0,
                tau == null ? OptionalLong.empty() : OptionalLong.of(tau));
    }

    private List<String> roles(int run) {
        List<String> all = everyRole();
        if (roles.equals(List.of("each"))) {
            return List.of(all.get(run % all.size()));
        }
        if (roles.equals(List.of("mix"))) {
            Chance chance = new Chance(seed + run).stream("mix");
            return List.copyOf(chance.shuffled(all).subList(0, 1 + chance.index(4)));
        }
        return roles.equals(List.of("none")) ? List.of() : roles;
    }

    private Set<Fault.Kind> kinds() {
        if (faults.equals(List.of("all"))) {
            return EnumSet.allOf(Fault.Kind.class);
        }
        Set<Fault.Kind> kinds = EnumSet.noneOf(Fault.Kind.class);
        for (String name : faults) {
            if (!name.equals("none")) {
                kinds.add(Fault.Kind.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')));
            }
        }
        return kinds;
    }

    private static void times(RunResult result) {
        System.out.printf(
                "answers: median %.1f ms, 99 %% within %.1f ms; confirmation: median %.1f ms, 99 %% within %.1f ms"
                        + " (virtual time)%n",
                result.figures().latency(0.5) / 1e3,
                result.figures().latency(0.99) / 1e3,
                result.figures().lag(0.5) / 1e3,
                result.figures().lag(0.99) / 1e3);
        System.out.println("trace hash: " + result.traceHash());
    }

    private static void explain(RunResult result) {
        System.out.println();
        System.out.println("Shrinking seed " + result.settings().seed() + ":");
        RunResult small = Shrinker.shrink(result);
        RunResult shown = Simulation.run(small.settings().withTrace(TAIL));
        shown.tail().forEach(System.out::println);
        shown.faults().forEach(fault -> System.out.println("fault " + fault));
        shown.violations().forEach(System.out::println);
        System.out.println("again: " + CampaignReport.command(shown.settings()));
    }
}
