package org.aspas.appserver.core.state;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/** The keys of a base (docs/formats.md, §19): an object's elements follow the object. */
public final class BaseKeys {
    private BaseKeys() {}

    /** The key of an object or a client, or of one element of an object. */
    public static byte[] leaf(Hash path, @Nullable Hash element) {
        ByteBuffer key = ByteBuffer.allocate(1 + Hash.LENGTH * (element == null ? 1 : 2));
        key.put(BaseImage.KEYS).put(path.toBytes());
        if (element != null) {
            key.put(element.toBytes());
        }
        return key.array();
    }

    /** What is behind the key of an object and those of all its elements, and before any other one. */
    public static byte[] end(Hash path) {
        byte[] end = Arrays.copyOf(leaf(path, null), 1 + 2 * Hash.LENGTH + 1);
        Arrays.fill(end, 1 + Hash.LENGTH, end.length, (byte) 0xff);
        return end;
    }

    /** The object or client of a key; empty for the key of anything else. */
    public static Optional<Hash> path(byte[] key) {
        return key.length > Hash.LENGTH && key[0] == BaseImage.KEYS
                ? Hash.read(Arrays.copyOfRange(key, 1, 1 + Hash.LENGTH))
                : Optional.empty();
    }
}
