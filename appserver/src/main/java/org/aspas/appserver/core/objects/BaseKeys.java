package org.aspas.appserver.core.objects;

import java.nio.ByteBuffer;
import org.aspas.appserver.core.port.BaseImage;
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
}
