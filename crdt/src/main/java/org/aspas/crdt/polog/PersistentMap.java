package org.aspas.crdt.polog;

import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map that never changes: {@link #with} and {@link #without} return another one, which shares all but the O(log n)
 * nodes on the way to the key. So a copy costs nothing, however large the map is.
 *
 * <p>It is an AVL tree (Adelson-Velsky and Landis, 1962): the heights of two siblings differ by one at most, whatever keys
 * come in whatever order, so nobody can choose keys that make it deep. Its shape depends on its history; only its
 * content counts. May be shared freely between threads.
 */
final class PersistentMap<K extends Comparable<K>, V> {
    private record Node<K, V>(
            K key,
            V value,
            @Nullable Node<K, V> left,
            @Nullable Node<K, V> right,
            int height) {}

    private final @Nullable Node<K, V> top;
    private final int size;

    private PersistentMap(@Nullable Node<K, V> top, int size) {
        this.top = top;
        this.size = size;
    }

    static <K extends Comparable<K>, V> PersistentMap<K, V> empty() {
        return new PersistentMap<>(null, 0);
    }

    int size() {
        return size;
    }

    /** The number of nodes on the longest way from the top: at most 1.45 times the binary logarithm of the size. */
    int height() {
        return height(top);
    }

    @Nullable
    V get(K key) {
        Node<K, V> node = top;
        while (node != null) {
            int order = key.compareTo(node.key());
            if (order == 0) {
                return node.value();
            }
            node = order < 0 ? node.left() : node.right();
        }
        return null;
    }

    PersistentMap<K, V> with(K key, V value) {
        return new PersistentMap<>(put(top, key, value), get(key) == null ? size + 1 : size);
    }

    PersistentMap<K, V> without(K key) {
        return get(key) == null ? this : new PersistentMap<>(remove(top, key), size - 1);
    }

    /**
     * Shows keys and values, keys ascending, until the visitor has seen enough.
     *
     * @param visitor says whether to go on
     */
    void visit(BiPredicate<? super K, ? super V> visitor) {
        visit(top, visitor);
    }

    private static <K, V> boolean visit(@Nullable Node<K, V> node, BiPredicate<? super K, ? super V> visitor) {
        return node == null
                || (visit(node.left(), visitor)
                        && visitor.test(node.key(), node.value())
                        && visit(node.right(), visitor));
    }

    private static <K extends Comparable<K>, V> Node<K, V> put(@Nullable Node<K, V> node, K key, V value) {
        if (node == null) {
            return new Node<>(key, value, null, null, 1);
        }
        int order = key.compareTo(node.key());
        if (order == 0) {
            return new Node<>(key, value, node.left(), node.right(), node.height());
        }
        return order < 0
                ? balanced(node, put(node.left(), key, value), node.right())
                : balanced(node, node.left(), put(node.right(), key, value));
    }

    private static <K extends Comparable<K>, V> @Nullable Node<K, V> remove(@Nullable Node<K, V> node, K key) {
        if (node == null) {
            return null;
        }
        int order = key.compareTo(node.key());
        if (order < 0) {
            return balanced(node, remove(node.left(), key), node.right());
        }
        if (order > 0) {
            return balanced(node, node.left(), remove(node.right(), key));
        }
        Node<K, V> right = node.right();
        return right == null ? node.left() : balanced(least(right), node.left(), withoutLeast(right));
    }

    private static <K, V> Node<K, V> least(Node<K, V> node) {
        Node<K, V> left = node.left();
        return left == null ? node : least(left);
    }

    private static <K, V> @Nullable Node<K, V> withoutLeast(Node<K, V> node) {
        Node<K, V> left = node.left();
        return left == null ? node.right() : balanced(node, withoutLeast(left), node.right());
    }

    private static int height(@Nullable Node<?, ?> node) {
        return node == null ? 0 : node.height();
    }

    private static <K, V> Node<K, V> node(Node<K, V> of, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
        return new Node<>(of.key(), of.value(), left, right, 1 + Math.max(height(left), height(right)));
    }

    /** A node over two subtrees of which the heights differ by two at most: turned round so that they differ by one. */
    private static <K, V> Node<K, V> balanced(Node<K, V> of, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
        if (left != null && left.height() > height(right) + 1) {
            return raisedLeft(of, left, right);
        }
        if (right != null && right.height() > height(left) + 1) {
            return raisedRight(of, left, right);
        }
        return node(of, left, right);
    }

    private static <K, V> Node<K, V> raisedLeft(Node<K, V> of, Node<K, V> left, @Nullable Node<K, V> right) {
        Node<K, V> inner = left.right();
        return inner != null && inner.height() > height(left.left())
                ? node(inner, node(left, left.left(), inner.left()), node(of, inner.right(), right))
                : node(left, left.left(), node(of, inner, right));
    }

    private static <K, V> Node<K, V> raisedRight(Node<K, V> of, @Nullable Node<K, V> left, Node<K, V> right) {
        Node<K, V> inner = right.left();
        return inner != null && inner.height() > height(right.right())
                ? node(inner, node(of, left, inner.left()), node(right, inner.right(), right.right()))
                : node(right, node(of, left, inner), right.right());
    }
}
