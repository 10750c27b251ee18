package org.aspas.certify.state;

import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * A claim that certain leaves are all that a state tree has under a prefix of a path, with the hashes that show it.
 *
 * <p>The siblings lead from the root along the prefix to a subtree. If there is one for each bit of the prefix, the subtree has
 * the leaves of the page and no others. If there are fewer, the subtree has one leaf or none: it is the only leaf of
 * the page, or it stands outside the prefix and is given as the other one.
 *
 * <p>An instance may hold anything, for it can come from a stranger; only {@link #proves} says whether it proves something. It is
 * immutable.
 *
 * @param bits the length of the prefix, 0 (the whole tree) to 256 (one path)
 * @param siblings the hashes of the subtrees beside the prefix, from the root's child downwards, which are copied
 * @param other the only leaf of the subtree when it is outside the prefix
 */
public record PageProof(
        int bits, List<Hash> siblings, @Nullable StateLeaf other) {
    /** The greatest length of a prefix: the number of bits of a path. */
    public static final int MAX_BITS = 256;

    public PageProof {
        siblings = List.copyOf(siblings);
    }

    /**
     * Checks that the tree has exactly these leaves from a path up to the end of the page, {@link #next}.
     *
     * <p>A page begins at the path: behind the prefix the path has zeros only. It does not go deeper than the tree does, but where
     * the path itself demands that, so that whoever follows the pages of a tree comes to its end.
     *
     * @param root the root of the tree, from a source that the caller trusts
     * @param leaves the leaves by path, ascending, each path once
     * @return true when the tree with that root has these leaves there and no others; false for every other input
     */
    public boolean proves(Hash root, Hash from, List<StateLeaf> leaves) {
        int least = TreePage.leastBits(from);
        return bits >= least && (siblings.size() == bits || bits == least) && shows(root, from, leaves);
    }

    /**
     * Checks that the tree has this leaf at a path, or none.
     *
     * @param root the root of the tree, from a source that the caller trusts
     * @param leaves one leaf, or none
     * @return true when the tree with that root has exactly these leaves at the path; false for every other input
     */
    public boolean provesOne(Hash root, Hash path, List<StateLeaf> leaves) {
        return bits == MAX_BITS && shows(root, path, leaves);
    }

    private boolean shows(Hash root, Hash from, List<StateLeaf> leaves) {
        if (bits > MAX_BITS || siblings.size() > bits) {
            return false;
        }
        for (int i = 0; i < leaves.size(); i++) {
            Hash path = leaves.get(i).path();
            if (!agree(path, from, bits) || (i > 0 && leaves.get(i - 1).path().compareTo(path) >= 0)) {
                return false;
            }
        }
        return subtree(from, leaves).filter(hash -> leads(hash, from, root)).isPresent();
    }

    /** The hash of the subtree that the siblings lead to, if the claim can be true of one. */
    private Optional<Hash> subtree(Hash from, List<StateLeaf> leaves) {
        StateLeaf outside = other;
        if (siblings.size() == bits) {
            return outside == null ? Optional.of(hash(leaves, bits)) : Optional.empty();
        }
        if (outside == null) {
            return leaves.size() <= 1 ? Optional.of(hash(leaves, siblings.size())) : Optional.empty();
        }
        boolean stands =
                leaves.isEmpty() && agree(outside.path(), from, siblings.size()) && !agree(outside.path(), from, bits);
        return stands ? Optional.of(outside.hash()) : Optional.empty();
    }

    /** The hash of the subtree at a depth over these leaves, which have ascending paths and share the bits before. */
    private static Hash hash(List<StateLeaf> leaves, int depth) {
        if (leaves.size() <= 1) {
            return leaves.isEmpty() ? Hash.ZERO : leaves.get(0).hash();
        }
        int right = 0;
        while (right < leaves.size() && !leaves.get(right).path().bit(depth)) {
            right++;
        }
        return Node.Inner.hash(
                hash(leaves.subList(0, right), depth + 1), hash(leaves.subList(right, leaves.size()), depth + 1));
    }

    private boolean leads(Hash bottom, Hash from, Hash root) {
        Hash hash = bottom;
        for (int depth = siblings.size() - 1; depth >= 0; depth--) {
            Hash sibling = siblings.get(depth);
            hash = from.bit(depth) ? Node.Inner.hash(sibling, hash) : Node.Inner.hash(hash, sibling);
        }
        return hash.equals(root);
    }

    /**
     * Where the next page begins.
     *
     * @return the least path behind the page; empty when the page reaches the end of the tree
     */
    public Optional<Hash> next(Hash from) {
        byte[] bytes = from.toBytes();
        for (int bit = bits - 1; bit >= 0; bit--) {
            bytes[bit >> 3] ^= (byte) (0x80 >>> (bit & 7));
            if ((bytes[bit >> 3] & (0x80 >>> (bit & 7))) != 0) {
                return Optional.of(Hash.of(bytes));
            }
        }
        return Optional.empty();
    }

    static boolean agree(Hash first, Hash second, int bits) {
        for (int i = 0; i < bits; i++) {
            if (first.bit(i) != second.bit(i)) {
                return false;
            }
        }
        return true;
    }
}
