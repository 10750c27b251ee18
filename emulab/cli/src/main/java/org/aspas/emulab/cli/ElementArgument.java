package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;
import org.aspas.crdt.value.Printable;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * How people name a set and one element of it, and how they see elements: a text stands for itself, other kinds are named by options, and what is
 * printed can be given again. So the integer 7 and the text 7 are two words.
 */
final class ElementArgument {
    @Parameters(index = "0", paramLabel = "KEY", description = "The set, such as comments/42.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String key;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ELEMENT", description = "The element, a text.")
    private @Nullable String bare;

    @Option(
            names = "--text",
            paramLabel = "TEXT",
            description = "The element as a text, needed if it looks like an option.")
    private @Nullable String text;

    @Option(names = "--int", paramLabel = "NUMBER", description = "The element as a 64-bit integer.")
    private @Nullable Long integer;

    @Option(names = "--bytes", paramLabel = "BASE64", description = "The element as bytes.")
    private @Nullable String base64;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    String key() {
        return key;
    }

    /**
     * The element that is named.
     *
     * @throws ParameterException when none or several are, or the bytes are not Base64
     */
    Value value() {
        long named = Stream.of(
                        Optional.ofNullable(bare),
                        Optional.ofNullable(text),
                        Optional.ofNullable(integer),
                        Optional.ofNullable(base64))
                .filter(Optional::isPresent)
                .count();
        if (named != 1) {
            throw new ParameterException(
                    command.commandLine(),
                    (named == 0 ? "an element is missing" : "one element at a time")
                            + ": ELEMENT (a text), --text=TEXT, --int=NUMBER or --bytes=BASE64");
        }
        Long number = integer;
        String encoded = base64;
        if (number != null) {
            return Value.of(number.longValue());
        }
        if (encoded == null) {
            return Value.of(String.valueOf(bare != null ? bare : text));
        }
        try {
            return Value.of(Base64.getDecoder().decode(encoded));
        } catch (IllegalArgumentException other) {
            throw new ParameterException(
                    command.commandLine(), "--bytes '" + encoded + "' is not Base64 (RFC 4648, with padding)", other);
        }
    }

    /** As JSON has it: a number, a text, or an object with {@code base64}. */
    static JsonNode json(Value element) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (element instanceof Value.Int number) {
            return nodes.numberNode(number.value());
        }
        return element instanceof Value.Blob blob
                ? nodes.objectNode().put("base64", Base64.getEncoder().encodeToString(blob.toBytes()))
                : nodes.textNode(element instanceof Value.Text text ? text.value() : element.toString());
    }

    /** As people give it on the command line or in {@code aspas shell}, in the words of a POSIX shell. */
    static String words(Value element) {
        return words(json(element));
    }

    /** As {@link #words(Value)}, of an element in JSON. */
    static String words(JsonNode element) {
        if (element.isIntegralNumber()) {
            return "--int=" + element.longValue();
        }
        if (element.isObject()) {
            return "--bytes=" + element.path("base64").asText();
        }
        String text = element.asText();
        return (text.startsWith("-") ? "--text=" : "") + Printable.word(text);
    }
}
