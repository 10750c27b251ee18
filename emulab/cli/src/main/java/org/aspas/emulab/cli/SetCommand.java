package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.aspas.client.api.AddWinsSet;
import org.aspas.client.api.ReadResult;
import org.aspas.crdt.value.Value;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas set}: changes and reads one add-wins set. */
@Command(
        name = "set",
        description = {
            "Change or read an add-wins set.",
            "",
            "An element is a text unless --int or --bytes names another kind: 7 is a text, --int=7 an integer. Elements"
                    + " are printed as they can be typed: --int=7, --bytes=Nw==, 'well said', $'two\\nlines'."
        },
        synopsisSubcommandLabel = "add|remove|clear|get|has|pages",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas set add comments/42 'well said' --dir lab --confirm",
            "  aspas set get comments/42 --dir lab --json",
            "  aspas set remove votes/42 --int=7 --dir lab",
            "  aspas set has comments/42 'well said' --dir lab --level certified --proof said.cbor"
        })
final class SetCommand implements Runnable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KEY = "The set, such as comments/42.";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: add, remove, clear, get, has or pages");
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = "Add an element.",
            footerHeading = "%nExample:%n",
            footer = "  aspas set add comments/42 'well said' --dir lab --confirm")
    int add(
            @Mixin ElementArgument element,
            @Mixin UpdateOptions update,
            @Mixin ClientOption session,
            @Mixin JsonOption json)
            throws Exception {
        Value added = element.value();
        String key = element.key();
        return Reports.update(key, client -> client.set(key).add(added), update, session, json);
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Remove an element; reports when the answering server does not have it.",
            footerHeading = "%nExample:%n",
            footer = "  aspas set remove comments/42 spam --dir lab")
    int remove(
            @Mixin ElementArgument element,
            @Mixin UpdateOptions update,
            @Mixin ClientOption session,
            @Mixin JsonOption json)
            throws Exception {
        Value removed = element.value();
        return Reports.remove(element.key(), removed, update, session, json);
    }

    @Command(
            name = "clear",
            mixinStandardHelpOptions = true,
            description = "Remove all elements.",
            footerHeading = "%nExample:%n",
            footer = "  aspas set clear comments/42 --dir lab")
    int clear(
            @Parameters(paramLabel = "KEY", description = KEY) String key,
            @Mixin UpdateOptions update,
            @Mixin ClientOption session,
            @Mixin JsonOption json)
            throws Exception {
        return Reports.update(key, client -> client.set(key).clear(), update, session, json);
    }

    @Command(
            name = "get",
            mixinStandardHelpOptions = true,
            description = "Read all elements.",
            footerHeading = "%nExample:%n",
            footer = "  aspas set get comments/42 --dir lab --json")
    int read(
            @Parameters(paramLabel = "KEY", description = KEY) String key,
            @Mixin ReadOptions options,
            @Mixin ClientOption session,
            @Mixin JsonOption json)
            throws Exception {
        return Reports.read(
                key,
                "elements",
                (client, level) -> client.set(key).get(level),
                SetCommand::elements,
                options,
                session,
                json);
    }

    @Command(
            name = "has",
            mixinStandardHelpOptions = true,
            description = "Read whether the set has an element.",
            footerHeading = "%nExample:%n",
            footer = "  aspas set has comments/42 'well said' --dir lab --level certified --proof said.cbor")
    int has(
            @Mixin ElementArgument element,
            @Mixin ReadOptions options,
            @Mixin ClientOption session,
            @Mixin JsonOption json)
            throws Exception {
        String key = element.key();
        Value wanted = element.value();
        return Reports.read(
                key,
                "has",
                (client, level) -> client.set(key).contains(wanted, level),
                BooleanNode::valueOf,
                options,
                session,
                json);
    }

    @Command(
            name = "pages",
            mixinStandardHelpOptions = true,
            description = "Read a set of any size in certified pages under one certificate.",
            footerHeading = "%nExample:%n",
            footer = "  aspas set pages comments/42 --dir lab")
    int pages(
            @Parameters(paramLabel = "KEY", description = KEY) String key,
            @Mixin ClientOption session,
            @Mixin JsonOption json)
            throws Exception {
        try (OpenClient open = session.connect()) {
            ObjectNode out = JSON.createObjectNode().put("key", key);
            ArrayNode elements = out.putArray("elements");
            AddWinsSet set = open.client().set(key);
            Optional<CompletionStage<ReadResult<Set<Value>>>> next = Optional.of(set.firstPage());
            for (int pages = 1; next.isPresent(); pages++) {
                ReadResult<Set<Value>> page = open.await(next.get());
                elements.addAll(elements(page.value()));
                out.put("pages", pages)
                        .put("certificate", page.certificateNumber().value());
                next = set.pageAfter(page);
            }
            Reports.tolerance(out, open.client().statistics());
            Reports.print(json, out, "elements");
            return ExitCodes.DONE;
        }
    }

    private static ArrayNode elements(Set<Value> values) {
        ArrayNode elements = JSON.createArrayNode();
        values.forEach(each -> elements.add(ElementArgument.json(each)));
        return elements;
    }
}
