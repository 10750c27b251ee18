package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.client.api.ClientStatistics;
import org.aspas.client.api.ReadResult;
import org.aspas.client.api.Update;
import org.aspas.client.api.UpdateAnswer;
import org.aspas.client.api.UpdateConfirmation;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;

/** What one-shot commands print about answers: fields for programs, one line for people. */
final class Reports {
    private static final double NANOS_PER_MILLI = 1e6;

    private Reports() {}

    static void read(ObjectNode out, ReadResult<?> read) {
        out.put("certified", read.certificate() != null);
        out.put("certificate", read.certificateNumber().value());
        version(out, read.version());
        out.put("round_trip_ms", read.roundTripNanos() / NANOS_PER_MILLI);
    }

    static void update(ObjectNode out, Update update, ClientOption session) throws Exception {
        UpdateAnswer answer = session.answer(update);
        if (answer.value() instanceof Value.Int number) {
            out.put("value", number.value());
        }
        out.put("number", answer.number());
        out.put("origin", answer.dot().origin());
        out.put("sequence", answer.dot().sequence());
        version(out, answer.version());
        out.put("round_trip_ms", answer.roundTripNanos() / NANOS_PER_MILLI);
        if (session.confirm()) {
            confirmation(out, update, answer, session);
        }
    }

    private static void confirmation(ObjectNode out, Update update, UpdateAnswer answer, ClientOption session)
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
        tolerance.put("tau", statistics.tolerance());
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
        StringBuilder line = new StringBuilder();
        JsonNode value = out.path(main);
        if (value.isArray()) {
            value.forEach(element -> json.out().println(element.asText()));
        } else {
            line.append(value.isMissingNode() ? "done" : value.asText()).append("  ");
        }
        line.append('(').append("version ").append(out.path("version"));
        if (out.path("certified").asBoolean()) {
            line.append(", certified by ").append(out.path("certificate").asLong());
        }
        if (out.has("confirmed_by")) {
            line.append(", confirmed by certificate ")
                    .append(out.path("confirmed_by").asLong());
        }
        if (!out.path("confirmed").asBoolean(true)) {
            line.append(", not confirmed");
        }
        json.out().println(line.append(')'));
    }
}
