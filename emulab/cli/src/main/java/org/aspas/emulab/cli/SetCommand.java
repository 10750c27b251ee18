package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.aspas.client.api.AddWinsSet;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ReadResult;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code aspas set}: changes and reads one add-wins set. */
@Command(
        name = "set",
        description = "Change or read an add-wins set.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas set add comments/42 'well said' --dir lab --confirm",
            "  aspas set get comments/42 --dir lab --json",
            "  aspas set has comments/42 'well said' --dir lab --certified --proof said.cbor"
        })
final class SetCommand implements Callable<Integer> {
    /** What to do with the set. */
    enum Action {
        /** Add an element. */
        ADD,
        /** Remove an element. */
        REMOVE,
        /** Remove all elements. */
        CLEAR,
        /** Read all. */
        GET,
        /** Read whether an element is there. */
        HAS,
        /** Read a set of any size by certified pages. */
        PAGES
    }

    @Parameters(index = "0", paramLabel = "add|remove|clear|get|has|pages", description = "What to do.")
    private Action action = Action.GET;

    @Parameters(index = "1", paramLabel = "KEY", description = "The set, such as comments/42.")
    private String key = "";

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "ELEMENT",
            description = "What to add, to remove or to look for.")
    private @Nullable String element;

    @Mixin
    private ProofOption proof = new ProofOption();

    @Mixin
    private ClientOption session = new ClientOption();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws Exception {
        String given = element;
        boolean needed = action == Action.ADD || action == Action.REMOVE || action == Action.HAS;
        if (needed != (given != null)) {
            throw new IllegalArgumentException(
                    needed ? "an ELEMENT is missing" : "this takes no ELEMENT, but '" + given + "' is given");
        }
        proof.check(action == Action.GET || action == Action.HAS, session.level());
        try (AspasClient client = session.connect()) {
            AddWinsSet set = client.set(key);
            ObjectNode out = new ObjectMapper().createObjectNode().put("key", key);
            if (action == Action.GET) {
                ReadResult<Set<Value>> read = session.await(set.get(session.level()));
                ArrayNode elements = out.putArray("elements");
                read.value().forEach(each -> elements.add(text(each)));
                Reports.read(out, read);
                proof.write(out, read);
            } else if (action == Action.PAGES) {
                pages(set, out);
            } else if (action == Action.HAS && given != null) {
                ReadResult<Boolean> read = session.await(set.contains(given, session.level()));
                out.put("has", read.value());
                Reports.read(out, read);
                proof.write(out, read);
            } else if (given != null) {
                Reports.update(out, action == Action.ADD ? set.add(given) : set.remove(given), session);
            } else {
                Reports.update(out, set.clear(), session);
            }
            Reports.tolerance(out, client.statistics());
            Reports.print(json, out, "elements");
        }
        return ExitCodes.DONE;
    }

    /** All pages of one certificate. */
    private void pages(AddWinsSet set, ObjectNode out) throws Exception {
        ArrayNode elements = out.putArray("elements");
        Optional<CompletionStage<ReadResult<Set<Value>>>> next = Optional.of(set.firstPage());
        int pages = 0;
        while (next.isPresent()) {
            ReadResult<Set<Value>> page = session.await(next.get());
            page.value().forEach(each -> elements.add(text(each)));
            out.put("pages", ++pages)
                    .put("certificate", page.certificateNumber().value());
            next = set.pageAfter(page);
        }
    }

    static String text(Value element) {
        if (element instanceof Value.Text text) {
            return text.value();
        }
        if (element instanceof Value.Int number) {
            return Long.toString(number.value());
        }
        return element instanceof Value.Blob blob ? HexFormat.of().formatHex(blob.toBytes()) : element.toString();
    }
}
