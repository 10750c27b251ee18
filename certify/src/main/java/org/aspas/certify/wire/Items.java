package org.aspas.certify.wire;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The items of one record, which its {@link Schema} asks for one after another: each is read out of a text, or it is taken from a
 * record and written. Not thread-safe; used once.
 *
 * @param <M> the record
 */
abstract class Items<M> {
    private Items() {}

    /**
     * The next item.
     *
     * @param part the item in the record
     */
    abstract <T extends @Nullable Object> T of(Item<T> item, Function<M, T> part) throws Malformed;

    /** An integer from 0 to the bound. */
    abstract long upTo(long bound, ToLongFunction<M> part) throws Malformed;

    abstract boolean bool(Predicate<M> part) throws Malformed;

    /**
     * Whether there are more items, where a record may end early.
     *
     * @param has whether the record has more
     */
    abstract boolean more(Predicate<M> has);

    /** The message whose bytes an item was: the bytes are kept, because something signed names them. */
    abstract <T extends Message> T inside(byte[] payload, Class<T> type, Function<M, T> part) throws Malformed;

    /** A number from 1. */
    abstract long positive(ToLongFunction<M> part) throws Malformed;

    abstract <T> List<T> list(int most, Item<T> item, Function<M, List<T>> part) throws Malformed;

    /** The item, or nothing in its place. */
    abstract <T> @Nullable T optional(Item<T> item, Function<M, @Nullable T> part) throws Malformed;

    /** The items of a record that is known to be of this type, or that is to be one. */
    @SuppressWarnings("unchecked") // Where there is a record, its tag says that it is of this type.
    final <S extends M> Items<S> as() {
        return (Items<S>) this;
    }

    final Hash hash(Function<M, Hash> part) throws Malformed {
        return of(Item.HASH, part);
    }

    final String text(Function<M, String> part) throws Malformed {
        return of(Item.TEXT, part);
    }

    final byte[] binary(Function<M, byte[]> part) throws Malformed {
        return of(Item.BINARY, part);
    }

    final Value value(Function<M, Value> part) throws Malformed {
        return of(Item.VALUE, part);
    }

    final ClientId client(Function<M, ClientId> part) throws Malformed {
        return of(Item.CLIENT, part);
    }

    final Dot dot(Function<M, Dot> part) throws Malformed {
        return of(Item.DOT, part);
    }

    final VersionVector version(Function<M, VersionVector> part) throws Malformed {
        return of(Item.VERSION, part);
    }

    final CertificateNumber certificate(Function<M, CertificateNumber> part) throws Malformed {
        return of(Item.NUMBER, part);
    }

    final Epoch epoch(Function<M, Epoch> part) throws Malformed {
        return of(Item.EPOCH, part);
    }

    final InclusionProof inclusion(Function<M, InclusionProof> part) throws Malformed {
        return of(Item.INCLUSION, part);
    }

    /** A count or a number: an integer from 0. */
    final long natural(ToLongFunction<M> part) throws Malformed {
        return upTo(Long.MAX_VALUE, part);
    }

    /** The index of a server. */
    final int index(ToLongFunction<M> part) throws Malformed {
        return (int) upTo(CborReader.MAX_ORIGINS - 1, part);
    }

    private static final class Reading<M> extends Items<M> {
        private final CborReader in;

        Reading(CborReader in) {
            this.in = in;
        }

        @Override
        <T extends @Nullable Object> T of(Item<T> item, Function<M, T> part) throws Malformed {
            return item.read(in);
        }

        @Override
        long upTo(long bound, ToLongFunction<M> part) throws Malformed {
            return in.upTo(bound);
        }

        @Override
        long positive(ToLongFunction<M> part) throws Malformed {
            long number = in.natural();
            if (number == 0) {
                throw new Malformed("numbers begin at 1");
            }
            return number;
        }

        @Override
        boolean bool(Predicate<M> part) throws Malformed {
            return in.bool();
        }

        @Override
        <T> List<T> list(int most, Item<T> item, Function<M, List<T>> part) throws Malformed {
            return in.list(most, item);
        }

        @Override
        <T> @Nullable T optional(Item<T> item, Function<M, @Nullable T> part) throws Malformed {
            return in.absent() ? null : item.read(in);
        }

        @Override
        boolean more(Predicate<M> has) {
            return !in.ended();
        }

        @Override
        <T extends Message> T inside(byte[] payload, Class<T> type, Function<M, T> part) throws Malformed {
            return Codec.read(payload, type);
        }
    }

    private static final class Writing<M> extends Items<M> {
        private final CborWriter out;
        private final M record;
        private int count;

        Writing(CborWriter out, M record) {
            this.out = out;
            this.record = record;
        }

        @Override
        <T extends @Nullable Object> T of(Item<T> item, Function<M, T> part) {
            count++;
            T value = part.apply(record);
            item.write(out, value);
            return value;
        }

        @Override
        long upTo(long bound, ToLongFunction<M> part) {
            count++;
            long value = part.applyAsLong(record);
            out.integer(value);
            return value;
        }

        @Override
        long positive(ToLongFunction<M> part) {
            return upTo(Long.MAX_VALUE, part);
        }

        @Override
        boolean bool(Predicate<M> part) {
            count++;
            boolean value = part.test(record);
            out.bool(value);
            return value;
        }

        @Override
        <T> List<T> list(int most, Item<T> item, Function<M, List<T>> part) {
            count++;
            List<T> list = part.apply(record);
            out.list(list, item);
            return list;
        }

        @Override
        <T> @Nullable T optional(Item<T> item, Function<M, @Nullable T> part) {
            count++;
            T value = part.apply(record);
            if (value == null) {
                out.absent();
            } else {
                item.write(out, value);
            }
            return value;
        }

        @Override
        boolean more(Predicate<M> has) {
            return has.test(record);
        }

        @Override
        <T extends Message> T inside(byte[] payload, Class<T> type, Function<M, T> part) {
            return part.apply(record);
        }

        /** Writes the record's items, and says how many they are. */
        int write(Schema<M> schema) {
            try {
                schema.of(this);
            } catch (Malformed impossible) {
                throw new IllegalStateException("a record that has no encoding: " + record, impossible);
            }
            return count;
        }
    }

    /** Reads an array of a record's items. */
    static <M> M read(Schema<M> schema, CborReader in) throws Malformed {
        in.open();
        M record = schema.of(new Reading<>(in));
        in.end();
        return record;
    }

    /** Writes an array of a record's items. */
    static <M> void write(Schema<M> schema, CborWriter out, M record) {
        int head = out.open();
        out.close(head, new Writing<>(out, record).write(schema));
    }

    /** Reads one whole message of a type: an array of its kind and the items of its record. */
    static <M extends Message> M message(Class<M> type, CborReader in) throws Malformed {
        in.open();
        Kind kind = kind(in);
        if (!type.isAssignableFrom(kind.type())) {
            throw new Malformed("not a message of the expected kind");
        }
        Message message = kind.schema().of(new Reading<>(in));
        in.end();
        return type.cast(message);
    }

    static void message(CborWriter out, Message message) {
        Kind kind = message.kind();
        int head = out.open();
        out.integer(kind.number());
        out.close(head, 1 + new Writing<>(out, message).write(kind.schema()));
    }

    private static Kind kind(CborReader in) throws Malformed {
        return Kind.of(in.natural()).orElseThrow(() -> new Malformed("no message has this kind"));
    }

    /** Reads a frame: a signed message opens with a byte string, a plain one with its kind. */
    static Frame frame(CborReader in) throws Malformed {
        in.open();
        if (in.atBinary()) {
            return new Frame.Sealed(opened(Message.class, in));
        }
        Message message = kind(in).schema().of(new Reading<>(in));
        in.end();
        return message instanceof TaggedRequest tagged
                ? new Frame.Sealed(tagged.request(), tagged.tags())
                : new Frame.Plain(message);
    }

    /** Reads an array of a message's bytes and the signature under them. */
    static <M extends Message> Signed<M> signed(Class<M> type, CborReader in) throws Malformed {
        in.open();
        return opened(type, in);
    }

    private static <M extends Message> Signed<M> opened(Class<M> type, CborReader in) throws Malformed {
        byte[] payload = in.binary();
        byte[] signature = Item.SIGNATURE.read(in);
        in.end();
        M message = Codec.read(payload, type);
        if (message.kind().domain().isEmpty()) {
            throw new Malformed("nobody signs messages of this kind");
        }
        return new Signed<>(message, payload, signature);
    }

    static void signed(CborWriter out, Signed<?> signed) {
        out.array(2).binary(signed.payload()).binary(signed.signature()).end();
    }
}
