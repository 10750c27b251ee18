package org.aspas.certify.wire;

import java.util.Optional;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The rule for keys of objects, which holds at every entry point (docs/vectors/texts.json): well-formed Unicode of 1 byte of UTF-8 up to the
 * limit of the deployment. Nothing is normalised, trimmed or replaced.
 */
public final class KeyRule {
    private KeyRule() {}

    /**
     * What is wrong with a key.
     *
     * @param key what an application gave, whatever it is
     * @param mostBytes the limit, {@link org.aspas.certify.identity.Limits#keyBytes}
     * @return one sentence for people; empty when it is a key
     */
    public static Optional<String> fault(@Nullable String key, int mostBytes) {
        if (key == null) {
            return Optional.of("the key is null");
        }
        if (key.isEmpty()) {
            return Optional.of("the key is empty: a key has 1 to " + mostBytes + " bytes of UTF-8");
        }
        if (!Value.Text.isWellFormed(key)) {
            return Optional.of("the key has an unpaired surrogate, which has no form in UTF-8");
        }
        long bytes = bytes(key);
        return bytes <= mostBytes
                ? Optional.empty()
                : Optional.of("a key has 1 to " + mostBytes + " bytes of UTF-8, this one has " + bytes);
    }

    /** The length of a well-formed text in UTF-8. */
    private static long bytes(String text) {
        long bytes = 0;
        for (int place = 0; place < text.length(); place++) {
            char unit = text.charAt(place);
            // Each half of a pair stands for two of its four bytes.
            bytes += unit < 0x80 ? 1 : unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
        }
        return bytes;
    }
}
