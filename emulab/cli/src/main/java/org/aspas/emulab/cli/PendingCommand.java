package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Request;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.AspasException;
import org.aspas.crdt.value.Printable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas pending}: the updates of a client that no certificate covers, as far as it knows. */
@Command(
        name = "pending",
        description = {
            "List, resend or drop the updates of a client that no verified certificate covers.",
            "",
            "An update that got no answer stays in the client's record, and the client's next command sends it. So does"
                    + " an answered update until a certificate covers it; resending it is safe because it counts once."
        },
        synopsisSubcommandLabel = "list|retry|drop",
        footerHeading = "%nExamples:%n",
        footer = {"  aspas pending list --dir lab", "  aspas pending retry --dir lab --client alice --json"})
final class PendingCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: list, retry or drop");
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "List the updates that no verified certificate covers, without asking a server.",
            footerHeading = "%nExample:%n",
            footer = "  aspas pending list --dir lab --json")
    int list(@Mixin DeploymentOption deployment, @Mixin ClientNameOption name, @Mixin JsonOption json)
            throws Exception {
        PendingRequests record = name.record(deployment.directory(), spec);
        List<PendingRequests.Pending> pending = record.read();
        if (json.wanted()) {
            json.print(document(record, pending));
            return ExitCodes.DONE;
        }
        if (record.inUse() > 0) {
            json.out().println(record.inUse() + " running clients have records of their own, which are not listed");
        }
        if (pending.isEmpty()) {
            json.out().println("nothing is pending for client " + record.client());
            return ExitCodes.DONE;
        }
        json.out().println(String.format(Locale.ROOT, "%-8s  %-20s  %s", "REQUEST", "SINCE", "WHAT"));
        pending.forEach(one -> json.out()
                .println(String.format(
                        Locale.ROOT,
                        "%-8s  %-20s  %s %s",
                        one.name(),
                        one.since(),
                        Printable.word(one.request().key()),
                        one.operation())));
        return ExitCodes.DONE;
    }

    private static ObjectNode document(PendingRequests record, List<PendingRequests.Pending> pending) {
        ObjectNode document = new ObjectMapper().createObjectNode();
        document.put("client", record.client()).put("records_in_use", record.inUse());
        ArrayNode requests = document.putArray("requests");
        pending.forEach(one -> requests.addObject()
                .put("request", one.name())
                .put("number", one.request().number())
                .put("since", one.since().toString())
                .put("key", one.request().key())
                .put("type", one.request().type())
                .put("operation", one.operation()));
        return document;
    }

    @Command(
            name = "retry",
            mixinStandardHelpOptions = true,
            description = "Resend all pending updates now, and wait until certificates cover them.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:nothing is pending any more",
                "1:failure",
                "2:the command line or a file that it names is wrong",
                "5:they were sent, but no certificate covered some of them in time",
                "7:no server could be reached; the updates are kept"
            },
            footerHeading = "%nExample:%n",
            footer = "  aspas pending retry --dir lab --timeout 30")
    int retry(@Mixin ClientOption session, @Mixin JsonOption json) throws Exception {
        PendingRequests record = session.record();
        int before = record.read().size();
        int open = before == 0 ? 0 : send(session, before);
        String what = before - open + " of " + before + " confirmed";
        if (json.wanted()) {
            json.print(new ObjectMapper()
                    .createObjectNode()
                    .put("client", record.client())
                    .put("sent", before)
                    .put("confirmed", before - open)
                    .put("pending", open));
        } else if (open == 0) {
            json.out().println(before == 0 ? "nothing is pending for client " + record.client() : what);
        }
        if (open > 0) {
            throw new NotConfirmed(what + ", the others are sent and kept");
        }
        return ExitCodes.DONE;
    }

    @Command(
            name = "drop",
            mixinStandardHelpOptions = true,
            description = {
                "Drop requests that can never succeed, so that this client stops sending them. Asks no server.",
                "",
                "A server that already has a dropped request may still apply it. Dropping a request also drops the"
                        + " later requests of the same start of the client, because no server accepts them without it."
            },
            footerHeading = "%nExamples:%n",
            footer = {"  aspas pending drop d1fc927c --dir lab", "  aspas pending drop --all --dir lab"})
    int drop(
            @Parameters(
                            arity = "0..*",
                            paramLabel = "REQUEST",
                            description = "Requests to drop, by their names in 'aspas pending list'.")
                    @Nullable
                    List<String> names,
            @Option(names = "--all", description = "Drop all pending requests.") boolean all,
            @Mixin DeploymentOption deployment,
            @Mixin ClientNameOption name,
            @Mixin JsonOption json)
            throws Exception {
        List<String> chosen = names == null ? List.of() : names;
        if (chosen.isEmpty() != all) {
            throw new IllegalArgumentException("name the requests to drop, or give --all");
        }
        PendingRequests record = name.record(deployment.directory(), spec);
        List<PendingRequests.Pending> pending = record.read();
        Map<ClientId, Long> from = new HashMap<>();
        for (String one : chosen) {
            Request request = pending.stream()
                    .filter(each -> each.name().equals(one))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "client " + record.client() + " has no pending request " + one + " (aspas pending list)"))
                    .request();
            from.merge(request.client(), request.number(), Math::min);
        }
        List<PendingRequests.Pending> dropped = pending.stream()
                .filter(each -> all
                        || each.request().number()
                                >= from.getOrDefault(each.request().client(), Long.MAX_VALUE))
                .toList();
        record.drop(dropped::contains);
        if (json.wanted()) {
            json.print(document(record, dropped));
            return ExitCodes.DONE;
        }
        dropped.forEach(one -> json.out()
                .println("dropped " + one.name() + "  " + one.request().key() + " " + one.operation()));
        if (dropped.isEmpty()) {
            json.out().println("nothing is pending for client " + record.client());
        }
        return ExitCodes.DONE;
    }

    /** Sends what is open, and returns how many requests are open at the end. */
    private static int send(ClientOption session, int before) throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        try (OpenClient open = session.connect()) {
            AspasClient client = open.client();
            opened(open, before);
            client.listen(any -> check(client, done));
            client.events(any -> check(client, done));
            check(client, done);
            open.await(done);
            return 0;
        } catch (TimeoutException late) {
            return session.record().read().size();
        }
    }

    private static void opened(OpenClient open, int before) throws Exception {
        try {
            open.await(open.client().ready());
        } catch (ExecutionException | TimeoutException failed) {
            Throwable cause = UserErrors.cause(failed);
            throw cause instanceof AspasException.Unreachable || cause instanceof TimeoutException
                    ? new KeptException(UserErrors.sentence(failed) + "; all " + before + " are kept")
                    : failed;
        }
    }

    private static void check(AspasClient client, CompletableFuture<Boolean> done) {
        if (client.statistics().unconfirmed() == 0) {
            done.complete(true);
        }
    }
}
