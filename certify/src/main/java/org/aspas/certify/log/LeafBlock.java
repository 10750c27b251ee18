package org.aspas.certify.log;

import java.util.Arrays;
import java.util.List;
import org.aspas.certify.identity.Hash;

/**
 * The hashes of consecutive leaves that a {@link MerkleLog} gave away, 32 bytes for each. Inner nodes are computed when they are
 * asked for. Immutable.
 */
public final class LeafBlock {
    private final long first;
    private final byte[] hashes;

    /**
     * A block that was kept elsewhere.
     *
     * @param first the position of its first leaf, counted from 0
     * @param hashes the hashes one after the other; copied
     * @throws IllegalArgumentException when these are not 2^k hashes
     */
    public LeafBlock(long first, byte[] hashes) {
        this.first = first;
        this.hashes = hashes.clone();
        if (hashes.length % Hash.LENGTH != 0 || Integer.bitCount(leaves()) != 1) {
            throw new IllegalArgumentException(hashes.length + " bytes are no block of hashes");
        }
    }

    static LeafBlock of(long first, List<Hash> leaves) {
        byte[] hashes = new byte[Hash.LENGTH * leaves.size()];
        int at = 0;
        for (Hash leaf : leaves) {
            System.arraycopy(leaf.toBytes(), 0, hashes, at, Hash.LENGTH);
            at += Hash.LENGTH;
        }
        return new LeafBlock(first, hashes);
    }

    /** The position of its first leaf in the log, counted from 0. */
    public long first() {
        return first;
    }

    /** How many leaves it has: a power of two. */
    public int leaves() {
        return hashes.length / Hash.LENGTH;
    }

    /** The hashes of its leaves, one after the other; a copy. */
    public byte[] hashes() {
        return hashes.clone();
    }

    Hash root() {
        return node(Integer.numberOfTrailingZeros(leaves()), 0);
    }

    /** The root over the 2^level leaves from a place in the block on. */
    Hash node(int level, int place) {
        if (level == 0) {
            return Hash.of(Arrays.copyOfRange(hashes, place * Hash.LENGTH, (place + 1) * Hash.LENGTH));
        }
        int half = 1 << (level - 1);
        return MerkleTree.nodeHash(node(level - 1, place), node(level - 1, place + half));
    }
}
