package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.aspas.appserver.store.Durability;
import org.aspas.bftcluster.engine.PrintCapture;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.testbed.attack.Attack;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.ClusterOptions;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory.UnusableDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cluster}: all servers in this process, and no load, so that clients of other processes can talk to them. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Run all servers of a new deployment in this process on loopback sockets, without load, until"
                + " Ctrl-C. Clients and load generators in other processes can use them.",
        footerHeading = "%nExamples:%n",
        footer = {"  aspas cluster", "  aspas cluster --dir lab --f 2", "  aspas cluster --byzantine wrong-entries"})
public final class ClusterCommand implements Callable<Integer> {
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "directory for the deployment with all keys, and with --durability for the nodes' data"
                    + " (default: a new temporary directory)")
    private @Nullable Path directory;

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
            names = "--byzantine",
            paramLabel = "ROLE",
            description = "role in which the last appserver attacks from the start; 'aspas demo --byzantine list' names"
                    + " the roles")
    private @Nullable String byzantine;

    @Mixin
    private KeepingOptions keeping = new KeepingOptions();

    @Option(names = "--seed", paramLabel = "N", description = "seed of the role's choices (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--until-eof",
            description = "also end when standard input is closed, so that the servers end with the program that"
                    + " started them")
    private boolean untilEof;

    @Override
    public Integer call() throws IOException, InterruptedException, TimeoutException, UnusableDirectory {
        Ranges.check(spec, "--f", f, 1, 33);
        Ranges.check(spec, "--b", b, 1, 33);
        if (byzantine != null && !Roles.isServer(byzantine)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "there is no role " + byzantine + " of an appserver; 'aspas demo --byzantine list' names them");
        }
        PrintCapture.install();
        Path deployment =
                directory == null ? Files.createTempDirectory("aspas-cluster-").resolve("deployment") : directory;
        Terminal terminal = Terminal.of(spec.commandLine().getOut());
        Quorums quorums = new Quorums(f, b);
        Attack attack =
                byzantine == null ? null : new Attack(byzantine, quorums.appservers() - 1, seed, terminal::line);
        DeploymentDirectory written = new DeploymentDirectory(deployment);
        written.requireNew();
        try (Cluster cluster = Cluster.start(quorums, options(written, attack))) {
            StandingServers servers = StandingServers.of(cluster, deployment);
            cluster.awaitReady(START_PATIENCE);
            servers.print(terminal);
            if (attack != null) {
                attack.workloadBegins();
                attack.begin();
            }
            terminal.line("ready: " + quorums.appservers() + " appservers and " + quorums.bftservers()
                    + " bftservers stay up until Ctrl-C");
            if (untilEof) {
                servers.untilEndOf(System.in, terminal);
            } else {
                servers.untilSignal();
            }
            return ExitCodes.DONE;
        }
    }

    private ClusterOptions options(DeploymentDirectory written, @Nullable Attack attack) {
        ClusterOptions options = ClusterOptions.defaults().withRetention(keeping.limits(spec));
        Durability durability = keeping.durability();
        if (durability != null) {
            options = options.withStores(written.dataPath(), false, durability);
        }
        return attack == null ? options : options.withMachines(attack::machine);
    }
}
