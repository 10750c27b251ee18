package org.aspas.certify.identity;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The descriptor as a JSON text with a detached operator signature. The signature covers the exact bytes of the text;
 * the deployment id is their SHA-256.
 *
 * @param text the exact bytes of the JSON text; not to be changed
 * @param signature the operator's signature; not to be changed
 */
public record DescriptorFile(byte[] text, byte[] signature) {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final HexFormat HEX = HexFormat.of();
    private static final int FORMAT = 1;
    private static final String BYTE_ORDER_MARK = "\ufeff";
    private static final Set<String> NODE = Set.of(
            "role",
            "index",
            "key",
            "host",
            "linkPort",
            "servicePort",
            "sessionPort",
            "clientTls",
            "agreementKey",
            "orderingKey");
    private static final Set<String> LIMITS = Arrays.stream(Limits.class.getRecordComponents())
            .map(RecordComponent::getName)
            .collect(Collectors.toUnmodifiableSet());

    /** Why a descriptor cannot be used; the message names the key, the value and the range. */
    public static final class InvalidDescriptor extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidDescriptor(String message) {
            super(message);
        }
    }

    public static DescriptorFile sign(
            SigningKey operator,
            String name,
            Quorums quorums,
            List<NodeDescription> nodes,
            Set<PublicKey> admitted,
            Limits limits) {
        ObjectNode root = JSON.createObjectNode();
        root.put("format", FORMAT).put("signatures", Ed25519.RULE);
        root.put("name", name).put("f", quorums.f()).put("b", quorums.b());
        root.put("operator", operator.publicKey().toString());
        ArrayNode members = root.putArray("nodes");
        nodes.forEach(node -> writeNode(members.addObject(), node));
        ArrayNode clients = root.putArray("admitted");
        new TreeSet<>(admitted).forEach(key -> clients.add(key.toString()));
        root.set("limits", JSON.valueToTree(limits));
        byte[] text = (root.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
        return new DescriptorFile(text, operator.sign(Domain.DEPLOYMENT, Hash.ZERO, text));
    }

    private static void writeNode(ObjectNode out, NodeDescription node) {
        out.put("role", lowerCase(node.id().role()));
        out.put("index", node.id().index());
        out.put("key", node.key().toString());
        out.put("host", node.host());
        out.put("linkPort", node.linkPort());
        out.put("servicePort", node.servicePort());
        if (node.sessionPort() != 0) {
            out.put("sessionPort", node.sessionPort());
        }
        if (node.clientTls()) {
            out.put("clientTls", true);
        }
        AgreementShare agreement = node.agreement();
        if (agreement != null) {
            out.put("agreementKey", agreement.toString());
        }
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
            throw new InvalidDescriptor("the descriptor is not signed by the operator " + operator + changedBy());
        }
        String json;
        try {
            // Jackson would take other encodings, and other verifiers would not.
            json = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString();
        } catch (CharacterCodingException other) {
            throw new InvalidDescriptor("the descriptor is not UTF-8");
        }
        if (json.startsWith(BYTE_ORDER_MARK)) {
            throw new InvalidDescriptor("the descriptor begins with a byte order mark");
        }
        try {
            return read(JSON.readTree(json), operator);
        } catch (IOException broken) {
            throw new InvalidDescriptor("the descriptor is not JSON");
        } catch (IllegalArgumentException outOfRange) {
            throw new InvalidDescriptor(String.valueOf(outOfRange.getMessage()));
        }
    }

    /** What an editor may have done to the text after it was signed. */
    private String changedBy() {
        String shown = new String(text, StandardCharsets.UTF_8);
        if (shown.startsWith(BYTE_ORDER_MARK)) {
            return "; it begins with a byte order mark (EF BB BF), which an editor may have added: restore the file as the operator"
                    + " signed it";
        }
        return shown.contains("\r\n")
                ? "; its lines end in CR LF, which an editor may have made of LF: restore the file as the operator signed it"
                : "";
    }

    private Descriptor read(JsonNode root, PublicKey operator) {
        DescriptorFields fields = new DescriptorFields("descriptor", root);
        fields.only(Set.of("format", "signatures", "name", "f", "b", "operator", "nodes", "admitted", "limits"));
        if (fields.integer("format") != FORMAT) {
            throw new IllegalArgumentException("format = " + fields.integer("format") + " is not " + FORMAT);
        }
        checkRule(fields);
        if (!fields.key("operator").equals(operator)) {
            throw new IllegalArgumentException("operator = " + fields.key("operator") + " is not who signed");
        }
        Set<PublicKey> admitted = new TreeSet<>();
        fields.texts("admitted").forEach(hex -> admitted.add(DescriptorFields.key("admitted", hex)));
        return new Descriptor(
                Hash.sha256(text),
                fields.text("name"),
                new Quorums(fields.integer("f"), fields.integer("b")),
                fields.objects("nodes").stream().map(DescriptorFile::readNode).toList(),
                admitted,
                readLimits(fields.object("limits")));
    }

    /** What is right must be the same for all and for ever, or a server is convicted of passing on what it accepted. */
    private static void checkRule(DescriptorFields fields) {
        String rule = fields.text("signatures");
        if (!rule.equals(Ed25519.RULE)) {
            throw new IllegalArgumentException(
                    "signatures = " + rule + " is a rule that this build does not know; it knows " + Ed25519.RULE);
        }
    }

    private static Limits readLimits(DescriptorFields limits) {
        limits.only(LIMITS);
        return new Limits(
                limits.integer("clientFrameBytes"),
                limits.integer("linkFrameBytes"),
                limits.integer("keyBytes"),
                limits.integer("operationBytes"),
                limits.integer("batchEntries"),
                limits.integer("batchBytes"),
                limits.integer("tickMillis"),
                limits.integer("epochTicks"),
                limits.integer("roundTicks"),
                limits.integer("retainedCertificates"));
    }

    private static NodeDescription readNode(DescriptorFields node) {
        node.only(NODE);
        return new NodeDescription(
                new NodeId(role(node.text("role")), node.integer("index")),
                node.key("key"),
                node.text("host"),
                node.integer("linkPort"),
                node.integer("servicePort"),
                node.portOr("sessionPort", 0),
                node.flag("clientTls"),
                node.shareOrNone("agreementKey"),
                node.hex("orderingKey"));
    }

    private static Role role(String name) {
        return Arrays.stream(Role.values())
                .filter(role -> name.equals(lowerCase(role)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nodes: there is no role " + name));
    }

    private static String lowerCase(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The fields of one JSON object of a descriptor, read without leniency. Every method leaves by {@link
     * IllegalArgumentException}, with the name of the object and of the field, when the field is missing or of another type.
     */
    static final class DescriptorFields {
        private static final int LAST_PORT = 65535;

        private final String owner;
        private final JsonNode node;

        DescriptorFields(String owner, JsonNode node) {
            if (!node.isObject()) {
                throw new IllegalArgumentException(owner + " is not a JSON object");
            }
            this.owner = owner;
            this.node = node;
        }

        /** Refuses fields that the format does not have: a misspelt bound must not pass unnoticed. */
        void only(Set<String> known) {
            node.fieldNames().forEachRemaining(name -> {
                if (!known.contains(name)) {
                    throw new IllegalArgumentException(owner + ": there is no field " + name);
                }
            });
        }

        int integer(String name) {
            JsonNode value = node.path(name);
            if (!value.isInt()) {
                throw wrong(name, "a whole number of 32 bits");
            }
            return value.intValue();
        }

        /** A port that need not be there; where it is there it is not 0, which stands for none elsewhere. */
        int portOr(String name, int otherwise) {
            if (!node.has(name)) {
                return otherwise;
            }
            int port = integer(name);
            if (port < 1 || port > LAST_PORT) {
                throw new IllegalArgumentException(owner + "." + name + " = " + port + " is outside 1.." + LAST_PORT);
            }
            return port;
        }

        /** True or false; false where it is not there. */
        boolean flag(String name) {
            JsonNode value = node.path(name);
            if (node.has(name) && !value.isBoolean()) {
                throw wrong(name, "true or false");
            }
            return value.booleanValue();
        }

        String text(String name) {
            JsonNode value = node.path(name);
            if (!value.isTextual()) {
                throw wrong(name, "a text");
            }
            return value.textValue();
        }

        byte[] hex(String name) {
            return hex(owner + "." + name, text(name));
        }

        @Nullable
        AgreementShare shareOrNone(String name) {
            return node.has(name)
                    ? AgreementShare.read(hex(name))
                            .orElseThrow(() -> new IllegalArgumentException(owner + "." + name + " is not 32 bytes"))
                    : null;
        }

        PublicKey key(String name) {
            return key(owner + "." + name, text(name));
        }

        DescriptorFields object(String name) {
            return new DescriptorFields(name, node.path(name));
        }

        List<DescriptorFields> objects(String name) {
            List<DescriptorFields> objects = new ArrayList<>();
            array(name).forEach(item -> objects.add(new DescriptorFields(name + "[" + objects.size() + "]", item)));
            return objects;
        }

        List<String> texts(String name) {
            List<String> texts = new ArrayList<>();
            for (JsonNode item : array(name)) {
                if (!item.isTextual()) {
                    throw wrong(name, "an array of texts");
                }
                texts.add(item.textValue());
            }
            return texts;
        }

        static PublicKey key(String name, String hex) {
            PublicKey key = PublicKey.read(hex(name, hex))
                    .orElseThrow(() -> new IllegalArgumentException(name + " is not a key of 32 bytes"));
            if (!key.isSound()) {
                throw new IllegalArgumentException(
                        name + " = " + hex + " is not the encoding of a point of prime order");
            }
            return key;
        }

        private static byte[] hex(String name, String digits) {
            try {
                return HexFormat.of().parseHex(digits);
            } catch (IllegalArgumentException broken) {
                throw new IllegalArgumentException(name + " is not hexadecimal", broken);
            }
        }

        private JsonNode array(String name) {
            JsonNode value = node.path(name);
            if (!value.isArray()) {
                throw wrong(name, "an array");
            }
            return value;
        }

        private IllegalArgumentException wrong(String name, String expected) {
            return new IllegalArgumentException(
                    owner + "." + name + (node.has(name) ? " is not " : " is missing; it is ") + expected);
        }
    }
}
