package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code aspas init}: makes every key and a signed descriptor for given hosts. */
@Command(
        name = "init",
        description = "Make the keys and the signed descriptor of a new deployment.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas init /srv/aspas --name lab",
            "  aspas init lab --tls",
            "  aspas init lab2 --base-port 7300          # beside another one on this machine",
            "  aspas init /srv/aspas --appservers a.example,b.example,c.example,d.example \\",
            "      --bftservers a.example,b.example,c.example,d.example"
        })
final class InitCommand implements Callable<Integer> {
    private static final int MOST_FAULTS = 33;
    private static final int MOST_CERTIFICATES = 1_000_000;

    @Parameters(paramLabel = "DIR", description = "The directory to write; it must not hold a deployment yet.")
    private Path directory = Path.of(".");

    @Option(
            names = "--f",
            defaultValue = "1",
            description = "Byzantine appservers tolerated; there are 3f+1 (default: ${DEFAULT-VALUE}).")
    private int f;

    @Option(
            names = "--b",
            defaultValue = "1",
            description = "Byzantine bftservers tolerated; there are 3b+1 (default: ${DEFAULT-VALUE}).")
    private int b;

    @Option(
            names = "--retain-certificates",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Minimum number of certificates that appservers keep, with the entries that they added, 2 to"
                    + " 1000000 (default: ${DEFAULT-VALUE}).")
    private int certificates;

    @Mixin
    private NewDeploymentOptions options = new NewDeploymentOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException, DeploymentDirectory.UnusableDirectory {
        range("--f", f);
        range("--b", b);
        if (certificates < 2 || certificates > MOST_CERTIFICATES) {
            throw new IllegalArgumentException(
                    "--retain-certificates " + certificates + " is outside 2.." + MOST_CERTIFICATES);
        }
        DeploymentDirectory written = new DeploymentDirectory(directory);
        written.requireNew(); // Before the keys, which take seconds.
        Quorums quorums = new Quorums(f, b);
        Deployment deployment = options.generate(quorums, Limits.DEFAULT.retaining(certificates));
        written.writeWithStores(deployment);
        report(deployment);
        return ExitCodes.DONE;
    }

    private static void range(String option, int value) {
        if (value < 1 || value > MOST_FAULTS) {
            throw new IllegalArgumentException(option + " " + value + " is outside 1.." + MOST_FAULTS);
        }
    }

    private void report(Deployment deployment) throws IOException {
        if (json.wanted()) {
            ObjectNode out = new ObjectMapper().createObjectNode();
            out.put("directory", directory.toString());
            out.put("deployment", deployment.descriptor().id().toString());
            out.put("appservers", deployment.descriptor().quorums().appservers());
            out.put("bftservers", deployment.descriptor().quorums().bftservers());
            json.print(out);
            return;
        }
        json.out()
                .println("Deployment " + options.name() + " "
                        + deployment.descriptor().id());
        json.out()
                .println("written to " + directory + ". Start all nodes of this machine with 'aspas up " + directory
                        + "', or each node from a copy of the directory:");
        json.out()
                .println("  aspas bftserver " + directory + " --index 0   (to "
                        + (deployment.descriptor().quorums().bftservers() - 1) + ")");
        json.out()
                .println("  aspas appserver " + directory + " --index 0   (to "
                        + (deployment.descriptor().quorums().appservers() - 1) + ")");
        json.out()
                .println("A node needs deployment.json, deployment.json.sig, operator.pub and its own files in keys/;"
                        + " an appserver also needs its own files in data/.");
        if (options.tls()) {
            json.out()
                    .println("Clients connect by TLS and also need tls-ca.pem. If you use certificates of your own, add"
                            + " their CA to that file, or name it with --tls-ca.");
        }
        json.out().println("Keep operator.key in a safe place, offline.");
    }
}
