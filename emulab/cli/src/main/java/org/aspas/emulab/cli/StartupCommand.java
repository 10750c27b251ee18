package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.transport.ServerTrust;
import org.aspas.emulab.experiments.growth.ProcessMeter;
import org.aspas.emulab.experiments.scale.NodeStart;
import org.aspas.emulab.experiments.scale.ServedSet;
import org.aspas.emulab.lab.cluster.AppserverAccess;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code emulab startup}: what a start of an appserver takes. */
@Command(
        name = "startup",
        description = {
            "Measure what a start of an appserver takes on what its store holds: time until it is ready, processor, live"
                    + " heap after a collection, and disk; and that it goes on to certify.",
            "All nodes of the deployment start as processes of this machine; then appserver 0 is told to end and starts"
                    + " again alone, --repeat times. Needs jcmd, which every JDK has, and /proc."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:measured",
            "1:a server ended, or nothing was certified",
            "2:the command line, or a file that it names, is wrong",
            "3:a server was not ready in time"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas emulab startup big",
            "  aspas emulab startup set --heap 2048 --set large --json",
        })
final class StartupCommand implements Callable<Integer> {
    private static final int PATIENCE_SECONDS = 600;
    private static final int STOP_SECONDS = 90;
    private static final int BFTSERVER_HEAP = 512;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The deployment's directory.")
    private Path directory = Path.of(".");

    @Option(
            names = "--heap",
            paramLabel = "MIB",
            description = "of each appserver, 32 to 1048576 (default: ${DEFAULT-VALUE})")
    private int heap = 512;

    @Option(names = "--repeat", paramLabel = "N", description = "1 to 100 (default: ${DEFAULT-VALUE})")
    private int repeat = 3;

    @Option(
            names = "--kill",
            description = "appserver 0 is killed instead of told to end, so that its journal is not made shorter")
    private boolean kill;

    @Option(
            names = "--set",
            paramLabel = "KEY",
            description = "then measure what this set costs: updates, certificates, pages, one element proved")
    private @Nullable String set;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "with --set: how often each thing is done, 1 to 10000 (default: ${DEFAULT-VALUE})")
    private int rounds = 41;

    @Mixin
    private TrustOption trust = new TrustOption();

    @Mixin
    private RetentionOptions retention = new RetentionOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    private final Map<NodeId, Process> processes = new ConcurrentHashMap<>();

    @Override
    public Integer call() throws Exception {
        Ranges.check(spec, "--heap", heap, 32, 1 << 20);
        Ranges.check(spec, "--repeat", repeat, 1, 100);
        Ranges.check(spec, "--rounds", rounds, 1, 10_000);
        retention.limits(spec);
        StartupReport report = new StartupReport(json, directory, heap);
        DeploymentDirectory deployment = new DeploymentDirectory(directory);
        ServerTrust trusted = trust.of(deployment);
        AppserverAccess access =
                new AppserverAccess(deployment.descriptor(), trusted.http().build(), trusted);
        ProcessMeter meter = ProcessMeter.ofThisJdk();
        Thread stop = new Thread(this::stopAll);
        Runtime.getRuntime().addShutdownHook(stop);
        try {
            for (int replica = 0; replica < access.descriptor().quorums().bftservers(); replica++) {
                start(NodeId.bftserver(replica));
            }
            long begin = System.nanoTime();
            for (int server = 0; server < access.appservers(); server++) {
                start(NodeId.appserver(server));
            }
            for (int server = 0; server < access.appservers(); server++) {
                report.started(server, "all at once", measured(access, server, begin, meter, deployment));
            }
            report.certified(certify(access));
            for (int time = 1; time <= repeat; time++) {
                end(NodeId.appserver(0));
                long again = System.nanoTime();
                start(NodeId.appserver(0));
                report.started(0, "alone", measured(access, 0, again, meter, deployment));
            }
            report.certified(certify(access));
            if (set != null) {
                ProcessHandle first = processOf(NodeId.appserver(0)).toHandle();
                report.served(set, rounds, new ServedSet(access, set, rounds, first).measure());
            }
            report.end();
            return ExitCodes.DONE;
        } catch (TimeoutException late) {
            spec.commandLine().getErr().println("aspas: " + late.getMessage());
            return ExitCodes.UNREACHABLE;
        } finally {
            stopAll();
            Runtime.getRuntime().removeShutdownHook(stop);
        }
    }

    private NodeStart measured(
            AppserverAccess access, int server, long begin, ProcessMeter meter, DeploymentDirectory deployment)
            throws IOException, InterruptedException, TimeoutException {
        NodeId id = NodeId.appserver(server);
        return NodeStart.await(
                processOf(id), begin, access.probe(server), deployment.dataPath(id), meter, PATIENCE_SECONDS);
    }

    private Process processOf(NodeId node) {
        Process process = processes.get(node);
        if (process == null) {
            throw new IllegalStateException(node + " was not started");
        }
        return process;
    }

    private void start(NodeId node) throws IOException {
        boolean appserver = node.role() == Role.APPSERVER;
        List<String> arguments = new ArrayList<>(List.of(
                appserver ? "appserver" : "bftserver",
                directory.toString(),
                "--index",
                Integer.toString(node.index())));
        if (appserver) {
            arguments.addAll(retention.arguments());
        }
        List<String> command = new ArrayList<>(Supervisor.command(arguments));
        // The last one of equal options counts.
        command.add(command.indexOf("-cp"), "-Xmx" + (appserver ? heap : BFTSERVER_HEAP) + "m");
        Path logs = Files.createDirectories(directory.resolve("logs"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        logs.resolve(node + ".out").toFile()));
        builder.environment().put("ASPAS_LOG_FILE", logs.resolve(node + ".log").toString());
        processes.put(node, builder.start());
    }

    /** The seconds until an update is certified, since its client began. */
    private static double certify(AppserverAccess access) throws IOException, InterruptedException, TimeoutException {
        long begin = System.nanoTime();
        try (AspasClient client = access.client(0, ClientOptions.defaults())) {
            client.counter("startup")
                    .increment(1)
                    .confirmed()
                    .toCompletableFuture()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            throw new IOException("an update is not certified: " + refused.getCause(), refused);
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private void end(NodeId node) throws InterruptedException {
        Process process = processOf(node);
        if (kill) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    private void stopAll() {
        processes.values().forEach(Process::destroy);
        for (Process process : processes.values()) {
            try {
                if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException interrupted) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
