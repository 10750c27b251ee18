package org.aspas.certify.log;

import org.aspas.certify.identity.Hash;

/**
 * The hash functions of the Merkle tree of RFC 9162 §2.1.1 with SHA-256.
 *
 * <p>Leaves and inner nodes are hashed with different first bytes, so that no entry can pass for an inner node. All
 * methods are pure and may be called from any thread.
 */
public final class MerkleTree {
    /** The root of a log without entries: the SHA-256 value of the empty string. */
    public static final Hash EMPTY_ROOT = Hash.sha256();

    /** The greatest number of hashes in the path of a proof. */
    public static final int MAX_PATH = 64;

    private static final byte[] LEAF_TAG = {0x00};
    private static final byte NODE_TAG = 0x01;

    private MerkleTree() {}

    /** Computes the hash of a leaf: SHA-256(0x00 ‖ entry). */
    public static Hash leafHash(byte[] entry) {
        return Hash.sha256(LEAF_TAG, entry);
    }

    /** Computes the hash of an inner node: SHA-256(0x01 ‖ left ‖ right). */
    public static Hash nodeHash(Hash left, Hash right) {
        return Hash.sha256(NODE_TAG, left, right);
    }
}
