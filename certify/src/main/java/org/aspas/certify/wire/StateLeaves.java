package org.aspas.certify.wire;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.value.Value;

/** What the leaves of the state tree commit to (the protocol page, §2). Pure functions; thread-safe. */
public final class StateLeaves {
    private static final byte[] OBJECT = "aspas/v1/object-leaf\0".getBytes(StandardCharsets.UTF_8);
    private static final byte[] ELEMENT_PATH = "aspas/v1/element-path\0".getBytes(StandardCharsets.UTF_8);
    private static final byte[] ELEMENT = "aspas/v1/element-leaf\0".getBytes(StandardCharsets.UTF_8);
    private static final byte[] CLIENT = "aspas/v1/client-leaf\0".getBytes(StandardCharsets.UTF_8);
    private static final byte[] COUNTED = "aspas/v1/counted-block\0".getBytes(StandardCharsets.UTF_8);
    /** The version of what the leaves are made of. */
    private static final int LAYOUT = 1;

    private static final int TYPICAL_BYTES = 256;
    private static final int COUNTED_BYTES = 60;

    /** How many of a client's numbers make a block. */
    public static final int BLOCK = 32;

    /** So many blocks before that of the highest counted number are remembered, besides that one. */
    public static final int REMEMBERED_BLOCKS = 32;

    /**
     * A number that is greater than the lowest uncounted one by so much or more does not count. Clients leave no more than that
     * unconfirmed.
     */
    public static final int SPAN = 1 << 17;

    private StateLeaves() {}

    /**
     * The leaf of an object of a type without elements.
     *
     * @param value what a read returns, which is the whole state
     */
    public static Hash object(String key, String type, Value value) {
        CborWriter out = new CborWriter(TYPICAL_BYTES);
        out.array(4).integer(LAYOUT).text(key).text(type).value(value).end();
        return out.sha256(OBJECT);
    }

    /**
     * The leaf of an object of a type with elements.
     *
     * @param root the root of the tree of its elements: of each, {@link #elementPath} and {@link #element}
     */
    public static Hash object(String key, String type, long size, Hash root) {
        CborWriter out = new CborWriter(TYPICAL_BYTES);
        out.array(5)
                .integer(LAYOUT)
                .text(key)
                .text(type)
                .integer(size)
                .hash(root)
                .end();
        return out.sha256(OBJECT);
    }

    /** The path of an element in the tree of its object's elements. */
    public static Hash elementPath(Value element) {
        return Hash.sha256(ELEMENT_PATH, Codec.encodeValue(element));
    }

    /**
     * The leaf of an element.
     *
     * @param shortState {@link #shortForm} of its state
     */
    public static Hash element(Value element, Value shortState) {
        CborWriter out = new CborWriter(TYPICAL_BYTES);
        out.array(3).integer(LAYOUT).value(element).value(shortState).end();
        return out.sha256(ELEMENT);
    }

    /**
     * What stands for the state of an element: the state, a sequence, if its encoding has at most 32 bytes; else the SHA-256
     * of its encoding, a byte string.
     */
    public static Value shortForm(Value state) {
        byte[] encoded = Codec.encodeValue(state);
        return encoded.length <= Hash.LENGTH
                ? state
                : Value.of(Hash.sha256(encoded).toBytes());
    }

    /**
     * The leaf of a client: all that decides what its later entries do.
     *
     * @param session the highest certified session number; 0 for none
     * @param full how many times eight numbers from 1 on are counted without a gap
     * @param rest the numbers after these: bit i of byte j (bit 0 is the least) stands for number 8 (full + j) + i + 1. It
     *     neither begins with eight ones nor ends with eight zeros
     * @param blocks the {@link #countedBlock} of each block of numbers that is remembered, the newest last
     */
    public static Hash client(
            ClientId client, long session, long tolerance, long full, byte[] rest, Collection<Hash> blocks) {
        CborWriter out = new CborWriter(TYPICAL_BYTES + rest.length + blocks.size() * (Hash.LENGTH + 2));
        out.array(7)
                .integer(LAYOUT)
                .client(client)
                .integer(session)
                .integer(tolerance)
                .integer(full)
                .binary(rest)
                .array(blocks.size());
        blocks.forEach(out::hash);
        return out.end().end().sha256(CLIENT);
    }

    /** What is counted of one block of a client's numbers, the lowest number first. */
    public static Hash countedBlock(Collection<Counted> counted) {
        CborWriter out = new CborWriter(TYPICAL_BYTES + counted.size() * COUNTED_BYTES);
        out.array(counted.size());
        for (Counted each : counted) {
            counted(out, each.number(), each.dot().origin(), each.dot().sequence())
                    .hash(each.identity())
                    .end();
        }
        return out.end().sha256(COUNTED);
    }

    /**
     * The same, of updates that are not objects of their own.
     *
     * @param numbers the numbers, ascending; as many as there are of the others
     * @param identities {@link Hash#LENGTH} bytes for each: the hash of what the client signed
     */
    public static Hash countedBlock(long[] numbers, int[] origins, long[] sequences, byte[] identities) {
        CborWriter out = new CborWriter(TYPICAL_BYTES + numbers.length * COUNTED_BYTES);
        out.array(numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            counted(out, numbers[i], origins[i], sequences[i])
                    .binary(identities, i * Hash.LENGTH, Hash.LENGTH)
                    .end();
        }
        return out.end().sha256(COUNTED);
    }

    /** The items of one update, up to its identity. */
    private static CborWriter counted(CborWriter out, long number, int origin, long sequence) {
        return out.array(3).integer(number).dot(origin, sequence);
    }
}
