package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.lab.deployment.Deployment;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;
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
            "  aspas init /srv/aspas --appservers eu.example:7000,us.example:7000,as.example:7000,sa.example:7000 \\",
            "      --bftservers b0.example:7000,b1.example:7000,b2.example:7000,b3.example:7000"
        })
final class InitCommand implements Callable<Integer> {
    private static final int MOST_FAULTS = 33;
    private static final int APPSERVER_LINK_PORT = 7100;
    private static final int CLIENT_PORT_OFFSET = 1000;
    private static final int BFTSERVER_LINK_PORT = 7200;

    @Parameters(paramLabel = "DIR", description = "The directory to write; it must not hold a deployment yet.")
    private Path directory = Path.of(".");

    @Option(names = "--name", defaultValue = "aspas", description = "What to call it (default: ${DEFAULT-VALUE}).")
    private String name = "aspas";

    @Option(
            names = "--f",
            defaultValue = "1",
            description = "Byzantine appservers to bear; there are 3f+1 (default: ${DEFAULT-VALUE}).")
    private int f;

    @Option(
            names = "--b",
            defaultValue = "1",
            description = "Byzantine bftservers to bear; there are 3b+1 (default: ${DEFAULT-VALUE}).")
    private int b;

    @Option(
            names = "--appservers",
            split = ",",
            paramLabel = "HOST[:LINKPORT]",
            description = "One per appserver; clients connect to LINKPORT+1000 (default: 127.0.0.1, ports 7100 on).")
    private List<String> appservers = List.of();

    @Option(
            names = "--bftservers",
            split = ",",
            paramLabel = "HOST[:LINKPORT]",
            description = "One per bftserver (default: 127.0.0.1, ports 7200 on).")
    private List<String> bftservers = List.of();

    @Option(
            names = "--admit",
            split = ",",
            paramLabel = "KEY",
            description = "Public keys of the clients to admit, hexadecimal (default: anyone).")
    private List<String> admitted = List.of();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException, DeploymentDirectory.UnusableDirectory {
        range("--f", f);
        range("--b", b);
        Quorums quorums = new Quorums(f, b);
        List<Deployment.Place> places = new ArrayList<>();
        for (int i = 0; i < quorums.appservers(); i++) {
            Deployment.Place links = place(appservers, i, APPSERVER_LINK_PORT + i);
            places.add(new Deployment.Place(links.host(), links.linkPort(), links.linkPort() + CLIENT_PORT_OFFSET));
        }
        for (int i = 0; i < quorums.bftservers(); i++) {
            places.add(place(bftservers, i, BFTSERVER_LINK_PORT + i));
        }
        checkCount("--appservers", appservers, quorums.appservers());
        checkCount("--bftservers", bftservers, quorums.bftservers());
        Deployment deployment = Deployment.generate(name, quorums, places, clients(), Limits.DEFAULT);
        new DeploymentDirectory(directory).write(deployment);
        report(deployment);
        return ExitCodes.DONE;
    }

    private static void range(String option, int value) {
        if (value < 1 || value > MOST_FAULTS) {
            throw new IllegalArgumentException(option + " " + value + " is outside 1.." + MOST_FAULTS);
        }
    }

    private static void checkCount(String option, List<String> given, int needed) {
        if (!given.isEmpty() && given.size() != needed) {
            throw new IllegalArgumentException(option + " lists " + given.size() + ", but " + needed + " are needed");
        }
    }

    /** A place for links only. */
    private static Deployment.Place place(List<String> given, int index, int defaultPort) {
        if (index >= given.size()) {
            return new Deployment.Place("127.0.0.1", defaultPort, 0);
        }
        String text = given.get(index);
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        int port = colon < 0 ? defaultPort : port(text, text.substring(colon + 1));
        return new Deployment.Place(host, port, 0);
    }

    private static int port(String place, String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException noNumber) {
            throw new IllegalArgumentException("'" + place + "': the port is not a number");
        }
    }

    private Set<ClientId> clients() {
        return admitted.stream().map(InitCommand::client).collect(Collectors.toUnmodifiableSet());
    }

    private static ClientId client(String hex) {
        try {
            return new ClientId(PublicKey.of(HexFormat.of().parseHex(hex)));
        } catch (IllegalArgumentException noKey) {
            throw new IllegalArgumentException("--admit '" + hex + "' is not a public key of 64 hexadecimal digits");
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
        json.out().println("Deployment " + name + " " + deployment.descriptor().id());
        json.out().println("written to " + directory + ". Start each node from a copy of it:");
        json.out()
                .println("  aspas bftserver " + directory + " --index 0   (to "
                        + (deployment.descriptor().quorums().bftservers() - 1) + ")");
        json.out()
                .println("  aspas appserver " + directory + " --index 0   (to "
                        + (deployment.descriptor().quorums().appservers() - 1) + ")");
        json.out()
                .println("A node needs deployment.json, deployment.json.sig, operator.pub and its own files in keys/.");
        json.out().println("Keep operator.key in a safe.");
    }
}
