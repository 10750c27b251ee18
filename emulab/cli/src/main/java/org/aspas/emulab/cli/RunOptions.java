package org.aspas.emulab.cli;

import java.nio.file.Path;
import java.util.List;
import org.aspas.appserver.store.Durability;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.baselines.SystemCatalogue;
import org.aspas.emulab.baselines.SystemChoice;
import org.aspas.emulab.console.demo.LiveDemoOptions;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.experiments.WorkloadRun;
import org.aspas.emulab.sim.world.WorldFault;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.testbed.cluster.ClusterWorld;
import org.aspas.emulab.workload.WorkloadPhase;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that {@code demo} and {@code bench} share; only two defaults differ. */
final class RunOptions {
    /** One for each class. */
    private static final int LEAST_LIVE_CLIENTS = 3;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description = "seconds of warm-up before the run, 0 to 3600: other clients run the same workloads without"
                    + " emulated delay (in a world only for the first half), with pauses for the JVM's compilers, so"
                    + " that the run measures compiled code (default: ${DEFAULT-VALUE})")
    private int warmUpSeconds = 20;

    @Option(
            names = "--clients",
            paramLabel = "C",
            description = "number of clients, 1 to 1000 (default: ${DEFAULT-VALUE})")
    private int clients;

    @Option(
            names = "--rtt",
            paramLabel = "MS",
            description = "emulated round trip between client and appserver in milliseconds, 0 for none "
                    + "(default: ${DEFAULT-VALUE})")
    private int rttMillis;

    @Option(
            names = "--world",
            paramLabel = "NAME|FILE",
            converter = WorldConverter.class,
            description = "world whose delays apply to every link and session: paper, aws5, lan or a file"
                    + " (docs/worlds.md); its timeline starts with the workload")
    private @Nullable WorldMap world;

    @Option(
            names = "--f",
            paramLabel = "F",
            description = "Byzantine appservers tolerated, N=3f+1 (default: ${DEFAULT-VALUE})")
    private int f = 1;

    @Option(
            names = "--b",
            paramLabel = "B",
            description = "Byzantine bftservers tolerated, n=3b+1 (default: ${DEFAULT-VALUE})")
    private int b = 1;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "seed of the choices of the ${COMMAND-NAME} itself; YCSB's generators cannot be seeded"
                    + " (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Mixin
    private KeepingOptions keeping = new KeepingOptions();

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            description = "with --durability, and for systems such as aspas2:sync: folder for the files, in new"
                    + " directories that are removed at the end (default: the system's temporary folder)")
    private @Nullable Path data;

    @Option(names = "--json", paramLabel = "FILE", description = "also write the figures to this file")
    private @Nullable Path json;

    /**
     * The options with a command's own defaults.
     *
     * @param rttMillis the emulated round trip, in milliseconds
     */
    RunOptions(int clients, int rttMillis) {
        this.clients = clients;
        this.rttMillis = rttMillis;
    }

    void clients(int number) {
        clients = number;
    }

    /** The file that the figures are written to as JSON, besides being printed. */
    @Nullable
    Path json() {
        return json;
    }

    /**
     * The run of these phases that the command line asks for.
     *
     * @throws picocli.CommandLine.ParameterException naming an option that is out of range, its value and the range
     */
    WorkloadRun run(List<WorkloadPhase> phases) {
        Ranges.check(command, "--warmup", warmUpSeconds, 0, 3600);
        Ranges.check(command, "--clients", clients, 1, 1000);
        Ranges.check(command, "--rtt", rttMillis, 0, 10_000);
        Ranges.check(command, "--f", f, 1, 33);
        Ranges.check(command, "--b", b, 1, 33);
        Quorums quorums = new Quorums(f, b);
        checkWorld(quorums);
        checkTimeline(quorums, phases.stream().mapToLong(WorkloadPhase::millis).sum());
        return new WorkloadRun(
                        Terminal.of(command.commandLine().getOut()),
                        WorkloadRun.settings(
                                command.name(),
                                clients,
                                warmUpSeconds,
                                world == null ? rttMillis : 0,
                                quorums,
                                seed,
                                phases),
                        phases,
                        json)
                .in(world)
                .keeping(keeping.in(data, command));
    }

    /**
     * A live demo with these clients, servers and world.
     *
     * @param usual the world where none is asked for
     */
    LiveDemoOptions live(WorldMap usual) {
        Ranges.check(command, "--clients", clients, LEAST_LIVE_CLIENTS, 1000);
        Ranges.check(command, "--f", f, 1, 33);
        Ranges.check(command, "--b", b, 1, 33);
        return LiveDemoOptions.usual(new Quorums(f, b), world == null ? usual : world, clients, seed);
    }

    private void checkWorld(Quorums quorums) {
        if (world == null) {
            return;
        }
        if (command.commandLine().getParseResult().hasMatchedOption("--rtt")) {
            throw new ParameterException(
                    command.commandLine(), "--world sets the distances of the clients: use it without --rtt");
        }
        String name = world.name();
        ClusterWorld.impossible(world, quorums).ifPresent(why -> {
            throw new ParameterException(
                    command.commandLine(), "world " + name + " " + why + ": use processes (aspas world run)");
        });
    }

    private void checkTimeline(Quorums quorums, long millis) {
        WorldMap map = world;
        if (map != null) {
            map.idle(quorums, Math.multiplyExact(1000, millis)).ifPresent(why -> {
                throw new ParameterException(command.commandLine(), "world " + map.name() + " " + why);
            });
        }
    }

    /** Refuses a world together with another option. */
    void noWorldWith(String option) {
        if (world != null) {
            throw new ParameterException(command.commandLine(), "--world does not go together with " + option);
        }
    }

    /** A system whose servers keep what they know as the command line says. */
    SystemChoice kept(SystemChoice system) {
        Durability durability = keeping.durability();
        if (durability == null) {
            return system;
        }
        if (!SystemCatalogue.isAspas(system) || system.durability() != null) {
            throw new ParameterException(
                    command.commandLine(), "--durability is for aspas0 to aspas4: not for " + system.name());
        }
        return system.keeping(durability);
    }

    /** Refuses a durability for systems that are compared: their names have one each. */
    void noDurabilityWith(boolean compared) {
        if (compared && keeping.durability() != null) {
            throw new ParameterException(
                    command.commandLine(),
                    "--durability does not go together with --compare: name systems such as aspas2:sync");
        }
    }

    /** How a process of its own is told to keep what the servers of a system know. */
    List<String> keepingArguments(SystemChoice system) {
        return keeping.arguments(system.durability());
    }

    boolean inWorld() {
        return world != null;
    }

    /** Whether the world's timeline makes an appserver Byzantine. */
    boolean worldIsByzantine() {
        return world != null && world.faults().stream().anyMatch(WorldFault.Misbehave.class::isInstance);
    }
}
