package org.aspas.emulab.sim.model;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** Canonical CBOR bytes (docs/formats.md §1): shortest integers, definite lengths, majors 0 to 4 and null. */
final class Cbor {
    private static final int NEGATIVE = 1;
    private static final int BYTES = 2;
    private static final int TEXT = 3;
    private static final int ARRAY = 4;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(128);

    byte[] bytes() {
        return out.toByteArray();
    }

    /** An array of so many items, which follow. */
    Cbor array(int items) {
        return head(ARRAY, items);
    }

    Cbor integer(long number) {
        return number >= 0 ? head(0, number) : head(NEGATIVE, -1 - number);
    }

    Cbor string(byte[] bytes) {
        head(BYTES, bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    Cbor hash(Hash hash) {
        return string(hash.toBytes());
    }

    Cbor text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        head(TEXT, bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    Cbor dot(Dot dot) {
        return array(2).integer(dot.origin()).integer(dot.sequence());
    }

    /** A version: an array of its components. */
    Cbor version(long[] components) {
        array(components.length);
        for (long component : components) {
            integer(component);
        }
        return this;
    }

    Cbor operation(Operation operation) {
        array(2).text(operation.name()).array(operation.arguments().size());
        operation.arguments().forEach(this::value);
        return this;
    }

    Cbor value(Value value) {
        if (value instanceof Value.Int number) {
            return integer(number.value());
        }
        if (value instanceof Value.Text text) {
            return text(text.value());
        }
        if (value instanceof Value.Blob blob) {
            return string(blob.toBytes());
        }
        Value.Sequence sequence = (Value.Sequence) value;
        array(sequence.items().size());
        sequence.items().forEach(this::value);
        return this;
    }

    private Cbor head(int major, long argument) {
        if (argument < 24) {
            out.write(major << 5 | (int) argument);
            return this;
        }
        int width = argument <= 0xff ? 0 : argument <= 0xffff ? 1 : argument <= 0xffffffffL ? 2 : 3;
        out.write(major << 5 | 24 + width);
        for (int shift = (8 << width) - 8; shift >= 0; shift -= 8) {
            out.write((int) (argument >>> shift));
        }
        return this;
    }
}
