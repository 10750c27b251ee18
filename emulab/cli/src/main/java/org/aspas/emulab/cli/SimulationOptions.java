package org.aspas.emulab.cli;

import java.io.IOException;
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
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.sim.crypto.Keyring;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.fault.Fault;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.processor.ProcessorModel;
import org.aspas.emulab.sim.role.Roles;
import org.aspas.emulab.sim.run.Scenarios;
import org.aspas.emulab.sim.run.Settings;
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
                    "Where all randomness comes from (default: 1, and with more than one --runs a random one, which"
                            + " is printed).")
    private @Nullable Long given;

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
            names = {"--pause-ms", "--think-ms"},
            description =
                    "The mean time between two calls of a client; 0: it calls as soon as it is answered (default: 400,"
                            + " with --costs 0).")
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
            description =
                    "What may go wrong besides: all; stores, which is what happens to the stores of appservers and the records"
                            + " of clients; none; or kinds such as crash,partition,weather (default: all).")
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
            names = "--one-key",
            description = "All correct clients have one key, and go on from copies of each other's records.")
    private boolean oneKey;

    @Option(
            names = "--retained",
            defaultValue = "1024",
            description = "How many certificates an appserver keeps for those that were away (default: 1024).")
    private int retained = 1024;

    @Option(
            names = "--workload",
            description =
                    "Which updates clients make: full, all operations of all types; classic, fewer of them; counters or"
                            + " sets, updates alone of a thousand records (default: full, with --costs counters).")
    private Workload.@Nullable Mix workload;

    @Option(
            names = "--tau",
            paramLabel = "N|unbounded",
            description = "The τ of all clients, from 1, or unbounded (default: by chance, and changed now and then).")
    private @Nullable String tau;

    @Option(
            names = "--world",
            paramLabel = "NAME|FILE",
            converter = WorldConverter.class,
            description = "Where all parties are: aws5, lan, paper, or a file (default: random sites).")
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
                    "--retained, --minutes and --fault-pause-ms must be above 0, --clients and --pause-ms not"
                            + " below");
        }
        tau();
        if (world != null && (roundTripMillis > 0 || !scenario.isEmpty())) {
            throw new IllegalArgumentException("--world stands alone: without --rtt-ms and --scenario");
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
            Chance chance = new Chance(seed + run).stream("mix");
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
}
