package org.aspas.certify.state;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.aspas.certify.identity.Hash;

/**
 * All leaves of a tree under one prefix of a path, with the proof that there are no others.
 *
 * @param leaves the leaves, paths ascending
 */
public record TreePage(List<TreeLeaf> leaves, PageProof proof) {
    public TreePage {
        leaves = List.copyOf(leaves);
    }

    /** The leaves of a subtree, to be looked at before they are taken. */
    public static final class Leaves {
        private final Node node;

        Leaves(Node node) {
            this.node = node;
        }

        /** The number of leaves, found at no cost. */
        public long count() {
            return node.size();
        }

        /**
         * Shows the leaves, paths ascending, until the visitor has seen enough.
         *
         * @param visitor says whether to go on
         * @return whether the visitor wanted all of them
         */
        public boolean all(Predicate<? super TreeLeaf> visitor) {
            return node.visit(visitor);
        }
    }

    /** The page under the first bits of a path, from the subtree that the path's siblings lead to. */
    static TreePage of(Hash from, int bits, List<Hash> siblings, Node node) {
        List<TreeLeaf> leaves = new ArrayList<>();
        if (siblings.size() < bits && node instanceof Node.Leaf alone) {
            StateLeaf leaf = StateLeaf.of(alone.leaf);
            if (!PageProof.agree(leaf.path(), from, bits)) {
                return new TreePage(leaves, new PageProof(bits, siblings, leaf));
            }
        }
        node.visit(leaves::add);
        return new TreePage(leaves, new PageProof(bits, siblings, null));
    }

    /** The length of the shortest prefix of a path behind which it has zeros only: 0 to 256. */
    static int leastBits(Hash from) {
        int bits = PageProof.MAX_BITS;
        while (bits > 0 && !from.bit(bits - 1)) {
            bits--;
        }
        return bits;
    }
}
