package org.aspas.certify.vectors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.state.PageProof;
import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateProof;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** How vectors are written as JSON: bytes in hexadecimal, numbers as decimal texts, CBOR items by their kinds. */
final class VectorJson {
    /** Where the files are. */
    static final Path DIRECTORY = Path.of("..", "docs", "vectors");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper CBOR = new ObjectMapper(new CBORFactory());
    private static final HexFormat HEX = HexFormat.of();
    private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");

    private VectorJson() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    static String hex(byte[] bytes) {
        return HEX.formatHex(bytes);
    }

    static String hex(Message message) {
        return hex(Codec.encode(message));
    }

    static String hex(Signed<?> signed) {
        return hex(Codec.encode(signed));
    }

    static String hex(Value value) {
        return hex(Codec.encodeValue(value));
    }

    static byte[] bytes(String hex) {
        return HEX.parseHex(hex);
    }

    static byte[] bytes(JsonNode node) {
        return bytes(node.textValue());
    }

    static Hash hash(JsonNode node) {
        return Hash.of(bytes(node));
    }

    static ArrayNode hashes(Collection<Hash> hashes) {
        ArrayNode out = array();
        hashes.forEach(hash -> out.add(hash.toString()));
        return out;
    }

    static List<Hash> hashes(JsonNode nodes) {
        return list(nodes).stream().map(VectorJson::hash).toList();
    }

    static List<JsonNode> list(JsonNode nodes) {
        return JSON.convertValue(nodes, JSON.getTypeFactory().constructCollectionType(List.class, JsonNode.class));
    }

    static ObjectNode inclusion(InclusionProof proof) {
        ObjectNode out = object();
        out.put("leafIndex", String.valueOf(proof.leafIndex())).put("treeSize", String.valueOf(proof.treeSize()));
        out.set("path", hashes(proof.path()));
        return out;
    }

    static ObjectNode stateProof(StateProof proof) {
        ObjectNode out = object();
        out.set("siblings", hashes(proof.siblings()));
        out.set("terminal", leaf(proof.terminal()));
        return out;
    }

    static ObjectNode page(PageProof proof) {
        ObjectNode out = object();
        out.put("bits", String.valueOf(proof.bits()));
        out.set("siblings", hashes(proof.siblings()));
        out.set("other", leaf(proof.other()));
        return out;
    }

    static JsonNode leaf(@Nullable StateLeaf leaf) {
        return leaf == null
                ? JsonNodeFactory.instance.nullNode()
                : object().put("path", leaf.path().toString())
                        .put("value", leaf.value().toString());
    }

    static @Nullable StateLeaf leaf(JsonNode leaf) {
        return leaf.isNull() ? null : new StateLeaf(hash(leaf.path("path")), hash(leaf.path("value")));
    }

    /** The items of a CBOR text, read by another library than the one under test. */
    static JsonNode items(byte[] cbor) {
        try {
            return typed(CBOR.readTree(cbor));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static JsonNode typed(JsonNode item) throws IOException {
        if (item.isArray()) {
            ArrayNode out = array();
            for (JsonNode each : item) {
                out.add(typed(each));
            }
            return out;
        }
        if (item.isBinary()) {
            return object().put("bytes", hex(item.binaryValue()));
        }
        if (item.isTextual()) {
            return object().put("text", item.textValue());
        }
        return item.isIntegralNumber() ? object().put("int", item.asText()) : item;
    }

    static String text(JsonNode node) {
        try {
            return JSON.writer(new DefaultPrettyPrinter()
                                    .withObjectIndenter(LINES)
                                    .withArrayIndenter(LINES))
                            .writeValueAsString(node)
                    + "\n";
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** The file with this name, as it is in the tree. */
    static JsonNode read(String name) {
        try {
            return JSON.readTree(Files.readAllBytes(DIRECTORY.resolve(name)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(name + " cannot be read", unreadable);
        }
    }
}
