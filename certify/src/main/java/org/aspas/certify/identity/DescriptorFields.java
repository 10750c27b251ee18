package org.aspas.certify.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object of a descriptor, read without leniency. Every method leaves by {@link
 * IllegalArgumentException}, with the name of the object and of the field, when the field is missing or of another type.
 */
final class DescriptorFields {
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
            throw new IllegalArgumentException(name + " = " + hex + " is not the encoding of a point of prime order");
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
