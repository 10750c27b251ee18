package org.aspas.appserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.ObjectView;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ElementsProof;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Response;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The JSON forms of the protocol's values: integers and texts as themselves, byte strings as {@code {"base64": "..."}},
 * sequences and version vectors as arrays, hashes in hexadecimal. Integers have 64 bits, more than
 * JavaScript's numbers keep, so that those of objects may be wanted as texts. All names are
 * in lower case with underscores.
 */
final class JsonForms {
    static final String ELEMENTS = "an integer of 64 bits, a text, {\"integer\": \"...\"} or {\"base64\": \"...\"}";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private JsonForms() {}

    /**
     * A value of an object.
     *
     * @param textual whether integers are texts: of a counter as they stand, in a set as {@code {"integer": "..."}}, which tells them
     *     from texts and is taken as an element
     */
    static JsonNode of(Value value, boolean textual) {
        return textual && value instanceof Value.Int number
                ? JSON.textNode(Long.toString(number.value()))
                : element(value, textual);
    }

    private static JsonNode element(Value value, boolean textual) {
        if (value instanceof Value.Int number) {
            return textual
                    ? JSON.objectNode().put("integer", Long.toString(number.value()))
                    : JSON.numberNode(number.value());
        }
        if (value instanceof Value.Text text) {
            return JSON.textNode(text.value());
        }
        if (value instanceof Value.Blob blob) {
            return JSON.objectNode().put("base64", base64(blob.toBytes()));
        }
        ArrayNode items = JSON.arrayNode();
        ((Value.Sequence) value).items().forEach(item -> items.add(element(item, textual)));
        return items;
    }

    /**
     * The value of a set element; empty when the JSON is none.
     *
     * @throws ProblemException when it is a text with half of a surrogate pair
     */
    static Optional<Value> element(JsonNode node) {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return Optional.of(Value.of(node.longValue()));
        }
        if (node.isTextual()) {
            if (!Value.Text.isWellFormed(node.textValue())) {
                throw new ProblemException(Problem.notUnicode("The element"));
            }
            return Optional.of(Value.of(node.textValue()));
        }
        JsonNode blob = node.get("base64");
        JsonNode integer = node.get("integer");
        if (node.size() != 1) {
            return Optional.empty();
        }
        if (integer != null && integer.isTextual()) {
            return integer(integer.textValue());
        }
        return blob != null && blob.isTextual() ? blob(blob.textValue()) : Optional.empty();
    }

    private static Optional<Value> integer(String text) {
        if (!text.matches("0|-?[1-9][0-9]{0,18}")) {
            return Optional.empty();
        }
        BigInteger number = new BigInteger(text);
        return number.bitLength() < Long.SIZE ? Optional.of(Value.of(number.longValue())) : Optional.empty();
    }

    private static Optional<Value> blob(String encoded) {
        try {
            return Optional.of(Value.of(Base64.getDecoder().decode(encoded)));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    static ArrayNode of(VersionVector version) {
        ArrayNode components = JSON.arrayNode();
        for (int origin = 0; origin < version.size(); origin++) {
            components.add(version.get(origin));
        }
        return components;
    }

    static ObjectNode of(Dot dot) {
        return JSON.objectNode().put("origin", dot.origin()).put("sequence", dot.sequence());
    }

    /**
     * The answer to an update or a read of an object.
     *
     * @throws ProblemException when it was refused
     */
    static ObjectNode answered(Reply reply, String key, String type, boolean textual) {
        if (reply instanceof Reply.Refused refused) {
            throw new ProblemException(Problem.of(refused.refusal(), type));
        }
        ObjectNode document = JSON.objectNode().put("key", key).put("type", type);
        document.setAll(of(((Reply.Answered) reply).answer().response().message(), textual));
        return document;
    }

    /** One state of an object: the value, unless it is left out, and the number of elements of a set. */
    static ObjectNode of(ObjectView.Shown shown, boolean textual) {
        ObjectNode node = JSON.objectNode();
        Value value = shown.value();
        Long elements = shown.elements();
        if (value != null) {
            node.set("value", of(value, textual));
        }
        if (elements != null) {
            node.put("size", elements);
        }
        return node;
    }

    /** What stands in the place of an object that could not be read, among several. */
    static ObjectNode refused(String key, String type, Throwable failure) {
        ObjectNode document = JSON.objectNode().put("key", key).put("type", type);
        document.set(
                "problem",
                FailureProblems.of("one of several reads", false, failure).document());
        return document;
    }

    /** What every answer tells, of an update and of a read. */
    static ObjectNode of(Response response, boolean textual) {
        ObjectNode node = JSON.objectNode();
        boolean silent = response.isUpdate()
                && response.result() instanceof Value.Sequence items
                && items.items().isEmpty();
        if (!silent) {
            node.set("value", of(response.result(), textual));
        }
        Dot dot = response.dot();
        if (dot != null) {
            node.put("number", response.reference());
            node.set("dot", of(dot));
            node.put("leaf", response.leaf().toString());
        }
        node.set("version", of(response.version()));
        node.put("roots", response.roots().toString());
        node.put("certificate", response.certificate().value());
        node.put("server", response.server());
        return node;
    }

    /**
     * What an answer to a certified read tells of all elements: of which certificate they are, how many there are, the root of
     * their tree, and behind a page where the next one begins.
     */
    static Optional<ObjectNode> elements(Answer answer, @Nullable ReadPart part) {
        ObjectProof object = answer.proof();
        ElementsProof proof = object == null ? null : object.elements();
        if (proof == null) {
            return Optional.empty();
        }
        CertificateNumber asked = part == null ? CertificateNumber.NONE : part.certificate();
        CertificateNumber of = asked.equals(CertificateNumber.NONE)
                ? answer.response().message().certificate()
                : asked;
        ObjectNode node = JSON.objectNode()
                .put("certificate", of.value())
                .put("size", proof.size())
                .put("root", proof.root().toString());
        Hash from = part == null ? null : part.from();
        if (from != null) {
            proof.page().next(from).ifPresent(next -> node.put("next", next.toString()));
        }
        return Optional.of(node);
    }

    static ObjectNode blacklist(CoreStatus status) {
        ObjectNode node = JSON.objectNode();
        ArrayNode servers = node.putArray("appservers");
        ArrayNode clients = node.putArray("clients");
        for (CoreStatus.Excluded one : status.blacklist()) {
            ObjectNode item;
            if (one.accused() instanceof Accused.Server server) {
                item = servers.addObject();
                item.put("server", server.index())
                        .put("cut", one.cut())
                        .put("since_certificate", one.since().value());
            } else {
                item = clients.addObject();
                item.put("client", ((Accused.Client) one.accused()).id().key().toString());
            }
            item.put("evidence", one.evidence().toString());
            one.proof()
                    .ifPresent(proof -> item.put(
                            "why", proof.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        }
        return node;
    }

    /** A whole certificate: what people read, and the payload with its signatures for who verifies it. */
    static ObjectNode of(Certificate certificate) {
        ObjectNode node = JSON.objectNode();
        node.put("number", certificate.number().value());
        node.put("hash", certificate.hash().toString());
        node.put("deployment", certificate.content().deployment().toString());
        node.put("previous", certificate.content().previous().toString());
        node.set("version", of(certificate.content().version()));
        ArrayNode roots = node.putArray("roots");
        certificate.content().roots().forEach(root -> roots.add(root.toString()));
        node.put("state", certificate.content().state().toString());
        ArrayNode exclusions = node.putArray("exclusions");
        certificate
                .content()
                .exclusions()
                .forEach(out ->
                        exclusions.addObject().put("origin", out.origin()).put("cut", out.cut()));
        node.put("payload", base64(certificate.payload()));
        ArrayNode signatures = node.putArray("signatures");
        certificate
                .signatures()
                .forEach(one ->
                        signatures.addObject().put("replica", one.replica()).put("signature", base64(one.signature())));
        return node;
    }

    static ObjectNode of(CoreStatus status) {
        ObjectNode node = JSON.objectNode();
        node.set("version", of(status.version()));
        node.put("certificate", status.certificate().value());
        node.set("certified", of(status.certified()));
        node.put("caught_up", status.caughtUp());
        node.put("ready", status.ready());
        node.put("state", status.state().name().toLowerCase(Locale.ROOT));
        node.put("why", status.why());
        ObjectNode gauges = node.putObject("gauges");
        status.gauges().forEach(gauges::put);
        ObjectNode counters = node.putObject("counters");
        status.counters().forEach(counters::put);
        return node;
    }

    static ObjectNode of(HttpCounts counts) {
        return JSON.objectNode()
                .put("sessions_opened", counts.sessionsOpened())
                .put("sessions_closed", counts.sessionsClosed())
                .put("frames_received", counts.framesReceived())
                .put("malformed_frames", counts.malformedFrames())
                .put("oversized_frames", counts.oversizedFrames())
                .put("text_frames", counts.textFrames())
                .put("bad_signatures", counts.badSignatures())
                .put("slow_clients", counts.slowClients())
                .put("strangers_ended", counts.strangersEnded())
                .put("connections_ended", counts.connectionsEnded())
                .put("handshakes_failed", counts.handshakesFailed())
                .put("requests", counts.requests())
                .put("problems", counts.problems())
                .put("unreadable_requests", counts.unreadableRequests())
                .put("streams_opened", counts.streamsOpened())
                .put("streams_closed", counts.streamsClosed())
                .put("events_dropped", counts.eventsDropped());
    }

    static ObjectNode of(SignatureCounts.Reading reading) {
        ObjectNode node = JSON.objectNode();
        ObjectNode signed = node.putObject("signed");
        reading.signed().forEach((use, count) -> signed.put(use.label(), count));
        ObjectNode verified = node.putObject("verified");
        reading.verified().forEach((use, count) -> verified.put(use.label(), count));
        return node;
    }

    static ObjectNode of(Descriptor descriptor) {
        ObjectNode node = JSON.objectNode();
        node.put("id", descriptor.id().toString());
        node.put("name", descriptor.name());
        node.put("appservers", descriptor.quorums().appservers());
        node.put("bftservers", descriptor.quorums().bftservers());
        ArrayNode nodes = node.putArray("nodes");
        for (NodeDescription one : descriptor.nodes()) {
            nodes.addObject()
                    .put("node", one.id().toString())
                    .put("key", one.key().toString())
                    .put("host", one.host())
                    .put("link_port", one.linkPort())
                    .put("service_port", one.servicePort())
                    .put("session_port", one.sessionPort())
                    .put("client_tls", one.clientTls());
        }
        node.put("admission", descriptor.admitted().isEmpty() ? "open" : "listed");
        node.set("limits", of(descriptor.limits()));
        return node;
    }

    private static ObjectNode of(Limits limits) {
        return JSON.objectNode()
                .put("client_frame_bytes", limits.clientFrameBytes())
                .put("link_frame_bytes", limits.linkFrameBytes())
                .put("key_bytes", limits.keyBytes())
                .put("operation_bytes", limits.operationBytes())
                .put("batch_entries", limits.batchEntries())
                .put("batch_bytes", limits.batchBytes())
                .put("tick_millis", limits.tickMillis())
                .put("epoch_ticks", limits.epochTicks())
                .put("round_ticks", limits.roundTicks())
                .put("retained_certificates", limits.retainedCertificates());
    }

    /** A name of Java, as it stands in JSON: {@code linksDropped} is {@code links_dropped}. */
    static String snakeCase(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
