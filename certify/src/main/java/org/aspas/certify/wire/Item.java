package org.aspas.certify.wire;

import java.util.List;
import java.util.function.ToIntFunction;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.ConsistencyProof;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.state.PageProof;
import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateProof;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * One kind of item on the wire, with its range: how it is read and how it is written.
 *
 * @param <T> what it stands for
 */
final class Item<T extends @Nullable Object> {
    /** The longest list whose meaning has no shorter bound. */
    static final int MAX_LIST = 1 << 16;

    /** The longest path in a Merkle tree of entries: their number has 63 bits. */
    private static final int MAX_PATH = 64;

    static final Item<Hash> HASH = item(CborReader::hash, CborWriter::hash);
    static final Item<String> TEXT = item(CborReader::text, CborWriter::text);
    static final Item<byte[]> BINARY = item(CborReader::binary, CborWriter::binary);
    static final Item<Value> VALUE = item(CborReader::value, CborWriter::value);
    static final Item<Operation> OPERATION = item(CborReader::operation, CborWriter::operation);
    static final Item<ClientId> CLIENT = item(CborReader::client, CborWriter::client);
    static final Item<Dot> DOT = item(CborReader::dot, CborWriter::dot);
    static final Item<VersionVector> VERSION = item(CborReader::version, CborWriter::version);
    static final Item<CertificateNumber> NUMBER =
            item(in -> new CertificateNumber(in.natural()), (out, number) -> out.integer(number.value()));
    static final Item<Epoch> EPOCH = item(in -> new Epoch(in.natural()), (out, epoch) -> out.integer(epoch.value()));

    /** A hash for each origin. */
    static final Item<List<Hash>> ROOTS = list(CborReader.MAX_ORIGINS, HASH);

    /** Byte strings, one for each entry. */
    static final Item<List<byte[]>> ENTRIES = list(MAX_LIST, BINARY);

    static final Item<byte[]> SIGNATURE = item(
            in -> {
                byte[] signature = in.binary();
                if (signature.length != Ed25519.SIGNATURE_LENGTH) {
                    throw new Malformed("a signature has 64 bytes");
                }
                return signature;
            },
            CborWriter::binary);

    /** One tag or more. */
    static final Item<byte[]> TAGS = item(
            in -> {
                byte[] tags = in.binary();
                if (tags.length == 0 || tags.length % TaggedRequest.TAG_BYTES != 0) {
                    throw new Malformed("tags have 16 bytes each");
                }
                return tags;
            },
            CborWriter::binary);

    static final Item<AgreementShare> AGREEMENT = item(
            in -> AgreementShare.read(in.binary()).orElseThrow(() -> new Malformed("a share has 32 bytes")),
            (out, share) -> out.binary(share.toBytes()));

    static final Item<InclusionProof> INCLUSION = array(items -> new InclusionProof(
            items.natural(InclusionProof::leafIndex),
            items.natural(InclusionProof::treeSize),
            items.list(MAX_PATH, HASH, InclusionProof::path)));

    static final Item<ConsistencyProof> CONSISTENCY = array(items -> new ConsistencyProof(
            items.natural(ConsistencyProof::oldSize),
            items.natural(ConsistencyProof::newSize),
            items.list(MAX_PATH, HASH, ConsistencyProof::path)));

    static final Item<Evidence> EVIDENCE = message(Evidence.class);

    private static final Item<StateLeaf> STATE_LEAF =
            array(items -> new StateLeaf(items.hash(StateLeaf::path), items.hash(StateLeaf::value)));

    static final Item<PageProof> PAGE = array(items -> new PageProof(
            (int) items.upTo(PageProof.MAX_BITS, PageProof::bits),
            items.list(PageProof.MAX_BITS, HASH, PageProof::siblings),
            items.optional(STATE_LEAF, PageProof::other)));

    static final Item<StateProof> STATE_PROOF = array(items -> new StateProof(
            items.list(StateProof.MAX_DEPTH, HASH, StateProof::siblings),
            items.optional(STATE_LEAF, StateProof::terminal)));

    /** How an item is read. */
    interface Reading<T extends @Nullable Object> {
        T from(CborReader in) throws Malformed;
    }

    /** How an item is written. */
    interface Writing<T extends @Nullable Object> {
        void to(CborWriter out, T value);
    }

    private final Reading<T> reading;
    private final Writing<T> writing;

    private Item(Reading<T> reading, Writing<T> writing) {
        this.reading = reading;
        this.writing = writing;
    }

    static <T extends @Nullable Object> Item<T> item(Reading<T> reading, Writing<T> writing) {
        return new Item<>(reading, writing);
    }

    T read(CborReader in) throws Malformed {
        return reading.from(in);
    }

    void write(CborWriter out, T value) {
        writing.to(out, value);
    }

    static <T> Item<List<T>> list(int most, Item<T> item) {
        return item(in -> in.list(most, item), (out, list) -> out.list(list, item));
    }

    /** At most one for each server, in the ascending order of their indices. */
    static <T> Item<List<T>> ascending(Item<T> item, ToIntFunction<T> server) {
        Item<List<T>> list = list(CborReader.MAX_ORIGINS, item);
        return item(
                in -> {
                    List<T> read = list.read(in);
                    for (int i = 1; i < read.size(); i++) {
                        if (server.applyAsInt(read.get(i - 1)) >= server.applyAsInt(read.get(i))) {
                            throw new Malformed("servers out of order");
                        }
                    }
                    return read;
                },
                list::write);
    }

    /** The ordinal of a constant. */
    static <E extends Enum<E>> Item<E> constant(Class<E> type) {
        E[] constants = type.getEnumConstants();
        return item(in -> constants[(int) in.upTo(constants.length - 1L)], (out, one) -> out.integer(one.ordinal()));
    }

    /** An array of a record's items. */
    static <M> Item<M> array(Schema<M> schema) {
        return item(in -> Items.read(schema, in), (out, record) -> Items.write(schema, out, record));
    }

    /**
     * A message of a type. Its kind is judged before anything behind it is read: a message that may stand anywhere inside another
     * would let a stranger nest messages until the stack overflows.
     */
    static <M extends Message> Item<M> message(Class<M> type) {
        return item(in -> Items.message(type, in), (out, message) -> Items.message(out, message));
    }

    static <M extends Message> Item<Signed<M>> signed(Class<M> type) {
        return item(in -> Items.signed(type, in), (out, signed) -> Items.signed(out, signed));
    }
}
