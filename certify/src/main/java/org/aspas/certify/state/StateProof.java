package org.aspas.certify.state;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * A claim about what a state tree has at one path, with the hashes that show it.
 *
 * <p>An instance may hold anything, for it can come from a stranger; only {@link #provesPresence} and
 * {@link #provesAbsence} say whether it proves something. It is immutable.
 *
 * @param siblings the hashes of the subtrees beside the path, from the root's child downwards, which are copied
 * @param terminal the leaf that was found at the end of the path, or null when there is none
 */
public record StateProof(List<Hash> siblings, @Nullable StateLeaf terminal) {
    /** The greatest number of siblings: the number of bits of a path. */
    public static final int MAX_DEPTH = 256;

    public StateProof {
        siblings = List.copyOf(siblings);
    }

    /**
     * Checks that the tree has a value at a path.
     *
     * @param root the root of the tree, from a source that the caller trusts
     * @return true when the tree with that root has that value there; false for every other input
     */
    public boolean provesPresence(Hash root, Hash path, Hash value) {
        StateLeaf found = terminal;
        return found != null
                && found.path().equals(path)
                && found.value().equals(value)
                && leadsTo(root, path, found.hash());
    }

    /**
     * Checks that the tree has no value at a path.
     *
     * @param root the root of the tree, from a source that the caller trusts
     * @return true when the tree with that root has nothing there; false for every other input
     */
    public boolean provesAbsence(Hash root, Hash path) {
        StateLeaf found = terminal;
        if (found == null) {
            return leadsTo(root, path, Hash.ZERO);
        }
        return !found.path().equals(path)
                && leadsTo(root, path, found.hash())
                && PageProof.agree(found.path(), path, siblings.size());
    }

    private boolean leadsTo(Hash root, Hash path, Hash bottom) {
        if (siblings.size() > MAX_DEPTH) {
            return false;
        }
        Hash hash = bottom;
        for (int depth = siblings.size() - 1; depth >= 0; depth--) {
            Hash sibling = siblings.get(depth);
            hash = path.bit(depth) ? Node.Inner.hash(sibling, hash) : Node.Inner.hash(hash, sibling);
        }
        return hash.equals(root);
    }
}
