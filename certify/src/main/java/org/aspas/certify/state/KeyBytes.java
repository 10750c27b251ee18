package org.aspas.certify.state;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.aspas.crdt.value.Value;

/**
 * The bytes of a key: UTF-8 (RFC 3629), extended to unpaired surrogates so that no two strings have the same bytes. The
 * platform's own encoder would turn each of those into a question mark and let different keys share a path.
 */
final class KeyBytes {
    private KeyBytes() {}

    /** Returns the bytes of any string. The platform's encoder does it for all but those with unpaired surrogates. */
    static byte[] of(String key) {
        if (Value.Text.isWellFormed(key)) {
            return key.getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(key.length() + 8);
        key.codePoints().forEachOrdered(point -> write(point, bytes));
        return bytes.toByteArray();
    }

    private static void write(int point, ByteArrayOutputStream bytes) {
        if (point < 0x80) {
            bytes.write(point);
            return;
        }
        int following = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
        bytes.write(((0xff00 >> (following + 1)) & 0xff) | (point >> (6 * following)));
        for (int shift = 6 * (following - 1); shift >= 0; shift -= 6) {
            bytes.write(0x80 | ((point >> shift) & 0x3f));
        }
    }
}
