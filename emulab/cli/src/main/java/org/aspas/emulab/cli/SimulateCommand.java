package org.aspas.emulab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.script.Campaign;
import org.aspas.emulab.sim.script.CampaignReport;
import org.aspas.emulab.sim.script.ExpectedFailures;
import org.aspas.emulab.sim.script.ExpectedFailures.ExpectedFailure;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Scenarios;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Shrinker;
import org.aspas.emulab.sim.script.Simulation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code aspas simulate}: the cores of all tiers in virtual time, with faults and Byzantine parties. */
@Command(
        name = "simulate",
        description = "Run the cores of all tiers in virtual time, with faults and Byzantine parties, and check the"
                + " guarantees.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas simulate --seed 7 --minutes 1 --f 2 --roles forking,wrong-values",
            "  aspas simulate --runs 900 --f 1,2,3 --roles each --minutes 0.1667 --threads 2 --json figures.json",
            "  aspas simulate --costs measure --world paper --clients 1000 --f 3 --minutes 0.15",
            "  aspas simulate --list-roles"
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final int FOUND = 1;
    private static final int TAIL = 80;
    /** How many runs of each role are compared with runs without it, when there are as many. */
    private static final int COMPARED_RUNS = 30;

    @Mixin
    private SimulationOptions options = new SimulationOptions();

    @Option(names = "--runs", defaultValue = "1", description = "Number of runs, with consecutive seeds (default: 1).")
    private int runs = 1;

    @Option(names = "--threads", defaultValue = "1", description = "Number of runs at once (default: 1).")
    private int threads = 1;

    @Option(names = "--stop-at-first", description = "Stop at the first violation, without shrinking it.")
    private boolean stopAtFirst;

    @Option(
            names = "--baseline",
            description = "Also run each seed without its roles, and compare what correct clients confirm. With --roles"
                    + " each and at least 30 runs of each role, the first 30 of each are always compared.")
    private boolean baseline;

    @Option(names = "--list-roles", description = "List the Byzantine roles and the scenarios, and exit.")
    private boolean listRoles;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (listRoles) {
            described("appservers", Roles.servers());
            described("bftservers", Roles.replicas());
            described("clients", Roles.clients());
            out().println("scenarios:   " + String.join(" ", Scenarios.names()));
            out().println("fail:        " + String.join(" ", ExpectedFailures.names()));
            return 0;
        }
        if (runs < 1 || threads < 1) {
            throw new IllegalArgumentException("--runs and --threads must be above 0");
        }
        options.check();
        if (options.costs().onlyMeasures()) {
            options.costs().measure();
            return 0;
        }
        options.chooseSeed(runs)
                .ifPresent(seed -> System.out.println("seeds from " + seed + " on (--seed " + seed + " repeats them)"));
        IntFunction<Settings> settings = options.settings();
        Optional<ExpectedFailure> expected = ExpectedFailures.named(options.scenario());
        if (expected.isPresent()) {
            return failing(expected.get(), settings);
        }
        if (stopAtFirst) {
            return stoppingAtFirst(settings);
        }
        long start = System.nanoTime();
        Progress progress = new Progress(runs, start);
        List<RunResult> results = Campaign.run(runs, settings, this::compared, Math.min(threads, runs), result -> {
            if (runs <= 20 || !result.violations().isEmpty()) {
                out().println(CampaignReport.line(result));
            }
            progress.finished(result, System.nanoTime())
                    .ifPresent(spec.commandLine().getErr()::println);
        });
        CampaignReport report = new CampaignReport(results, (System.nanoTime() - start) / 1e9);
        out().print(report.summary());
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

    /** How far a long campaign is, once a minute. For one thread at a time. */
    static final class Progress {
        private static final double SECONDS_BETWEEN = 60;

        private final int runs;
        private final long start;
        private long told;
        private int done;
        private int violated;

        Progress(int runs, long start) {
            this.runs = runs;
            this.start = start;
            told = start;
        }

        /**
         * One more run has ended.
         *
         * @param now by {@link System#nanoTime()}
         * @return a line, when the last one was given a minute ago
         */
        Optional<String> finished(RunResult result, long now) {
            done++;
            if (!result.violations().isEmpty()) {
                violated++;
            }
            if (done == runs || (now - told) / 1e9 < SECONDS_BETWEEN) {
                return Optional.empty();
            }
            told = now;
            double minutesLeft = (now - start) / 60e9 / done * (runs - done);
            return Optional.of(String.format(
                    Locale.ROOT,
                    "%d of %d runs, %d with violations, about %.0f min left",
                    done,
                    runs,
                    violated,
                    Math.ceil(minutesLeft)));
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private void described(String party, List<String> roles) {
        out().println(party + ":");
        Roles.described(roles).forEach(line -> out().println(line));
    }

    private boolean compared(int run) {
        int first = COMPARED_RUNS * Roles.all().size();
        return baseline || (options.eachRole() && runs >= first && run < first);
    }

    /** Shows that every run fails as it is expected to; returns 0 if so. */
    private int failing(ExpectedFailure expected, IntFunction<Settings> settings) {
        out().println(options.scenario() + " is " + expected.sentence());
        int code = 0;
        for (int run = 0; run < runs; run++) {
            RunResult result = Simulation.run(settings.apply(run));
            out().println(CampaignReport.line(result));
            if (!expected.isShownBy(result)) {
                out().println(
                                result.violations().isEmpty()
                                        ? "It passes: it belongs to the scenarios that keep every guarantee."
                                        : "It fails in another way than expected.");
                code = FOUND;
            }
        }
        return code;
    }

    private int stoppingAtFirst(IntFunction<Settings> settings) {
        for (int run = 0; run < runs; run++) {
            RunResult result = Simulation.run(settings.apply(run));
            if (!result.violations().isEmpty()) {
                out().println(CampaignReport.line(result));
                return FOUND;
            }
        }
        return 0;
    }

    private void times(RunResult result) {
        out().printf(
                        Locale.ROOT,
                        "answers: median %.1f ms, 99 %% within %.1f ms; confirmation: median %.1f ms, 99 %% within %.1f ms"
                                + " (virtual time)%n",
                        result.figures().latency(0.5) / 1e3,
                        result.figures().latency(0.99) / 1e3,
                        result.figures().lag(0.5) / 1e3,
                        result.figures().lag(0.99) / 1e3);
        out().println("trace hash: " + result.traceHash());
    }

    private void explain(RunResult result) {
        out().println();
        out().println("Shrinking seed " + result.settings().seed() + ":");
        RunResult small = Shrinker.shrink(result);
        RunResult shown = Simulation.run(small.settings().withTrace(TAIL));
        shown.tail().forEach(line -> out().println(line));
        shown.faults().forEach(fault -> out().println("fault " + fault));
        shown.violations().forEach(line -> out().println(line));
        out().println("again: " + CampaignReport.command(shown.settings()));
    }
}
