package org.aspas.certify.replica;

import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a command. Its hash and its frame are worked out once, when somebody asks for them first. One thread at a
 * time uses a command; a shell may hand it to the core's thread after it has verified it on another.
 */
public final class Command {
    private final byte[] bytes;
    private @Nullable Hash hash;
    private @Nullable Decoded<Frame> decoded;

    /** Any bytes; not copied, never to be changed. */
    public Command(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The bytes; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** The hash of the bytes, which names the command. */
    public Hash hash() {
        Hash known = hash;
        if (known == null) {
            known = Hash.sha256(bytes);
            hash = known;
        }
        return known;
    }

    public Decoded<Frame> decoded() {
        Decoded<Frame> known = decoded;
        if (known == null) {
            known = Codec.decode(bytes);
            decoded = known;
        }
        return known;
    }

    /** What the bytes decode to; empty when they are no frame. */
    public Optional<Frame> frame() {
        return decoded().accepted();
    }
}
