package org.aspas.certify.state;

import java.util.List;
import java.util.function.Predicate;
import org.aspas.certify.identity.Hash;

/**
 * A subtree of a state tree: empty, one leaf, or an inner node over two leaves or more. Immutable but for the cached
 * hash, which two threads may compute at once with the same result; a thread that sees that it is known sees all of it.
 */
abstract class Node {
    static final Node EMPTY = new Empty();
    private static final byte INNER_TAG = 0x01;

    abstract Hash hash();

    abstract long size();

    /** Returns this subtree, which is at the given depth, with one leaf added or replaced. */
    abstract Node put(TreeLeaf leaf, Hash path, int depth);

    /** Returns this subtree, which is at the given depth, without the leaf of a path. */
    abstract Node remove(Hash path, int depth);

    /** Shows the leaves, paths ascending, until the visitor has seen enough; whether it has not. */
    abstract boolean visit(Predicate<? super TreeLeaf> visitor);

    /** Returns the subtree at the given depth over leaves with ascending paths that share their first depth bits. */
    static Node of(List<? extends TreeLeaf> leaves, int depth) {
        if (leaves.size() < 2) {
            return leaves.isEmpty() ? EMPTY : new Leaf(leaves.get(0));
        }
        int right = firstRight(leaves, depth);
        return new Inner(of(leaves.subList(0, right), depth + 1), of(leaves.subList(right, leaves.size()), depth + 1));
    }

    /** Returns how many of these leaves have a 0 at a depth. */
    private static int firstRight(List<? extends TreeLeaf> leaves, int depth) {
        int low = 0;
        int high = leaves.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (leaves.get(middle).path().bit(depth)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Returns an inner node at the given depth over two leaves of different paths that share their first depth bits. */
    private static Node join(Leaf first, Hash firstPath, Leaf second, Hash secondPath, int depth) {
        boolean right = firstPath.bit(depth);
        if (right != secondPath.bit(depth)) {
            return right ? new Inner(second, first) : new Inner(first, second);
        }
        Node deeper = join(first, firstPath, second, secondPath, depth + 1);
        return right ? new Inner(EMPTY, deeper) : new Inner(deeper, EMPTY);
    }

    /**
     * Returns the subtree over two others, in the one shape that its leaves allow: a single leaf stands at the least depth at
     * which it is alone.
     */
    static Node over(Node left, Node right) {
        if (left.size() + right.size() > 1) {
            return new Inner(left, right);
        }
        return left.size() == 1 ? left : right;
    }

    private static final class Empty extends Node {
        @Override
        Hash hash() {
            return Hash.ZERO;
        }

        @Override
        long size() {
            return 0;
        }

        @Override
        Node put(TreeLeaf leaf, Hash path, int depth) {
            return new Leaf(leaf);
        }

        @Override
        Node remove(Hash path, int depth) {
            return this;
        }

        @Override
        boolean visit(Predicate<? super TreeLeaf> visitor) {
            return true;
        }
    }

    /**
     * A subtree of one leaf. Its hash is computed at each call: that is two or three hashes, where the inner nodes above keep
     * theirs, and kept in each of a million leaves it would take a tenth of all that they take.
     */
    static final class Leaf extends Node {
        final TreeLeaf leaf;

        Leaf(TreeLeaf leaf) {
            this.leaf = leaf;
        }

        @Override
        Hash hash() {
            return leaf.hash();
        }

        @Override
        long size() {
            return 1;
        }

        @Override
        Node put(TreeLeaf other, Hash path, int depth) {
            if (other.equals(leaf)) {
                return this;
            }
            Leaf added = new Leaf(other);
            Hash own = leaf.path();
            return path.equals(own) ? added : join(this, own, added, path, depth);
        }

        @Override
        Node remove(Hash path, int depth) {
            return path.equals(leaf.path()) ? EMPTY : this;
        }

        @Override
        boolean visit(Predicate<? super TreeLeaf> visitor) {
            return visitor.test(leaf);
        }
    }

    /** A subtree of two leaves or more. */
    static final class Inner extends Node {
        final Node left;
        final Node right;
        private final long size;
        /** The hash, once it is known: as words, for an object of its own would take half as much again as all of this. */
        private long first;

        private long second;
        private long third;
        private long fourth;
        private volatile boolean known;

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

        /** Computed at the first call. */
        @Override
        Hash hash() {
            if (known) {
                return Hash.ofWords(first, second, third, fourth);
            }
            Hash computed = hash(left.hash(), right.hash());
            first = computed.word(0);
            second = computed.word(1);
            third = computed.word(2);
            fourth = computed.word(3);
            known = true;
            return computed;
        }

        @Override
        long size() {
            return size;
        }

        @Override
        Node put(TreeLeaf leaf, Hash path, int depth) {
            boolean rightOne = path.bit(depth);
            Node old = child(rightOne);
            Node changed = old.put(leaf, path, depth + 1);
            if (changed == old) {
                return this;
            }
            return rightOne ? new Inner(left, changed) : new Inner(changed, right);
        }

        @Override
        Node remove(Hash path, int depth) {
            boolean rightOne = path.bit(depth);
            Node old = child(rightOne);
            Node changed = old.remove(path, depth + 1);
            if (changed == old) {
                return this;
            }
            return rightOne ? over(left, changed) : over(changed, right);
        }

        @Override
        boolean visit(Predicate<? super TreeLeaf> visitor) {
            return left.visit(visitor) && right.visit(visitor);
        }
    }
}
