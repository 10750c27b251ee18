package org.aspas.certify.state;

import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * A subtree of a state tree: empty, one leaf, or an inner node over two leaves or more. Immutable but for the cached
 * hash, which two threads may compute at once with the same result; {@link Hash} has only final fields, so a thread sees
 * either no hash or a whole one.
 */
abstract class Node {
    static final Node EMPTY = new Empty();
    private static final byte INNER_TAG = 0x01;

    private @Nullable Hash cached;

    /** Returns the hash of this subtree, computed at the first call. */
    final Hash hash() {
        Hash known = cached;
        if (known == null) {
            known = computeHash();
            cached = known;
        }
        return known;
    }

    /** Computes the hash. */
    abstract Hash computeHash();

    /** Returns the number of leaves. */
    abstract long size();

    /** Returns this subtree, which is at the given depth, with one leaf added or replaced. */
    abstract Node put(StateLeaf leaf, int depth);

    /** Returns an inner node at the given depth over two leaves of different paths that share their first depth bits. */
    private static Node join(Leaf first, Leaf second, int depth) {
        boolean right = first.leaf.path().bit(depth);
        if (right != second.leaf.path().bit(depth)) {
            return right ? new Inner(second, first) : new Inner(first, second);
        }
        Node deeper = join(first, second, depth + 1);
        return right ? new Inner(EMPTY, deeper) : new Inner(deeper, EMPTY);
    }

    /** A subtree without leaves. */
    private static final class Empty extends Node {
        @Override
        Hash computeHash() {
            return Hash.ZERO;
        }

        @Override
        long size() {
            return 0;
        }

        @Override
        Node put(StateLeaf leaf, int depth) {
            return new Leaf(leaf);
        }
    }

    /** A subtree of one leaf. */
    static final class Leaf extends Node {
        final StateLeaf leaf;

        Leaf(StateLeaf leaf) {
            this.leaf = leaf;
        }

        @Override
        Hash computeHash() {
            return leaf.hash();
        }

        @Override
        long size() {
            return 1;
        }

        @Override
        Node put(StateLeaf other, int depth) {
            if (other.equals(leaf)) {
                return this;
            }
            Leaf added = new Leaf(other);
            return other.path().equals(leaf.path()) ? added : join(this, added, depth);
        }
    }

    /** A subtree of two leaves or more. */
    static final class Inner extends Node {
        final Node left;
        final Node right;
        private final long size;

        Inner(Node left, Node right) {
            this.left = left;
            this.right = right;
            this.size = left.size() + right.size();
        }

        static Hash hash(Hash left, Hash right) {
            return Hash.sha256(INNER_TAG, left, right);
        }

        Node child(boolean rightOne) {
            return rightOne ? right : left;
        }

        @Override
        Hash computeHash() {
            return hash(left.hash(), right.hash());
        }

        @Override
        long size() {
            return size;
        }

        @Override
        Node put(StateLeaf leaf, int depth) {
            boolean rightOne = leaf.path().bit(depth);
            Node old = child(rightOne);
            Node changed = old.put(leaf, depth + 1);
            if (changed == old) {
                return this;
            }
            return rightOne ? new Inner(left, changed) : new Inner(changed, right);
        }
    }
}
