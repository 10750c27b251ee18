package org.aspas.certify.wire;

import org.aspas.crdt.value.Value;

/**
 * Messages to bytes and back. Encoding is deterministic; decoding is total and accepts only what encoding makes.
 * Thread-safe.
 */
public final class Codec {
    private static final int TYPICAL_BYTES = 512;
    /** The heads around a payload and a signature. */
    private static final int SIGNED_HEADS = 16;

    private Codec() {}

    public static byte[] encode(Message message) {
        CborWriter out = new CborWriter(TYPICAL_BYTES);
        Items.message(out, message);
        return out.toBytes();
    }

    /** The bytes of a signed message: its own payload and signature, never encoded again. */
    public static byte[] encode(Signed<?> signed) {
        CborWriter out = new CborWriter(signed.payload().length + signed.signature().length + SIGNED_HEADS);
        Items.signed(out, signed);
        return out.toBytes();
    }

    public static byte[] encodeValue(Value value) {
        CborWriter out = new CborWriter(TYPICAL_BYTES);
        out.value(value);
        return out.toBytes();
    }

    /** Reads a frame, signed or plain. */
    public static Decoded<Frame> decode(byte[] bytes) {
        return total(bytes, Items::frame);
    }

    /** Reads a plain message of one type. */
    public static <M extends Message> Decoded<M> decode(byte[] bytes, Class<M> type) {
        try {
            return new Decoded.Accepted<>(read(bytes, type));
        } catch (Malformed malformed) {
            return rejected(malformed);
        }
    }

    /** Reads a signed message of one type; the signature is not verified yet. */
    public static <M extends Message> Decoded<Signed<M>> decodeSigned(byte[] bytes, Class<M> type) {
        return total(bytes, in -> Items.signed(type, in));
    }

    public static Decoded<Value> decodeValue(byte[] bytes) {
        return total(bytes, CborReader::value);
    }

    static <M extends Message> M read(byte[] bytes, Class<M> type) throws Malformed {
        return exact(bytes, in -> Items.message(type, in));
    }

    public static byte[] encode(Frame frame) {
        if (frame instanceof Frame.Plain plain) {
            return encode(plain.message());
        }
        Frame.Sealed sealed = (Frame.Sealed) frame;
        return sealed.tags().length == 0
                ? encode(sealed.signed())
                : encode(sealed.signed()
                        .as(Request.class)
                        .map(request -> new TaggedRequest(request, sealed.tags()))
                        .orElseThrow(() -> new IllegalStateException("tags beside " + sealed.signed())));
    }

    interface Reading<T> {
        T from(CborReader in) throws Malformed;
    }

    /** Reads a text to its end. */
    static <T> Decoded<T> total(byte[] bytes, Reading<T> reading) {
        try {
            return new Decoded.Accepted<>(exact(bytes, reading));
        } catch (Malformed malformed) {
            return rejected(malformed);
        }
    }

    private static <T> Decoded<T> rejected(Malformed malformed) {
        String reason = malformed.getMessage();
        return new Decoded.Rejected<>(reason == null ? "malformed" : reason);
    }

    /** Reads one text to its end. Each item has one encoding, and a message its items in one order: so it has no other text. */
    private static <T> T exact(byte[] bytes, Reading<T> reading) throws Malformed {
        CborReader in = new CborReader(bytes);
        T value;
        try {
            value = reading.from(in);
        } catch (IllegalArgumentException outOfRange) {
            // The records check their own ranges; to a decoder that is one more malformed text.
            throw new Malformed("a field out of range");
        }
        in.finish();
        return value;
    }
}
