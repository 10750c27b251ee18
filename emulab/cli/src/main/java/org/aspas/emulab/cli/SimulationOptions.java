package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.experiments.run.CostMeasurement;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.engine.Keyring;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.node.CostFile;
import org.aspas.emulab.sim.node.LoadedSystem;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.aspas.emulab.sim.node.StepMeter;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.script.Fault;
import org.aspas.emulab.sim.script.Scenarios;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.world.WorldMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What each run of {@code simulate} is: the options from which its settings follow. */
final class SimulationOptions {
    private static final List<String> EACH = List.of("each");
    private static final List<String> MIX = List.of("mix");
    private static final List<String> NONE = List.of("none");
    private static final long USUAL_PAUSE = 400;

    @Option(
            names = "--seed",
            description =
                    "Seed of all randomness (default: 1, or with several --runs a random seed, which is printed).")
    private @Nullable Long given;

    private long seed = 1;

    @Option(
            names = "--minutes",
            defaultValue = "0.25",
            description = "Virtual minutes during which clients work and faults happen (default: 0.25).")
    private double minutes = 0.25;

    @Option(
            names = "--f",
            split = ",",
            defaultValue = "1",
            description = "Byzantine appservers tolerated, of 3f+1; several values take turns (default: 1).")
    private List<Integer> f = List.of(1);

    @Option(names = "--b", defaultValue = "1", description = "Byzantine bftservers tolerated, of 3b+1 (default: 1).")
    private int b = 1;

    @Option(names = "--clients", defaultValue = "5", description = "Number of correct clients (default: 5).")
    private int clients = 5;

    @Option(
            names = {"--pause-ms", "--think-ms"},
            description = "Mean milliseconds between two calls of a client; 0 calls as soon as the answer arrives"
                    + " (default: 400, with --costs 0).")
    private @Nullable Long pauseMillis;

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
            description = "Faults to inject: all; stores, only those of appservers' stores and clients' records; none;"
                    + " or kinds such as crash,partition,weather (default: all).")
    private List<String> faults = List.of("all");

    @Option(
            names = "--fault-pause-ms",
            defaultValue = "800",
            description = "Mean milliseconds between two faults (default: 800).")
    private long faultPauseMillis = 800;

    @Option(names = "--leave-out", split = ",", description = "Numbers of the planned faults to leave out.")
    private List<Integer> leaveOut = List.of();

    @Option(
            names = "--rtt-ms",
            defaultValue = "0",
            description = "Round trip in milliseconds between any two parties (default: random sites).")
    private long roundTripMillis;

    @Option(names = "--crypto", defaultValue = "fast", description = "fast or real signatures (default: fast).")
    private Keyring crypto = Keyring.FAST;

    @Option(
            names = "--scenario",
            defaultValue = "",
            description =
                    "Named scenario that replaces all other settings except --roles, --tau, --workload and --crypto.")
    private String scenario = "";

    @Option(
            names = "--wary",
            description = "Let clients of correct servers leave them too, inspect and complain (default: they stay).")
    private boolean wary;

    @Option(
            names = "--one-key",
            description = "Let all correct clients share one key and continue from copies of each other's records.")
    private boolean oneKey;

    @Option(
            names = "--retained",
            defaultValue = "1024",
            description = "Certificates that an appserver keeps for servers that were away (default: 1024).")
    private int retained = 1024;

    @Option(
            names = "--workload",
            description = "Updates that clients make: full, all operations of all types; classic, fewer of them;"
                    + " counters or sets, only updates of a thousand records (default: full, with --costs counters).")
    private Workload.@Nullable Mix workload;

    @Option(
            names = "--tau",
            paramLabel = "N|unbounded",
            description = "τ of all clients, from 1, or unbounded (default: random, and changed now and then).")
    private @Nullable String tau;

    @Option(
            names = "--world",
            paramLabel = "NAME|FILE",
            converter = WorldConverter.class,
            description = "World that places all parties: aws5, lan, paper, or a file (default: random sites).")
    private @Nullable WorldMap world;

    @Mixin
    private CostOptions costs = new CostOptions();

    CostOptions costs() {
        return costs;
    }

    private long pause() {
        return pauseMillis == null ? USUAL_PAUSE : pauseMillis;
    }

    private OptionalLong tau() {
        return tau == null ? OptionalLong.empty() : OptionalLong.of(UpdateOptions.tolerance(tau));
    }

    private Workload.Mix workload() {
        return workload == null ? Workload.Mix.FULL : workload;
    }

    /** Whether each run takes the next role. */
    boolean eachRole() {
        return roles.equals(EACH);
    }

    /** The name of the scenario; empty without one. */
    String scenario() {
        return scenario;
    }

    /**
     * Checks the ranges and names.
     *
     * @throws IllegalArgumentException when a value is out of range or a role is unknown; the message names the option
     */
    void check() {
        if (retained < 1 || clients < 0 || minutes <= 0 || pause() < 0 || faultPauseMillis < 1) {
            throw new IllegalArgumentException(
                    "--retained, --minutes and --fault-pause-ms must be above 0, --clients and --pause-ms at least 0");
        }
        tau();
        if (world != null && (roundTripMillis > 0 || !scenario.isEmpty())) {
            throw new IllegalArgumentException("--world excludes --rtt-ms and --scenario");
        }
        WorldMap map = world;
        if (map != null) {
            for (int each : f) {
                map.idle(new Quorums(each, b), Math.round(minutes * 60e6)).ifPresent(why -> {
                    throw new IllegalArgumentException("world " + map.name() + " " + why + " (--minutes, --f, --b)");
                });
            }
        }
        for (String role : roles) {
            boolean known = Stream.of(EACH, MIX, NONE).anyMatch(word -> word.contains(role))
                    || Roles.isServer(role)
                    || Roles.isReplica(role)
                    || Roles.isClient(role);
            if (!known) {
                throw new IllegalArgumentException("--roles: there is no role '" + role + "'; see --list-roles");
            }
        }
    }

    /**
     * Fixes the first seed: a campaign that nobody gave one begins where no campaign began before.
     *
     * @return the seed, where it was chosen by chance
     */
    Optional<Long> chooseSeed(int runs) {
        Long asked = given;
        boolean random = asked == null && runs > 1;
        seed = asked != null ? asked : random ? new SecureRandom().nextInt(1, Integer.MAX_VALUE) : 1;
        return random ? Optional.of(seed) : Optional.empty();
    }

    /**
     * The settings of one run by its number from 0, with what work costs.
     *
     * @throws IOException when a file of costs cannot be read or written
     */
    IntFunction<Settings> settings() throws IOException {
        Settings plain = settings(0);
        Settings first = costs.applied(plain, pauseMillis != null, workload);
        ProcessorModel model = first.processors();
        // A scenario may have costs of its own, which are those of its seed.
        return model == null || model.equals(plain.processors())
                ? this::settings
                : run -> first.withSeed(seed + run).withFaultBounds(f.get(run % f.size()), b);
    }

    private Settings settings(int run) {
        if (!scenario.isEmpty()) {
            Settings named = Scenarios.named(scenario).apply(seed + run).withKeyring(crypto);
            Settings working = workload == null ? named : named.withWorkload(workload);
            Settings tolerant = tau == null ? working : working.withTolerance(UpdateOptions.tolerance(tau));
            return roles.isEmpty() ? tolerant : tolerant.withRoles(roles(run));
        }
        return new Settings(
                seed + run,
                f.get(run % f.size()),
                b,
                clients,
                Math.round(minutes * 60e6),
                pause() * 1000,
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
                oneKey ? Settings.ONE_KEY : "",
                workload(),
                0,
                0,
                tau(),
                world,
                null);
    }

    private List<String> roles(int run) {
        List<String> all = Roles.all();
        if (eachRole()) {
            return List.of(all.get(run % all.size()));
        }
        if (roles.equals(MIX)) {
            SeededRandom chance = new SeededRandom(seed + run).stream("mix");
            return List.copyOf(chance.shuffled(all).subList(0, 1 + chance.index(4)));
        }
        return roles.equals(NONE) ? List.of() : roles;
    }

    private Set<Fault.Kind> kinds() {
        Set<Fault.Kind> kinds = EnumSet.noneOf(Fault.Kind.class);
        for (String name : faults) {
            if (name.equals("all")) {
                kinds.addAll(Fault.Kind.USUAL);
            } else if (name.equals("stores")) {
                kinds.addAll(Fault.Kind.STORES);
            } else if (!name.equals("none")) {
                kinds.add(Fault.Kind.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')));
            }
        }
        return kinds;
    }

    /** The options of {@code simulate} by which work takes time. */
    static final class CostOptions {
        private static final String MEASURE = "measure";
        private static final double MICROS = 1e6;
        /** The part of the run that is not measured, unless an option says more. */
        private static final double WARM_UP = 0.25;

        @Option(
                names = "--costs",
                paramLabel = "measure|FILE",
                description = "Let work take processor time, at costs that are measured now, in about a minute, or read"
                        + " from a file of --measure-costs. There are then no faults; unless other options are given,"
                        + " clients call as soon as they are answered, update records (--workload counters) and never"
                        + " wait for certificates (--system aspas0).")
        private @Nullable String costs;

        @Option(
                names = "--measure-costs",
                paramLabel = "FILE",
                description = "Measure what work costs on this machine, write the costs to FILE, and exit unless"
                        + " --costs is given.")
        private @Nullable Path measured;

        @Option(
                names = "--cores",
                paramLabel = "K",
                defaultValue = "2",
                description = "With --costs: processor cores of each machine (default: 2).")
        private int cores = 2;

        @Option(
                names = "--clients-per-machine",
                paramLabel = "C",
                defaultValue = "50",
                description = "With --costs: clients that share a machine (default: 50). Each server has a machine of"
                        + " its own.")
        private int clientsPerMachine = 50;

        @Option(
                names = "--one-machine",
                description = "With --costs: run all servers and clients on one machine, as bench and demo do.")
        private boolean oneMachine;

        @Option(
                names = "--system",
                defaultValue = "aspas0",
                description = "With --costs: aspas0 to aspas4, the paper's mixes of τ (aspas0: no client waits), or ap,"
                        + " which is aspas0 without the costs of signatures, bftservers and certification messages"
                        + " (default: aspas0).")
        private LoadedSystem system = LoadedSystem.ASPAS0;

        @Option(
                names = "--warmup",
                paramLabel = "S",
                description = "With --costs: virtual seconds to leave out of the measurement (default: a quarter of"
                        + " --minutes).")
        private @Nullable Double warmUpSeconds;

        /** Whether costs are to be measured and nothing else is to be done. */
        boolean onlyMeasures() {
            return measured != null && costs == null;
        }

        /**
         * The settings with what work costs; the same settings without {@code --costs}.
         *
         * @param pauseGiven whether the pause between calls was asked for
         * @param workload the workload that was asked for; null for the usual one
         */
        Settings applied(Settings settings, boolean pauseGiven, Workload.@Nullable Mix workload) throws IOException {
            if (costs == null) {
                return settings;
            }
            double warmUp = warmUpSeconds == null ? settings.micros() * WARM_UP : warmUpSeconds * MICROS;
            if (!(warmUp >= 0 && warmUp < settings.micros())) {
                throw new IllegalArgumentException("--warmup is " + warmUp / MICROS + " s: it takes 0 to less than the "
                        + settings.micros() / MICROS + " s of the run");
            }
            ProcessorModel model = new ProcessorModel(
                    file().costs(), cores, clientsPerMachine, oneMachine, system, Math.round(warmUp), StepMeter.NONE);
            return settings.withFaults(Set.of(), settings.faultPauseMicros())
                    .withClients(settings.clients(), pauseGiven ? settings.pauseMicros() : 0)
                    .withWorkload(workload == null ? Workload.Mix.COUNTERS : workload)
                    .withProcessors(model);
        }

        private CostFile file() throws IOException {
            String from = String.valueOf(costs);
            if (from.toLowerCase(Locale.ROOT).equals(MEASURE)) {
                return measure();
            }
            return CostFile.read(from, InputFile.bytes(Path.of(from)));
        }

        /** Measures what work costs, and writes it where it is wanted. */
        CostFile measure() throws IOException {
            CostFile file = CostMeasurement.measure(System.out::println);
            if (measured != null) {
                Files.writeString(measured, file.text());
            }
            return file;
        }
    }
}
