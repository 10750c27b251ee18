package org.aspas.certify.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.quorum.Quorums;

/**
 * The descriptor as a JSON text with a detached operator signature. The signature covers the exact bytes of the text;
 * the deployment id is their SHA-256.
 *
 * @param text the exact bytes of the JSON text; not to be changed
 * @param signature the operator's signature; not to be changed
 */
public record DescriptorFile(byte[] text, byte[] signature) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final int FORMAT = 1;

    /** Why a descriptor cannot be used; the message names the key, the value and the range. */
    public static final class InvalidDescriptor extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidDescriptor(String message) {
            super(message);
        }
    }

    /** Writes and signs a descriptor. */
    public static DescriptorFile sign(
            SigningKey operator,
            String name,
            Quorums quorums,
            List<NodeDescription> nodes,
            Set<ClientId> admitted,
            Limits limits) {
        ObjectNode root = JSON.createObjectNode();
        root.put("format", FORMAT).put("name", name).put("f", quorums.f()).put("b", quorums.b());
        root.put("operator", operator.publicKey().toString());
        ArrayNode members = root.putArray("nodes");
        nodes.forEach(node -> writeNode(members.addObject(), node));
        ArrayNode clients = root.putArray("admitted");
        new TreeSet<>(admitted).forEach(client -> clients.add(client.key().toString()));
        root.set("limits", JSON.valueToTree(limits));
        byte[] text = (root.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
        return new DescriptorFile(text, operator.sign(Domain.DEPLOYMENT, Hash.ZERO, text));
    }

    private static void writeNode(ObjectNode out, NodeDescription node) {
        out.put("role", node.id().role().name().toLowerCase(Locale.ROOT));
        out.put("index", node.id().index());
        out.put("key", node.key().toString());
        out.put("host", node.host());
        out.put("linkPort", node.linkPort());
        out.put("servicePort", node.servicePort());
        out.put("orderingKey", HEX.formatHex(node.orderingKey()));
    }

    /**
     * Verifies the operator's signature and reads the descriptor.
     *
     * @param operator the operator's key, from a source that the reader trusts
     * @throws InvalidDescriptor when the signature or any field is wrong
     */
    public Descriptor open(PublicKey operator) throws InvalidDescriptor {
        if (!new Verifier(Hash.ZERO).verify(operator, Domain.DEPLOYMENT, text, signature)) {
            throw new InvalidDescriptor("the descriptor is not signed by the operator " + operator);
        }
        try {
            return read(JSON.readTree(text));
        } catch (IOException broken) {
            throw new InvalidDescriptor("the descriptor is not JSON");
        } catch (IllegalArgumentException outOfRange) {
            throw new InvalidDescriptor(String.valueOf(outOfRange.getMessage()));
        }
    }

    private Descriptor read(JsonNode root) {
        if (integer(root, "format") != FORMAT) {
            throw new IllegalArgumentException("format = " + root.path("format") + " is not " + FORMAT);
        }
        List<NodeDescription> nodes = new ArrayList<>();
        root.path("nodes").forEach(node -> nodes.add(readNode(node)));
        Set<ClientId> admitted = new TreeSet<>();
        root.path("admitted").forEach(client -> admitted.add(new ClientId(key(client))));
        Quorums quorums = new Quorums(integer(root, "f"), integer(root, "b"));
        return new Descriptor(
                Hash.sha256(text),
                root.path("name").asText(),
                quorums,
                nodes,
                admitted,
                readLimits(root.path("limits")));
    }

    private static Limits readLimits(JsonNode limits) {
        return new Limits(
                integer(limits, "clientFrameBytes"),
                integer(limits, "linkFrameBytes"),
                integer(limits, "keyBytes"),
                integer(limits, "operationBytes"),
                integer(limits, "batchEntries"),
                integer(limits, "batchBytes"),
                integer(limits, "tickMillis"),
                integer(limits, "epochTicks"),
                integer(limits, "roundTicks"),
                integer(limits, "retainedCertificates"));
    }

    private static NodeDescription readNode(JsonNode node) {
        Role role = Role.valueOf(node.path("role").asText().toUpperCase(Locale.ROOT));
        return new NodeDescription(
                new NodeId(role, integer(node, "index")),
                key(node.path("key")),
                node.path("host").asText(),
                integer(node, "linkPort"),
                integer(node, "servicePort"),
                HEX.parseHex(node.path("orderingKey").asText()));
    }

    private static PublicKey key(JsonNode hex) {
        return PublicKey.of(HEX.parseHex(hex.asText()));
    }

    private static int integer(JsonNode parent, String name) {
        JsonNode value = parent.path(name);
        if (!value.isInt()) {
            throw new IllegalArgumentException(name + " = " + value + " is not a whole number");
        }
        return value.intValue();
    }
}
