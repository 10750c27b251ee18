package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code aspas status}: one row per appserver, as each tells of itself, and what can be known of each bftserver. */
@Command(
        name = "status",
        description = {
            "Show the state that each appserver reports, and what is known of each bftserver.",
            "",
            "STATE        ready; joining: not linked to enough others, or not caught up;",
            "             degraded: it answers, but no certificate has come for long;",
            "             disk: it cannot write to its disk, and updates wait;",
            "             alarm: it cannot vouch for its own state; unreachable;",
            "             other: another server answers at its address",
            "VERSION      entries delivered, per origin",
            "CERTIFICATE  number of the newest certificate that it has adopted",
            "BEYOND       entries delivered that no certificate covers yet",
            "WAITS        how long its oldest own entry has waited for a certificate",
            "REFUSED      frames and requests of clients refused since it started",
            "REJECTED     on its links: unknown peers, malformed or oversized frames,",
            "             surplus connections",
            "",
            "The next table has the steps from an answer to its confirmation in the last",
            "minute: median and 99th percentile in ms. WHOLE is all steps together.",
            "",
            "A bftserver talks only to nodes. The last table shows of each:",
            "STATE        linked: an appserver has a link to it; listens: none has, but its",
            "             port accepts connections; unreachable: its port does not",
            "LINKED       how many of the appservers that answered have a link to it",
            "SIGNED NEWEST  whether the newest certificate has its signature; 2b+1 are",
            "             enough, so the others are not needed",
            "PROCESS      its process on this machine, if 'aspas up' started it"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every appserver answered",
            "1:another server answered at an appserver's address",
            "2:the command line or a file that it names is wrong",
            "3:an appserver does not answer"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas status --dir lab",
            "  ASPAS_DIR=lab aspas status --json | jq '.servers[] | {server, state, lag_ms}'",
            "  aspas status --dir lab --json | jq -r '.bftservers[] | select(.state != \"linked\").server'"
        })
final class StatusCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private DeploymentOption deployment = new DeploymentOption();

    @Mixin
    private TrustOption trust = new TrustOption();

    @Option(
            names = "--clients",
            description = {
                "Show instead what each appserver knows of its clients' τ:",
                "SESSIONS     clients that have a session on it",
                "τ=1, τ=k     those that told it τ = 1, and another bound",
                "UNBOUNDED    those that told it unbounded",
                "UNCONFIRMED  updates of a client that no certificate",
                "             covers: median, 99th percentile, maximum",
                "Only a client knows how many updates wait inside it: see",
                "'tolerance' in the JSON of counter and set."
            })
    private boolean clients;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws DeploymentDirectory.UnusableDirectory, IOException {
        StatusReader reader = new StatusReader(deployment.directory(), trust);
        List<StatusRow> rows = reader.appservers();
        List<BftserverRow> bftservers = reader.bftservers(rows);
        if (json.wanted()) {
            ObjectNode document = JSON.createObjectNode();
            document.put("deployment", reader.descriptor().id().toString());
            document.put("name", reader.descriptor().name());
            ArrayNode servers = document.putArray("servers");
            rows.forEach(row -> servers.add(row.json()));
            ArrayNode others = document.putArray("bftservers");
            bftservers.forEach(row -> others.add(row.json()));
            json.print(document);
        } else {
            print(rows, bftservers);
        }
        if (rows.stream().anyMatch(row -> row.state() == StatusRow.State.OTHER)) {
            return ExitCodes.FAILED;
        }
        boolean all = rows.stream().noneMatch(row -> row.state() == StatusRow.State.UNREACHABLE);
        return all ? ExitCodes.DONE : ExitCodes.UNREACHABLE;
    }

    /** The servers, and below them how long certification takes them from step to step, and the bftservers; or their clients. */
    private void print(List<StatusRow> rows, List<BftserverRow> bftservers) {
        PrintWriter out = spec.commandLine().getOut();
        (clients ? StatusTable.clients(rows) : StatusTable.lines(rows)).forEach(out::println);
        List<String> lag = clients ? List.of() : StatusTable.lag(rows);
        if (!lag.isEmpty()) {
            out.println();
            lag.forEach(out::println);
        }
        if (!clients) {
            out.println();
            BftserverRow.lines(bftservers).forEach(out::println);
            out.println();
            out.println("'aspas status --help' explains the columns.");
        }
    }
}
