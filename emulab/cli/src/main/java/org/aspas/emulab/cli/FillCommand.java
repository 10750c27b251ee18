package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.fill.FillPlan;
import org.aspas.emulab.testbed.fill.StoreSeeder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code emulab fill}: a new deployment that holds much. */
@Command(
        name = "fill",
        description = {
            "Make a new deployment whose stores are as full as after many updates; 'aspas up DIR' then starts real"
                    + " nodes on them.",
            "The cores of all servers run in this process, without sockets and in virtual time: each update is signed"
                    + " by its client, entered, sent to the other servers, ordered and certified as usual. This process"
                    + " holds the state of all appservers in memory, about 2 KiB per object and appserver, so large"
                    + " stores need a larger heap (ASPAS_JAVA_OPTS=-Xmx12g)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:failure", "2:the command line is wrong, or DIR holds a deployment"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas emulab fill big --objects 100000",
            "  aspas emulab fill big --objects 1000000 --entries 10000000 --bulk",
            "  aspas emulab fill set --elements 1000000",
            "  aspas emulab fill set --elements 100000 --element-bytes 4000"
        })
final class FillCommand implements Callable<Integer> {
    private static final int MOST = 100_000_000;
    private static final double NANOS = 1e9;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The directory to write; it must not hold a deployment yet.")
    private Path directory = Path.of(".");

    @Option(
            names = "--objects",
            paramLabel = "N",
            description = "number of sets with one text each, 'object-0' and so on; 0 to 100000000 (default:"
                    + " ${DEFAULT-VALUE})")
    private int objects;

    @Option(
            names = "--bytes",
            paramLabel = "B",
            description = "length of each of these texts in bytes, 1 to 60000 (default: ${DEFAULT-VALUE})")
    private int bytes = 200;

    @Option(
            names = "--elements",
            paramLabel = "N",
            description = "size of one more set, '" + FillPlan.LARGE + "'; 0 to 100000000 (default: ${DEFAULT-VALUE})")
    private int elements;

    @Option(
            names = "--element-bytes",
            paramLabel = "B",
            description = "length of each of these elements in bytes, 1 to 60000; 0 for the integers from 0 on"
                    + " (default: ${DEFAULT-VALUE})")
    private int elementBytes;

    @Option(
            names = "--entries",
            paramLabel = "N",
            description = "total number of updates, 1 to 100000000; those in excess of objects and elements increment"
                    + " 16 counters (default: as many as objects and elements)")
    private int entries;

    @Option(
            names = "--clients",
            paramLabel = "C",
            description = "clients that make the updates, 1 to 10000 (default: ${DEFAULT-VALUE})")
    private int clients = 64;

    @Option(
            names = "--bulk",
            description = "work faster, with 2 clients or more: after the first 20 updates of each client only"
                    + " appserver 0 and the bftservers run. The logs of the other appservers still receive the updates"
                    + " of their clients, but these appservers check, answer and store nothing; they repeat under"
                    + " their keys what appserver 0 tells the bftservers, and get its state at the end. Clients, log"
                    + " heads and bftservers sign as usual, but nobody verifies the clients' signatures. The clients"
                    + " of appserver 0 make no more updates. If the command is interrupted, DIR is unusable")
    private boolean bulk;

    @Option(names = "--seed", paramLabel = "S", description = "seed of the texts (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Mixin
    private NewDeploymentOptions options = new NewDeploymentOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws Exception {
        Ranges.check(spec, "--objects", objects, 0, MOST);
        Ranges.check(spec, "--bytes", bytes, 1, 60_000);
        Ranges.check(spec, "--elements", elements, 0, MOST);
        Ranges.check(spec, "--element-bytes", elementBytes, 0, 60_000);
        Ranges.check(spec, "--clients", clients, bulk ? 2 : 1, 10_000);
        int least = Math.max(1, objects + elements);
        int all = entries == 0 ? least : entries;
        Ranges.check(spec, "--entries", all, least, MOST);
        FillPlan plan = new FillPlan(objects, bytes, elements, elementBytes, all, seed);
        Deployment made = options.generate(new Quorums(1, 1), Limits.DEFAULT);
        DeploymentDirectory written = new DeploymentDirectory(directory);
        written.writeWithStores(made);
        long begin = System.nanoTime();
        CoreStatus status;
        try (StoreSeeder filling = new StoreSeeder(made, written.dataPath(), plan, clients, bulk)) {
            status = filling.fill((certified, certificate) -> tell(begin, certified, certificate));
        }
        report(status, (System.nanoTime() - begin) / NANOS, all);
        return ExitCodes.DONE;
    }

    private void tell(long begin, long certified, long certificate) {
        if (!json.wanted()) {
            double seconds = (System.nanoTime() - begin) / NANOS;
            json.out()
                    .println(String.format(
                            Locale.ROOT,
                            "%7.1f s: %,d updates are certified, the newest certificate is %d (%,.0f updates/s)",
                            seconds,
                            certified,
                            certificate,
                            certified / seconds));
            json.out().flush();
        }
    }

    private void report(CoreStatus status, double seconds, int all) throws IOException {
        if (json.wanted()) {
            ObjectNode document = new ObjectMapper().createObjectNode();
            document.put("directory", directory.toString())
                    .put("updates", all)
                    .put("certificate", status.certificate().value())
                    .put("seconds", seconds);
            json.print(document);
        } else {
            json.out()
                    .println(String.format(
                            Locale.ROOT,
                            "%s holds %,d updates under certificate %s, made in %.0f s. Start it: aspas up %s --wait",
                            directory,
                            all,
                            status.certificate(),
                            seconds,
                            directory));
        }
    }
}
