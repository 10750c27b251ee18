package org.aspas.certify.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.aspas.certify.identity.Hash;

/** One digest of all origin log roots, as an answer names the history that it was computed from. */
public final class LogRoots {
    private static final byte[] TAG = "aspas/v1/log-roots\0".getBytes(StandardCharsets.UTF_8);

    private LogRoots() {}

    /** SHA-256 of the tag and the roots in origin order. */
    public static Hash digest(List<Hash> roots) {
        byte[][] parts = new byte[roots.size() + 1][];
        parts[0] = TAG;
        for (int origin = 0; origin < roots.size(); origin++) {
            parts[origin + 1] = roots.get(origin).toBytes();
        }
        return Hash.sha256(parts);
    }
}
