package org.aspas.emulab.main;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.aspas.bftcluster.node.BftServer;
import org.aspas.bftcluster.node.BftServerOptions;
import org.aspas.bftcluster.replica.PrintCapture;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.emulab.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas bftserver}: runs one bftserver until it is told to stop. */
@Command(
        name = "bftserver",
        description = "Run one bftserver of a deployment in this process, until it is told to stop (Ctrl-C).",
        footerHeading = "%nExamples:%n",
        footer = {"  aspas bftserver lab --index 0", "  aspas bftserver /srv/aspas --index 2 --bind 10.0.0.7"})
final class BftserverCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The deployment's directory.")
    private Path directory = Path.of(".");

    @Option(names = "--index", required = true, paramLabel = "INDEX", description = "Which bftserver this is, from 0.")
    private int index;

    @Option(
            names = "--bind",
            defaultValue = "0.0.0.0",
            paramLabel = "ADDRESS",
            description = "Where its links listen (default: ${DEFAULT-VALUE}).")
    private String bind = "0.0.0.0";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Where it keeps what it accepted and signed (default: data/bftserver-INDEX in the deployment's "
                            + "directory).")
    private @Nullable Path data;

    @Override
    public Integer call() throws Exception {
        DeploymentDirectory deployment = new DeploymentDirectory(directory);
        Descriptor descriptor = deployment.descriptor();
        BindAddress.check(bind);
        NodeId id = NodeId.bftserver(NodeIndex.check(index, descriptor.quorums().bftservers()));
        NodeDescription node = descriptor.node(id);
        Path record = data != null ? data : deployment.dataPath(id);
        BftServerOptions options = new BftServerOptions(bind, Map.of(), Optional.of(record));
        SigningKey key = deployment.key(descriptor, id);
        KeyPair orderingKey = deployment.orderingKey(descriptor, index);
        PrintWriter out = spec.commandLine().getOut();
        PrintCapture.install();
        BftServer server = BftServer.start(descriptor, index, key, orderingKey, options);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            stopped.countDown();
        }));
        out.println(id + " of " + descriptor.name() + " runs: links at port " + node.linkPort() + ", ordering at ports "
                + node.servicePort() + " and " + (node.servicePort() + 1) + ", record in " + record);
        stopped.await();
        return ExitCodes.DONE;
    }
}
