package org.aspas.emulab.sim.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;
import java.util.List;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Event;
import org.aspas.client.core.Failure;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** How docs/vectors/conversation.json says a conversation; docs/vectors/README.md has the layout. */
final class ConversationFile {
    private static final HexFormat HEX = HexFormat.of();
    private static final String PREAMBLE = "ASPAS/1\n";
    private static final String TAGGED_FROM = "3";

    private ConversationFile() {}

    static ObjectNode of(Descriptor descriptor, List<Script.Scene> scenes) {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        out.put("deploymentId", descriptor.id().toString())
                .put("server", "0")
                .put("preamble", HEX.formatHex(PREAMBLE.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
        var key = CoreDeployment.key(Dialogue.CLIENT_SEED);
        out.putObject("client")
                .put("seed", HEX.formatHex(key.seed()))
                .put("client", HEX.formatHex(Dialogue.id(key).toBytes()))
                .put("tolerance", String.valueOf(Dialogue.TOLERANCE))
                .put(
                        "sharePrivateKey",
                        String.format("%02x", Dialogue.SHARE_SECRET).repeat(Hash.LENGTH))
                .put("taggedFrom", TAGGED_FROM);
        var list = out.putArray("scenes");
        scenes.forEach(scene -> list.add(scene(scene)));
        return out;
    }

    private static ObjectNode scene(Script.Scene scene) {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        out.put("what", scene.what());
        Event call = scene.call();
        out.set("call", call == null ? JsonNodeFactory.instance.nullNode() : call(call));
        var frames = out.putArray("frames");
        for (Dialogue.Line line : scene.lines()) {
            frames.addObject()
                    .put("from", line.byServer() ? "server" : "client")
                    .put("kind", kind(line))
                    .put("hex", HEX.formatHex(line.frame()));
        }
        scene.effects().forEach(effect -> outcome(out, effect, scene.lines()));
        return out;
    }

    private static String kind(Dialogue.Line line) {
        boolean tagged =
                CoreDeployment.decoded(line.frame()) instanceof Frame.Sealed sealed && sealed.tags().length > 0;
        return tagged
                ? TaggedRequest.class.getSimpleName()
                : line.message().kind().type().getSimpleName();
    }

    private static ObjectNode call(Event call) {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        if (call instanceof Event.Update update) {
            out.put("do", "update").put("key", update.key()).put("type", update.type());
            out.set("operation", operation(update.operation()));
        } else if (call instanceof Event.ReadAsked read) {
            out.put("do", "read")
                    .put("key", read.key())
                    .put("type", read.type())
                    .put("certified", read.certified());
            ReadPart part = read.part();
            Value element = part == null ? null : part.element();
            Hash from = part == null ? null : part.from();
            if (element != null) {
                out.set("element", item(element));
            }
            if (from != null) {
                out.put("from", from.toString());
            }
        } else if (call instanceof Event.CertificateAsked asked) {
            out.put("do", "certificate").put("number", number(asked.number()));
        }
        return out;
    }

    private static JsonNode operation(Operation operation) {
        ObjectNode out = JsonNodeFactory.instance.objectNode().put("name", operation.name());
        var arguments = out.putArray("arguments");
        operation.arguments().forEach(argument -> arguments.add(item(argument)));
        return out;
    }

    /** What the application is told at the end of a scene. */
    private static void outcome(ObjectNode out, Effect effect, List<Dialogue.Line> lines) {
        if (effect instanceof Effect.Confirmed confirmed) {
            ObjectNode told = out.putObject("outcome");
            told.set("result", item(result(lines)));
            told.set("dot", dot(confirmed.dot()));
            told.put("certificate", number(confirmed.certificate().number()));
        } else if (effect instanceof Effect.ReadDone done) {
            ObjectNode told = out.putObject("outcome");
            told.set("result", item(done.value()));
            told.put("certificate", done.certificate() == null ? null : number(done.certificateNumber()));
        } else if (effect instanceof Effect.CertificateFound found) {
            Certificate certificate = found.certificate();
            out.putObject("outcome")
                    .put("hash", certificate == null ? null : certificate.hash().toString());
        } else if (effect instanceof Effect.Failed failed && failed.failure() instanceof Failure.Refused refused) {
            out.putObject("outcome")
                    .put("refused", String.valueOf(refused.reason().ordinal()));
        }
    }

    private static Value result(List<Dialogue.Line> lines) {
        return lines.stream()
                .map(Dialogue.Line::message)
                .filter(Answer.class::isInstance)
                .map(answer -> ((Answer) answer).response().message().result())
                .findFirst()
                .orElseThrow();
    }

    private static String number(CertificateNumber number) {
        return String.valueOf(number.value());
    }

    private static JsonNode dot(Dot dot) {
        return JsonNodeFactory.instance
                .arrayNode()
                .add(String.valueOf(dot.origin()))
                .add(String.valueOf(dot.sequence()));
    }

    private static JsonNode item(Value value) {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        if (value instanceof Value.Int number) {
            return out.put("int", String.valueOf(number.value()));
        }
        if (value instanceof Value.Text text) {
            return out.put("text", text.value());
        }
        if (value instanceof Value.Blob blob) {
            return out.put("bytes", HEX.formatHex(blob.toBytes()));
        }
        var items = JsonNodeFactory.instance.arrayNode();
        ((Value.Sequence) value).items().forEach(each -> items.add(item(each)));
        return items;
    }
}
