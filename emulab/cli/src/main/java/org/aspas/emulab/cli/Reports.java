package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.client.api.AddWinsSet;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientStatistics;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.ReadResult;
import org.aspas.client.api.Update;
import org.aspas.client.api.UpdateAnswer;
import org.aspas.client.api.UpdateConfirmation;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;

/** What one-shot commands print about answers: fields for programs, one line for people. */
final class Reports {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final ObjectMapper JSON = new ObjectMapper();

    private Reports() {}

    /**
     * Makes an update and prints what comes of it.
     *
     * @throws KeptException when there is no answer, and the next command of the client sends the update
     * @throws RefusedException when the update does not fit its object
     * @throws NotConfirmed when there is an answer, and no certificate came in time
     */
    static int update(
            String key,
            Function<AspasClient, Update> call,
            UpdateOptions options,
            ClientOption session,
            JsonOption json)
            throws Exception {
        ObjectNode out = JSON.createObjectNode().put("key", key);
        try (OpenClient open = options.connect(session)) {
            answered(out, call.apply(open.call()), open, options);
            tolerance(out, open.client().statistics());
        } catch (KeptException kept) {
            throw kept(kept, out, json);
        } catch (RefusedException refused) {
            if (json.wanted()) {
                out.put("refused", true);
                if (!refused.request().isEmpty()) {
                    out.put("kept", refused.request());
                }
                json.print(out.put("detail", refused.getMessage()));
            }
            throw refused;
        }
        print(json, out, "value");
        return ExitCodes.DONE;
    }

    /**
     * Removes an element of a set, and says so when it is not there to be removed.
     *
     * @throws KeptException when there is no answer, and the next command of the client sends the update
     * @throws NotConfirmed when there is an answer, and no certificate came in time
     */
    static int remove(String key, Value element, UpdateOptions options, ClientOption session, JsonOption json)
            throws Exception {
        ObjectNode out = JSON.createObjectNode().put("key", key);
        try (OpenClient open = options.connect(session)) {
            AddWinsSet set = open.client().set(key);
            out.put(
                    "present",
                    open.await(set.contains(element, ReadLevel.LOCAL)).value());
            if (!out.path("present").asBoolean() && element instanceof Value.Text text) {
                alike(out, text.value(), set, open);
            }
            answered(out, open.call().set(key).remove(element), open, options);
            tolerance(out, open.client().statistics());
        } catch (KeptException kept) {
            throw kept(kept, out, json);
        }
        print(json, out, "value");
        return ExitCodes.DONE;
    }

    /** Tells of an integer in the set that looks like the text that is missing. */
    private static void alike(ObjectNode out, String text, AddWinsSet set, OpenClient open) throws Exception {
        if (text.matches("0|-?[1-9][0-9]{0,17}")) {
            Value number = Value.of(Long.parseLong(text));
            if (open.await(set.contains(number, ReadLevel.LOCAL)).value()) {
                out.put("instead", ElementArgument.words(number));
            }
        }
    }

    private static KeptException kept(KeptException kept, ObjectNode out, JsonOption json) throws IOException {
        if (json.wanted()) {
            json.print(out.put("kept", kept.request()).put("detail", kept.getMessage()));
        }
        return kept;
    }

    /**
     * Reads an object and prints what it is.
     *
     * @param main what the value is called
     */
    static <T> int read(
            String key,
            String main,
            BiFunction<AspasClient, ReadLevel, CompletionStage<ReadResult<T>>> call,
            Function<T, JsonNode> form,
            ReadOptions options,
            ClientOption session,
            JsonOption json)
            throws Exception {
        ReadLevel level = options.level();
        try (OpenClient open = session.connect()) {
            ObjectNode out = JSON.createObjectNode().put("key", key);
            ReadResult<T> read = open.await(call.apply(open.call(), level));
            out.set(main, form.apply(read.value()));
            described(out, read, open);
            options.prove(out, read);
            tolerance(out, open.client().statistics());
            print(json, out, main);
            return ExitCodes.DONE;
        }
    }

    private static void described(ObjectNode out, ReadResult<?> read, OpenClient open) {
        out.put("certified", read.certificate() != null);
        out.put("certificate", read.certificateNumber().value());
        version(out, read.version());
        open.describe(out, read.roundTripNanos());
    }

    private static void answered(ObjectNode out, Update update, OpenClient open, UpdateOptions options)
            throws Exception {
        UpdateAnswer answer = open.answer(update);
        answer.counter().ifPresent(value -> out.put("value", value));
        out.put("number", answer.number());
        out.put("origin", answer.dot().origin());
        out.put("sequence", answer.dot().sequence());
        version(out, answer.version());
        open.describe(out, answer.roundTripNanos());
        if (options.confirm()) {
            confirmation(out, update, answer, open);
        }
    }

    private static void confirmation(ObjectNode out, Update update, UpdateAnswer answer, OpenClient session)
            throws Exception {
        CertificateNumber whenAnswered = session.newest();
        Optional<UpdateConfirmation> confirmed = session.confirmation(update);
        out.put("confirmed", confirmed.isPresent());
        if (confirmed.isPresent()) {
            out.put("confirmed_by", confirmed.get().certificateNumber().value());
            out.put("confirmed_after_ms", confirmed.get().nanos() / NANOS_PER_MILLI);
        } else {
            out.put("detail", session.notConfirmed(answer, whenAnswered));
        }
    }

    /** What τ does to this client: how much of it is in use, and whether it makes updates wait. */
    static void tolerance(ObjectNode out, ClientStatistics statistics) {
        ObjectNode tolerance = out.putObject("tolerance");
        tolerance.put("tau", JsonOption.tau(statistics.tolerance()));
        tolerance.put("unconfirmed", statistics.unconfirmed());
        tolerance.put("waiting", statistics.waiting());
        tolerance.put("waited_share", statistics.waitedShare());
        tolerance.put("exposure", statistics.exposure());
    }

    private static void version(ObjectNode out, VersionVector version) {
        ArrayNode components = out.putArray("version");
        for (long component : version.toArray()) {
            components.add(component);
        }
    }

    /**
     * Prints JSON, or the main field first and the rest in brackets.
     *
     * @throws NotConfirmed afterwards, when the report is of an update whose confirmation did not come in time
     */
    static void print(JsonOption json, ObjectNode out, String main) throws IOException, NotConfirmed {
        if (json.wanted()) {
            json.print(out);
        } else {
            printText(json, out, main);
        }
        if (!out.path("confirmed").asBoolean(true)) {
            throw new NotConfirmed(out.path("detail").asText());
        }
    }

    private static void printText(JsonOption json, ObjectNode out, String main) {
        JsonNode value = out.path(main);
        List<String> more = remarks(out, json.verbose());
        String line = more.isEmpty() ? "" : "(" + String.join(", ", more) + ")";
        if (value.isArray()) {
            value.forEach(element -> json.out().println(ElementArgument.words(element)));
        } else if (!out.path("present").asBoolean(true)) {
            String instead = out.has("instead") ? ", but " + out.path("instead").asText() : "";
            line = "nothing removed: appserver-" + out.path("server").asInt() + " has no such element" + instead + "  "
                    + line;
        } else {
            line = (value.isMissingNode() ? "done" : value.asText()) + "  " + line;
        }
        if (!line.isEmpty()) {
            json.out().println(line.stripTrailing());
        }
    }

    /** What to say beside a value: who answered instead of whom, what proves it, and where it is when all is asked for. */
    private static List<String> remarks(ObjectNode out, boolean all) {
        List<String> remarks = new ArrayList<>();
        for (JsonNode one : out.path("left")) {
            String server = "appserver-" + one.path("server").asInt();
            String why = one.path("why").asText();
            boolean silent = Set.of("unreachable", "unanswered").contains(why);
            remarks.add(
                    silent
                            ? String.format(
                                    Locale.ROOT,
                                    "no answer from %s in %.1f s",
                                    server,
                                    one.path("after_ms").asDouble() / MILLIS_PER_SECOND)
                            : server + " left: " + why.replace('_', ' '));
        }
        if (out.has("left")) {
            remarks.add("answered by appserver-" + out.path("server").asInt());
        }
        if (out.path("certified").asBoolean()) {
            remarks.add("certified by certificate " + out.path("certificate").asLong());
        }
        if (out.has("confirmed_by")) {
            remarks.add("confirmed by certificate " + out.path("confirmed_by").asLong());
        }
        if (!out.path("confirmed").asBoolean(true)) {
            remarks.add("not confirmed");
        }
        if (all && out.has("version")) {
            remarks.add("version " + out.path("version"));
        }
        return remarks;
    }
}
