package org.aspas.emulab.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.emulab.experiments.report.DelayTable;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.testbed.attack.Attack;
import org.aspas.emulab.testbed.cluster.DelayReport;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The world that a process is in, if it is in one. */
final class WorldOption {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    @Option(
            names = "--world",
            paramLabel = "NAME|FILE",
            converter = WorldConverter.class,
            description = "For experiments: world whose delays apply to everything that this process sends: paper,"
                    + " aws5, lan or a file (docs/worlds.md). All processes of a deployment must use the same one.")
    private @Nullable WorldMap world;

    @Option(
            names = "--world-start",
            paramLabel = "INSTANT",
            description = "Start of the world's timeline, the same for all processes, such as 2026-11-22T20:00:00Z;"
                    + " without it no fault happens.")
    private @Nullable Instant start;

    /**
     * The network of the world; null without one.
     *
     * @param seed of the jitter
     */
    @Nullable
    EmulatedNetwork network(long seed) {
        if (world == null) {
            if (start != null) {
                throw new ParameterException(command.commandLine(), "--world-start needs a --world");
            }
            return null;
        }
        EmulatedNetwork network = new EmulatedNetwork(world, seed);
        if (start != null) {
            network.begin(start);
        } else if (!world.faults().isEmpty()) {
            PrintWriter errors = command.commandLine().getErr();
            errors.println(
                    "aspas: warning: without --world-start the timeline of world " + world.name() + " does not run");
            errors.flush();
        }
        return network;
    }

    /** The role that an appserver takes on the timeline, and begins to take at its moment; null if it stays correct. */
    @Nullable
    Attack attack(int appserver, Consumer<String> teller) {
        if (world == null || start == null) {
            return null;
        }
        Instant begins = start;
        return world.misbehaviour(appserver)
                .map(fault -> {
                    Attack attack = new Attack(fault.role(), appserver, appserver, teller);
                    long millis = Duration.between(Instant.now(), begins).toMillis()
                            + TimeUnit.MICROSECONDS.toMillis(fault.begins());
                    attack.workloadBegins();
                    CompletableFuture.delayedExecutor(Math.max(0, millis), TimeUnit.MILLISECONDS)
                            .execute(attack::begin);
                    return attack;
                })
                .orElse(null);
    }

    /** The options as they were given, for another process. */
    List<String> arguments() {
        return arguments(command.commandLine());
    }

    /** The options of this kind as they were given to a command. */
    static List<String> arguments(CommandLine given) {
        List<String> arguments = new ArrayList<>();
        for (String name : List.of("--world", "--world-start")) {
            if (given.getParseResult().hasMatchedOption(name)) {
                arguments.add(name);
                arguments.addAll(given.getParseResult().matchedOption(name).originalStringValues());
            }
        }
        return arguments;
    }

    /** Prints how late frames were, when the process ends; nothing without a world. */
    static void report(PrintWriter out, @Nullable EmulatedNetwork network) {
        if (network != null) {
            DelayReport report = network.report();
            DelayTable.lines(report, 0).forEach(out::println);
            out.flush();
        }
    }
}
