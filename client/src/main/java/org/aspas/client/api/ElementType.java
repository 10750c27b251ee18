package org.aspas.client.api;

import java.util.Optional;
import java.util.function.Function;
import org.aspas.crdt.value.Printable;
import org.aspas.crdt.value.Value;

/**
 * A kind of set elements and the Java type that represents it. Immutable and thread-safe.
 *
 * @param <E> the Java type
 */
public final class ElementType<E> {
    /** Unicode texts. A text with an unpaired surrogate is refused with {@link AspasException.InvalidCall}. */
    public static final ElementType<String> TEXT = new ElementType<>(
            "a text",
            ElementType::text,
            value -> value instanceof Value.Text text ? Optional.of(text.value()) : Optional.empty());

    /** Signed 64-bit integers. */
    public static final ElementType<Long> INTEGER = new ElementType<>(
            "an integer",
            Value::of,
            value -> value instanceof Value.Int number ? Optional.of(number.value()) : Optional.empty());

    /** Byte strings, compared by content. */
    public static final ElementType<Value.Blob> BYTES = new ElementType<>(
            "a byte string",
            blob -> blob,
            value -> value instanceof Value.Blob blob ? Optional.of(blob) : Optional.empty());

    private final String name;
    private final Function<E, Value> encode;
    private final Function<Value, Optional<E>> decode;

    private ElementType(String name, Function<E, Value> encode, Function<Value, Optional<E>> decode) {
        this.name = name;
        this.encode = encode;
        this.decode = decode;
    }

    private static Value text(String text) {
        if (!Value.Text.isWellFormed(text)) {
            throw AspasException.invalid(
                    "an element", "the text has an unpaired surrogate, which has no form in UTF-8");
        }
        return Value.of(text);
    }

    /** Encodes an element; throws {@link AspasException.InvalidCall} when it has no valid encoding. */
    Value encode(String key, E element) {
        return encode.apply(AspasException.given(element, "the set " + Printable.text(key), "the element"));
    }

    /** Decodes an element; throws {@link AspasException.UnexpectedValue} when it is of another kind. */
    E decode(String key, Value element) {
        return decode.apply(element)
                .orElseThrow(() -> AspasException.unexpected(
                        "the set " + Printable.text(key) + " has the element " + Printable.text(element.toString())
                                + ", which is not " + name + "; read it with client.set(key)"));
    }
}
