package org.aspas.certify.codec;

import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** Writes the items of one deterministic CBOR text. Not thread-safe; used once. */
final class CborWriter {
    static final CBORFactory FACTORY = CBORFactory.builder().build();

    private final ByteArrayOutputStream bytes;
    private final CBORGenerator generator;

    CborWriter(int expectedBytes) {
        this.bytes = new ByteArrayOutputStream(expectedBytes);
        this.generator = attempt(() -> FACTORY.createGenerator(bytes));
    }

    /** What can be written for one item of a list. */
    interface ItemWriter<T> {
        void write(T item);
    }

    private interface Attempt<T> {
        T run() throws IOException;
    }

    private interface Step {
        void run() throws IOException;
    }

    private static <T> T attempt(Attempt<T> attempt) {
        try {
            return attempt.run();
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory failed", impossible);
        }
    }

    private CborWriter step(Step step) {
        attempt(() -> {
            step.run();
            return this;
        });
        return this;
    }

    byte[] toBytes() {
        step(generator::close);
        return bytes.toByteArray();
    }

    /** Opens an array of exactly this many items; Jackson closes it by count at {@link #end()}. */
    CborWriter array(int items) {
        return step(() -> generator.writeStartArray(null, items));
    }

    CborWriter end() {
        return step(generator::writeEndArray);
    }

    CborWriter integer(long value) {
        return step(() -> generator.writeNumber(value));
    }

    CborWriter bool(boolean value) {
        return step(() -> generator.writeBoolean(value));
    }

    CborWriter absent() {
        return step(generator::writeNull);
    }

    CborWriter text(String value) {
        // Jackson's own writer of strings guesses the length's size before it knows the length, and cuts long ones up.
        if (!Value.Text.isWellFormed(value)) {
            throw new IllegalArgumentException("a text with an unpaired surrogate has no encoding");
        }
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        return step(() -> generator.writeUTF8String(utf8, 0, utf8.length));
    }

    CborWriter binary(byte[] value) {
        return step(() -> generator.writeBinary(value));
    }

    CborWriter hash(Hash value) {
        return binary(value.toBytes());
    }

    CborWriter dot(Dot dot) {
        return array(2).integer(dot.origin()).integer(dot.sequence()).end();
    }

    CborWriter version(VersionVector version) {
        array(version.size());
        for (int origin = 0; origin < version.size(); origin++) {
            integer(version.get(origin));
        }
        return end();
    }

    <T> CborWriter list(List<T> items, ItemWriter<T> writer) {
        array(items.size());
        for (T item : items) {
            writer.write(item);
        }
        return end();
    }

    CborWriter hashes(List<Hash> hashes) {
        return list(hashes, this::hash);
    }

    CborWriter operation(Operation operation) {
        return array(2).text(operation.name())
                .list(operation.arguments(), this::value)
                .end();
    }

    CborWriter value(Value value) {
        if (value instanceof Value.Int number) {
            return integer(number.value());
        }
        if (value instanceof Value.Text text) {
            return text(text.value());
        }
        if (value instanceof Value.Blob blob) {
            return binary(blob.toBytes());
        }
        if (value instanceof Value.Sequence sequence) {
            return list(sequence.items(), this::value);
        }
        throw new IllegalStateException("no encoding for a value of " + value.getClass());
    }
}
