package org.aspas.certify.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * Writes the items of one text in the core deterministic encoding of CBOR (RFC 8949, §4.2.1), of which messages need six
 * kinds: integers, byte strings, texts, arrays, truth values and null (docs/formats.md, §1). Not thread-safe; used once.
 */
final class CborWriter {
    static final int UNSIGNED = 0;
    static final int NEGATIVE = 1;
    static final int BINARY = 2;
    static final int TEXT = 3;
    static final int ARRAY = 4;
    static final byte FALSE = (byte) 0xf4;
    static final byte TRUE = (byte) 0xf5;
    static final byte NULL = (byte) 0xf6;
    /** How much a head leaves for a number that is in the head itself; it takes 1, 2, 4 or 8 bytes more for greater ones. */
    static final int IN_HEAD = 24;

    private static final int LONGEST_HEAD = 9;

    /** Between two texts each thread keeps the array of the last one, if that is not longer. */
    private static final int LONGEST_SPARE = 64 << 10;

    private static final byte[] NONE = {};
    private static final ThreadLocal<byte[]> SPARE = ThreadLocal.withInitial(() -> NONE);

    private byte[] bytes;
    private int length;

    /** Nothing is written yet; there is room for so many bytes, and more is made when it is needed. */
    CborWriter(int expectedBytes) {
        byte[] spare = SPARE.get();
        if (spare.length >= expectedBytes && spare.length > 0) {
            SPARE.set(NONE);
            bytes = spare;
        } else {
            bytes = new byte[expectedBytes];
        }
    }

    /** What was written, at the end. */
    byte[] toBytes() {
        byte[] written = Arrays.copyOf(bytes, length);
        end(bytes);
        return written;
    }

    /** The hash of some bytes and of what was written, at the end. */
    Hash sha256(byte[] before) {
        Hash hash = Hash.sha256(before, bytes, length);
        end(bytes);
        return hash;
    }

    /** The array is for the next text of the thread; nothing can be written here any more. */
    private void end(byte[] used) {
        bytes = NONE;
        length = 0;
        if (used.length <= LONGEST_SPARE) {
            SPARE.set(used);
        }
    }

    private void room(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), 2 * bytes.length));
        }
    }

    /** The shortest head of a kind of item with a number, which is unsigned. */
    private void head(int major, long number) {
        room(LONGEST_HEAD);
        int kind = major << 5;
        if (number >= 0 && number < IN_HEAD) {
            bytes[length++] = (byte) (kind | (int) number);
        } else if (number >>> 8 == 0) {
            bytes[length++] = (byte) (kind | IN_HEAD);
            bytes[length++] = (byte) number;
        } else if (number >>> 16 == 0) {
            head(kind | (IN_HEAD + 1), number, 2);
        } else if (number >>> 32 == 0) {
            head(kind | (IN_HEAD + 2), number, 4);
        } else {
            head(kind | (IN_HEAD + 3), number, 8);
        }
    }

    private void head(int first, long number, int more) {
        bytes[length++] = (byte) first;
        for (int shift = 8 * (more - 1); shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (number >>> shift);
        }
    }

    /** Opens an array of exactly this many items. */
    CborWriter array(int items) {
        head(ARRAY, items);
        return this;
    }

    /**
     * Opens an array of fewer than {@link #IN_HEAD} items, of which there are as many as {@link #close} says.
     *
     * @return where it begins
     */
    int open() {
        single((byte) 0);
        return length - 1;
    }

    void close(int begin, int items) {
        if (items >= IN_HEAD) {
            throw new IllegalStateException("a record of " + items + " items");
        }
        bytes[begin] = (byte) (ARRAY << 5 | items);
    }

    /** Says that an array has all its items; it has no end of its own in the bytes. */
    CborWriter end() {
        return this;
    }

    CborWriter integer(long value) {
        head(value < 0 ? NEGATIVE : UNSIGNED, value < 0 ? ~value : value);
        return this;
    }

    CborWriter bool(boolean value) {
        return single(value ? TRUE : FALSE);
    }

    CborWriter absent() {
        return single(NULL);
    }

    private CborWriter single(byte item) {
        room(1);
        bytes[length++] = item;
        return this;
    }

    CborWriter text(String value) {
        if (!Value.Text.isWellFormed(value)) {
            throw new IllegalArgumentException("a text with an unpaired surrogate has no encoding");
        }
        return string(TEXT, value.getBytes(StandardCharsets.UTF_8));
    }

    CborWriter binary(byte[] value) {
        return string(BINARY, value);
    }

    CborWriter binary(byte[] value, int from, int count) {
        return string(BINARY, value, from, count);
    }

    private CborWriter string(int major, byte[] value) {
        return string(major, value, 0, value.length);
    }

    private CborWriter string(int major, byte[] value, int from, int count) {
        head(major, count);
        room(count);
        System.arraycopy(value, from, bytes, length, count);
        length += count;
        return this;
    }

    CborWriter hash(Hash value) {
        head(BINARY, Hash.LENGTH);
        room(Hash.LENGTH);
        value.copyTo(bytes, length);
        length += Hash.LENGTH;
        return this;
    }

    CborWriter client(ClientId client) {
        head(BINARY, ClientId.LENGTH);
        room(ClientId.LENGTH);
        client.copyTo(bytes, length);
        length += ClientId.LENGTH;
        return this;
    }

    CborWriter dot(Dot dot) {
        return dot(dot.origin(), dot.sequence());
    }

    CborWriter dot(int origin, long sequence) {
        return array(2).integer(origin).integer(sequence).end();
    }

    CborWriter version(VersionVector version) {
        array(version.size());
        for (int origin = 0; origin < version.size(); origin++) {
            integer(version.get(origin));
        }
        return end();
    }

    <T> CborWriter list(List<T> list, Item<T> item) {
        array(list.size());
        for (T each : list) {
            item.write(this, each);
        }
        return end();
    }

    CborWriter operation(Operation operation) {
        return array(2).text(operation.name())
                .list(operation.arguments(), Item.VALUE)
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
            return list(sequence.items(), Item.VALUE);
        }
        throw new IllegalStateException("no encoding for a value of " + value.getClass());
    }
}
