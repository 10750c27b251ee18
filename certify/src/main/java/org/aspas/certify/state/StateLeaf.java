package org.aspas.certify.state;

import org.aspas.certify.identity.Hash;

/**
 * One leaf of a state tree.
 *
 * @param path where the leaf belongs, usually from {@link StateTree#objectPath} or {@link StateTree#clientPath}
 * @param value the hash of the value that is kept there
 */
public record StateLeaf(Hash path, Hash value) {
    private static final byte TAG = 0x00;

    /**
     * Computes the hash of this leaf.
     *
     * @return SHA-256(0x00 ‖ path ‖ value)
     */
    public Hash hash() {
        return Hash.sha256(TAG, path, value);
    }
}
