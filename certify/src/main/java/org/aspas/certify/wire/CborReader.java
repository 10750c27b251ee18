package org.aspas.certify.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * Reads the items of one text that {@link CborWriter} may have written, with a bound on the depth of values and on the
 * length of every list whose meaning has one; the length of a value is bounded by that of the text alone. Every method
 * leaves by {@link Malformed} when the next item is not what it reads, or not in its one encoding: so what was read to its
 * end has no other text. Not thread-safe; used once.
 */
final class CborReader {
    static final int MAX_DEPTH = 8;
    static final int MAX_ORIGINS = 100;

    private static final int USUAL_NESTING = 16;
    private static final int NOTHING = -1;
    private static final int TYPICAL_ITEMS = 16;

    private final byte[] bytes;
    private int at;
    /** For each open array, how many of its items are not read yet. */
    private int[] left = new int[USUAL_NESTING];

    private int nesting;

    CborReader(byte[] bytes) {
        this.bytes = bytes;
    }

    interface ItemReader<T> {
        T read() throws Malformed;
    }

    // ---- Heads ----

    /** The first byte of the next item; less than 0 at the end of an array or of the text. */
    private int peek() {
        boolean over = at == bytes.length || (nesting > 0 && left[nesting - 1] == 0);
        return over ? NOTHING : bytes[at] & 0xff;
    }

    private boolean at(int major) {
        int first = peek();
        return first >= 0 && first >> 5 == major;
    }

    boolean atBinary() {
        return at(CborWriter.BINARY);
    }

    private void taken() {
        if (nesting > 0) {
            left[nesting - 1]--;
        }
    }

    /** Reads the head of an item of a kind, and gives its number, which is unsigned. */
    private long head(int major, String what) throws Malformed {
        if (!at(major)) {
            throw new Malformed("expected " + what);
        }
        taken();
        int number = bytes[at++] & 0x1f;
        if (number < CborWriter.IN_HEAD) {
            return number;
        }
        int more = 1 << (number - CborWriter.IN_HEAD);
        if (number > CborWriter.IN_HEAD + 3 || bytes.length - at < more) {
            throw new Malformed("broken CBOR");
        }
        long value = 0;
        for (int i = 0; i < more; i++) {
            value = value << 8 | bytes[at++] & 0xff;
        }
        long shorter = more == 1 ? CborWriter.IN_HEAD : 1L << 4 * more;
        if (Long.compareUnsigned(value, shorter) < 0) {
            throw new Malformed("not the deterministic encoding");
        }
        return value;
    }

    /** The length of what is in the text: items take a byte or more. */
    private int length(int major, String what) throws Malformed {
        long length = head(major, what);
        if (length < 0 || length > bytes.length - at) {
            throw new Malformed("broken CBOR");
        }
        return (int) length;
    }

    private boolean skip(byte item) {
        if (peek() != (item & 0xff)) {
            return false;
        }
        taken();
        at++;
        return true;
    }

    // ---- Items ----

    void open() throws Malformed {
        int items = length(CborWriter.ARRAY, "an array");
        if (nesting == left.length) {
            left = Arrays.copyOf(left, 2 * nesting);
        }
        left[nesting++] = items;
    }

    void end() throws Malformed {
        if (nesting == 0 || left[nesting - 1] > 0) {
            throw new Malformed("expected the end of an array");
        }
        nesting--;
    }

    /** Whether no item of the array that is open is left. */
    boolean ended() {
        return nesting > 0 && left[nesting - 1] == 0;
    }

    void finish() throws Malformed {
        if (at < bytes.length) {
            throw new Malformed("bytes after the end");
        }
    }

    long integer() throws Malformed {
        boolean negative = at(CborWriter.NEGATIVE);
        long number = head(negative ? CborWriter.NEGATIVE : CborWriter.UNSIGNED, "an integer");
        if (number < 0) {
            throw new Malformed("an integer beyond 64 bits");
        }
        return negative ? ~number : number;
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
        if (skip(CborWriter.TRUE)) {
            return true;
        }
        if (skip(CborWriter.FALSE)) {
            return false;
        }
        throw new Malformed("expected a truth value");
    }

    boolean absent() {
        return skip(CborWriter.NULL);
    }

    String text() throws Malformed {
        int length = length(CborWriter.TEXT, "a text");
        int begin = at;
        at += length;
        String value = new String(bytes, begin, length, StandardCharsets.UTF_8);
        // Java puts a replacement for what is no UTF-8, and then has other bytes for it.
        byte[] again = value.getBytes(StandardCharsets.UTF_8);
        if (!Arrays.equals(again, 0, again.length, bytes, begin, at)) {
            throw new Malformed("a broken text");
        }
        return value;
    }

    byte[] binary() throws Malformed {
        int length = length(CborWriter.BINARY, "a byte string");
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    Hash hash() throws Malformed {
        if (length(CborWriter.BINARY, "a byte string") != Hash.LENGTH) {
            throw new Malformed("a hash has 32 bytes");
        }
        at += Hash.LENGTH;
        return Hash.of(bytes, at - Hash.LENGTH);
    }

    ClientId client() throws Malformed {
        return ClientId.read(binary()).orElseThrow(() -> new Malformed("a client is a key and two numbers, 48 bytes"));
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
        open();
        int size = left[nesting - 1];
        if (size > MAX_ORIGINS) {
            throw new Malformed("too many items");
        }
        long[] components = new long[size];
        for (int origin = 0; origin < size; origin++) {
            components[origin] = natural();
        }
        end();
        return VersionVector.of(components);
    }

    <T> List<T> list(int bound, Item<T> item) throws Malformed {
        open();
        int size = left[nesting - 1];
        if (size > bound) {
            throw new Malformed("too many items");
        }
        List<T> items = new ArrayList<>(Math.min(size, TYPICAL_ITEMS));
        for (int i = 0; i < size; i++) {
            items.add(item.read(this));
        }
        end();
        return items;
    }

    Operation operation() throws Malformed {
        open();
        String name = text();
        List<Value> arguments = values(1);
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
        if (at(CborWriter.UNSIGNED) || at(CborWriter.NEGATIVE)) {
            return Value.of(integer());
        }
        if (at(CborWriter.TEXT)) {
            return Value.of(text());
        }
        if (atBinary()) {
            return Value.of(binary());
        }
        return Value.sequence(values(depth + 1));
    }

    private List<Value> values(int depth) throws Malformed {
        open();
        int size = left[nesting - 1];
        List<Value> values = new ArrayList<>(Math.min(size, TYPICAL_ITEMS));
        for (int i = 0; i < size; i++) {
            values.add(value(depth));
        }
        end();
        return values;
    }
}
