package org.aspas.certify.codec;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * Reads the items of one CBOR text, with a bound on the depth of values and on the length of every list whose meaning
 * has one; the length of a value is bounded by that of the text alone. Every method leaves by {@link
 * Malformed} when the next item is not what it reads. Not thread-safe; used once.
 */
final class CborReader implements AutoCloseable {
    static final int MAX_DEPTH = 8;
    static final int MAX_ORIGINS = 100;

    private final CBORParser parser;
    private @Nullable JsonToken next;

    CborReader(byte[] bytes) throws Malformed {
        try {
            this.parser = CborWriter.FACTORY.createParser(bytes);
        } catch (IOException broken) {
            throw new Malformed("no CBOR");
        }
        advance();
    }

    /** How one item of a list is read. */
    interface ItemReader<T> {
        T read() throws Malformed;
    }

    private void advance() throws Malformed {
        try {
            next = parser.nextToken();
        } catch (IOException | RuntimeException broken) {
            // Jackson answers some malformed texts with unchecked exceptions; all mean the same here.
            throw new Malformed("broken CBOR");
        }
    }

    @Override
    public void close() {
        try {
            parser.close();
        } catch (IOException impossible) {
            throw new java.io.UncheckedIOException("closing a parser over memory failed", impossible);
        }
    }

    boolean at(JsonToken token) {
        return next == token;
    }

    private void expect(JsonToken token, String what) throws Malformed {
        if (next != token) {
            throw new Malformed("expected " + what);
        }
    }

    void open() throws Malformed {
        expect(JsonToken.START_ARRAY, "an array");
        advance();
    }

    void end() throws Malformed {
        expect(JsonToken.END_ARRAY, "the end of an array");
        advance();
    }

    void finish() throws Malformed {
        if (next != null) {
            throw new Malformed("bytes after the end");
        }
    }

    long integer() throws Malformed {
        expect(JsonToken.VALUE_NUMBER_INT, "an integer");
        try {
            long value = parser.getLongValue();
            advance();
            return value;
        } catch (IOException tooLarge) {
            throw new Malformed("an integer beyond 64 bits");
        }
    }

    /** An integer from 0 to the bound. */
    long upTo(long bound) throws Malformed {
        long value = integer();
        if (value < 0 || value > bound) {
            throw new Malformed("a number out of range");
        }
        return value;
    }

    /** A count or number: an integer from 0. */
    long natural() throws Malformed {
        return upTo(Long.MAX_VALUE);
    }

    /** The index of a server. */
    int index() throws Malformed {
        return (int) upTo(MAX_ORIGINS - 1);
    }

    boolean bool() throws Malformed {
        if (next != JsonToken.VALUE_TRUE && next != JsonToken.VALUE_FALSE) {
            throw new Malformed("expected a truth value");
        }
        boolean value = next == JsonToken.VALUE_TRUE;
        advance();
        return value;
    }

    boolean absent() throws Malformed {
        if (next != JsonToken.VALUE_NULL) {
            return false;
        }
        advance();
        return true;
    }

    String text() throws Malformed {
        expect(JsonToken.VALUE_STRING, "a text");
        try {
            String value = parser.getText();
            if (!Value.Text.isWellFormed(value)) {
                throw new Malformed("a text with an unpaired surrogate");
            }
            advance();
            return value;
        } catch (IOException | RuntimeException broken) {
            throw new Malformed("a broken text");
        }
    }

    byte[] binary() throws Malformed {
        expect(JsonToken.VALUE_EMBEDDED_OBJECT, "a byte string");
        try {
            byte[] value = parser.getBinaryValue();
            advance();
            return value;
        } catch (IOException | RuntimeException broken) {
            throw new Malformed("a broken byte string");
        }
    }

    Hash hash() throws Malformed {
        return Hash.read(binary()).orElseThrow(() -> new Malformed("a hash has 32 bytes"));
    }

    Dot dot() throws Malformed {
        open();
        int origin = index();
        long sequence = natural();
        if (!SequenceNumbers.isSequence(sequence)) {
            throw new Malformed("no entry has the sequence " + sequence);
        }
        end();
        return new Dot(origin, sequence);
    }

    VersionVector version() throws Malformed {
        List<Long> components = list(MAX_ORIGINS, this::natural);
        return VersionVector.of(components.stream().mapToLong(Long::longValue).toArray());
    }

    <T> List<T> list(int bound, ItemReader<T> reader) throws Malformed {
        open();
        List<T> items = new ArrayList<>();
        while (next != JsonToken.END_ARRAY) {
            if (items.size() == bound) {
                throw new Malformed("too many items");
            }
            items.add(reader.read());
        }
        advance();
        return items;
    }

    List<Hash> hashes(int bound) throws Malformed {
        return list(bound, this::hash);
    }

    Operation operation() throws Malformed {
        open();
        String name = text();
        List<Value> arguments = list(Integer.MAX_VALUE, () -> value(1));
        end();
        return new Operation(name, arguments);
    }

    Value value() throws Malformed {
        return value(0);
    }

    private Value value(int depth) throws Malformed {
        if (depth > MAX_DEPTH) {
            throw new Malformed("values nested too deep");
        }
        if (at(JsonToken.VALUE_NUMBER_INT)) {
            return Value.of(integer());
        }
        if (at(JsonToken.VALUE_STRING)) {
            return Value.of(text());
        }
        if (at(JsonToken.VALUE_EMBEDDED_OBJECT)) {
            return Value.of(binary());
        }
        return Value.sequence(list(Integer.MAX_VALUE, () -> value(depth + 1)));
    }
}
