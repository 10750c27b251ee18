package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.lag.StepDurations;
import org.aspas.client.net.TlsWords;
import org.aspas.emulab.testbed.cluster.ServerHttp;

/**
 * What one appserver tells of itself at {@code /v1/status}.
 *
 * @param server its name in the descriptor
 * @param status the whole answer; missing when there is none
 * @param stranger who answers in its place, or what is wrong with its TLS so that it cannot be asked; empty for nothing
 */
record StatusRow(String server, URI address, State state, JsonNode status, String stranger) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> REFUSED_AT_THE_DOOR = List.of(
            "malformed_frames", "oversized_frames", "text_frames", "bad_signatures", "problems", "handshakes_failed");
    private static final List<String> OF_CLIENTS = List.of(
            "sessions",
            "sessions_tau_1",
            "sessions_tau_bounded",
            "unconfirmed_p50",
            "unconfirmed_p99",
            "unconfirmed_most");
    private static final List<String> REJECTED_ON_LINKS =
            List.of("handshakes_rejected", "oversized_frames", "malformed_frames", "connections_refused");

    enum State {
        READY,
        /** Not linked to enough others, or not caught up, since its start. */
        JOINING,
        /** It serves; but no certificate has come for long although entries wait, or its base cannot be written. */
        DEGRADED,
        /** It may have signed what it no longer holds: it signs nothing, and serves certified reads. */
        AMNESIAC,
        /** It cannot vouch for its own state. */
        ALARM,
        /** Its disk takes nothing: updates wait, and after a minute it halts. */
        DISK,
        /** It does not answer, or not with a status. */
        UNREACHABLE,
        /** What answers is of another deployment, or another server. */
        OTHER
    }

    /** Asks a server; never fails. */
    static CompletableFuture<StatusRow> ask(
            HttpClient http, Duration timeout, Descriptor descriptor, NodeDescription node) {
        URI address = node.http();
        return ServerHttp.get(http, address.resolve("/v1/status"), timeout)
                .thenApply(ServerHttp::json)
                .thenApply(status -> new StatusRow(
                        node.id().toString(),
                        address,
                        state(status, descriptor, node),
                        status,
                        status.isObject() ? stranger(status, descriptor, node) : ""))
                .exceptionally(unreachable -> new StatusRow(
                        node.id().toString(),
                        address,
                        State.UNREACHABLE,
                        MissingNode.getInstance(),
                        distrust(unreachable)));
    }

    /** Why a server that can be reached is not asked; empty for all other reasons. */
    private static String distrust(Throwable unreachable) {
        for (Throwable cause = unreachable; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return TlsWords.of(cause);
            }
        }
        return "";
    }

    /** How many digits of a deployment's id are shown to tell it from others. */
    private static final int ID_DIGITS = 8;

    private static final double MICROS_PER_MILLI = 1000;

    private static State state(JsonNode status, Descriptor descriptor, NodeDescription node) {
        if (!status.isObject()) {
            return State.UNREACHABLE;
        }
        if (!stranger(status, descriptor, node).isEmpty()) {
            return State.OTHER;
        }
        String said = status.path("state").asText();
        if (said.equals("amnesiac")) {
            return State.AMNESIAC;
        }
        if (status.has("disk")) {
            return State.DISK;
        }
        boolean ready = status.path("ready").asBoolean();
        if (said.equals("joining") || ready && !status.path("joined").asBoolean()) {
            return State.JOINING;
        }
        if (!ready) {
            return State.ALARM;
        }
        return status.has("degraded") ? State.DEGRADED : State.READY;
    }

    /** Who answers, when it is not this server; empty when it is. */
    private static String stranger(JsonNode status, Descriptor descriptor, NodeDescription node) {
        String at = node.http().getAuthority();
        String expected = descriptor.id().toString();
        String found = status.path("deployment").asText();
        if (!found.equals(expected)) {
            return "another deployment answers at " + at + ": "
                    + (found.isEmpty() ? "one without an id" : shortened(found)) + ", not " + shortened(expected);
        }
        int server = status.path("server").asInt(-1);
        return server == node.id().index() ? "" : "appserver-" + server + " answers at " + at + ", not " + node.id();
    }

    private static String shortened(String id) {
        return id.substring(0, Math.min(ID_DIGITS, id.length()));
    }

    /** Why there are no figures to show, in words. */
    String silence() {
        if (state == State.OTHER) {
            return stranger;
        }
        return "no answer from " + address + (stranger.isEmpty() ? "" : ": " + stranger);
    }

    /** What the server says is wrong with it; empty when it says nothing. */
    String trouble() {
        return switch (state) {
            case ALARM, AMNESIAC -> status.path("why").asText();
            case DISK -> status.path("disk").asText();
            case DEGRADED -> status.path("degraded").asText();
            default -> "";
        };
    }

    /** How many bytes of an interrupted write its start cut off. */
    long tailCut() {
        return status.path("tail_cut_bytes").asLong();
    }

    /** Whether there are figures of this deployment to show. */
    boolean tells() {
        return state != State.UNREACHABLE && state != State.OTHER;
    }

    /** The state in lower case. */
    String stateName() {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** The number of the newest adopted certificate; 0 before the first. */
    long certificate() {
        return status.path("certificate").asLong();
    }

    /** A present size that the server tells; 0 from one that does not know it. */
    long gauge(String name) {
        return status.path("gauges").path(name).asLong();
    }

    /** How long the steps of the certification of its own entries took in the last minute; empty without any. */
    Map<LagStep, DurationFigures> lagSteps() {
        return StepDurations.read(this::gauge);
    }

    private ObjectNode lagStepsMs() {
        ObjectNode steps = JSON.createObjectNode();
        lagSteps()
                .forEach((step, micros) -> steps.putObject(step.key())
                        .put("count", micros.count())
                        .put("p50", micros.p50() / MICROS_PER_MILLI)
                        .put("p99", micros.p99() / MICROS_PER_MILLI)
                        .put("mean", micros.mean() / MICROS_PER_MILLI));
        return steps;
    }

    /** Delivered entries beyond the certified version. */
    long lagEntries() {
        return status.at("/gauges/uncertified_entries").asLong();
    }

    /** How long the oldest own entry has waited; without that figure, the age of the newest certificate. */
    long lagMillis() {
        JsonNode waiting = status.at("/gauges/oldest_uncertified_own_millis");
        return waiting.isMissingNode()
                ? status.at("/gauges/certificate_age_millis").asLong()
                : waiting.asLong();
    }

    /** Frames and requests refused. */
    long refused() {
        long sum = REFUSED_AT_THE_DOOR.stream()
                .mapToLong(name -> status.path("http").path(name).asLong())
                .sum();
        for (Map.Entry<String, JsonNode> counter : status.path("counters").properties()) {
            if (counter.getKey().startsWith("refused_")) {
                sum += counter.getValue().asLong();
            }
        }
        return sum;
    }

    /** Link connections and frames rejected. */
    long rejectedOnLinks() {
        return REJECTED_ON_LINKS.stream()
                .mapToLong(name -> status.path("links").path(name).asLong())
                .sum();
    }

    private ObjectNode clients() {
        ObjectNode clients = JSON.createObjectNode();
        for (String name : OF_CLIENTS) {
            clients.put(name, gauge(name));
        }
        return clients;
    }

    ObjectNode json() {
        ObjectNode row = JSON.createObjectNode();
        row.put("server", server);
        row.put("address", address.toString());
        row.put("reachable", state != State.UNREACHABLE);
        row.put("state", stateName());
        if (!stranger.isEmpty()) {
            row.put("why", stranger);
        }
        if (tells()) {
            row.set("version", status.path("version"));
            row.set("certified", status.path("certified"));
            row.put("certificate", certificate());
            row.put("lag_entries", lagEntries());
            row.put("lag_ms", lagMillis());
            row.set("lag_steps_ms", lagStepsMs());
            row.set("clients", clients());
            row.put("refused", refused());
            row.put("link_rejections", rejectedOnLinks());
            row.set("status", status);
        }
        return row;
    }
}
