package org.aspas.certify.state;

import org.aspas.certify.identity.Hash;

/**
 * What stands at one path of a state tree. Implementations are immutable, and equal when path and value are.
 *
 * <p>{@link StateLeaf} keeps both hashes. A leaf that can compute its path from something smaller may do so at each call: a
 * tree asks when a change comes near, and when it proves.
 */
public interface TreeLeaf {
    Hash path();

    /** The hash of the value that is kept there. */
    Hash value();

    /** The hash of the leaf: SHA-256(0x00 ‖ path ‖ value). */
    default Hash hash() {
        return Hash.sha256(StateLeaf.TAG, path(), value());
    }
}
