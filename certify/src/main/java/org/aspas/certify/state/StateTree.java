package org.aspas.certify.state;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * A persistent Merkle map from paths to value hashes (the protocol page, docs/protocol.md §2, "State tree").
 *
 * <p>A tree never changes; {@link #put} returns another one that shares the unchanged subtrees. Hashes are computed when
 * first needed and then kept, so that k updates of a tree of n leaves followed by {@link #root} cost O(k log n) hashes
 * in all. A tree may be shared freely between threads. The byte format is in the package description.
 */
public final class StateTree {
    private static final byte[] OBJECT_TAG = "aspas/v1/object-path\0".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLIENT_TAG = "aspas/v1/client-path\0".getBytes(StandardCharsets.US_ASCII);
    private static final StateTree EMPTY = new StateTree(Node.EMPTY);

    private final Node top;

    private StateTree(Node top) {
        this.top = top;
    }

    /** Returns the tree without leaves, whose root is 32 zero bytes. */
    public static StateTree empty() {
        return EMPTY;
    }

    /**
     * Returns the tree of many leaves that are in order, at a fraction of the cost of adding them one by one.
     *
     * @param leaves the leaves, paths ascending, which the caller has to make sure of
     */
    public static StateTree ofAscending(List<? extends TreeLeaf> leaves) {
        return new StateTree(Node.of(leaves, 0));
    }

    /** Returns the path of an object: SHA-256("aspas/v1/object-path" ‖ 0x00 ‖ key in UTF-8). */
    public static Hash objectPath(String key) {
        return Hash.sha256(OBJECT_TAG, KeyBytes.of(key));
    }

    /** Returns the path of a client's certified request numbers: SHA-256("aspas/v1/client-path" ‖ 0x00 ‖ client id). */
    public static Hash clientPath(byte[] clientId) {
        return Hash.sha256(CLIENT_TAG, clientId);
    }

    /** Returns this tree with one value added or replaced; itself when it already has that value there. */
    public StateTree put(Hash path, Hash value) {
        return put(new StateLeaf(path, value));
    }

    /** Returns this tree with one leaf added or replaced; itself when it already has an equal leaf there. */
    public StateTree put(TreeLeaf leaf) {
        return with(top.put(leaf, leaf.path(), 0));
    }

    /** Returns this tree without the value at a path; itself when it has nothing there. */
    public StateTree remove(Hash path) {
        return with(top.remove(path, 0));
    }

    /** Returns this tree with many values added or replaced, in any order; itself when nothing differs. */
    public StateTree putAll(Map<Hash, Hash> values) {
        Node changed = top;
        for (Map.Entry<Hash, Hash> entry : values.entrySet()) {
            changed = changed.put(new StateLeaf(entry.getKey(), entry.getValue()), entry.getKey(), 0);
        }
        return with(changed);
    }

    /** Returns this tree with leaves of distinct paths added or replaced, in any order; itself when nothing differs. */
    public StateTree putAll(Iterable<? extends TreeLeaf> leaves) {
        Node changed = top;
        for (TreeLeaf leaf : leaves) {
            changed = changed.put(leaf, leaf.path(), 0);
        }
        return with(changed);
    }

    /** Returns the root, which stands for the whole map: 32 zero bytes when the tree has no leaves. */
    public Hash root() {
        return top.hash();
    }

    public long size() {
        return top.size();
    }

    /** Returns the hash of the value at a path. */
    public Optional<Hash> get(Hash path) {
        return leaf(path).map(TreeLeaf::value);
    }

    /** Returns the leaf at a path, as it was put in. */
    public Optional<TreeLeaf> leaf(Hash path) {
        Node node = top;
        for (int depth = 0; node instanceof Node.Inner inner; depth++) {
            node = inner.child(path.bit(depth));
        }
        return node instanceof Node.Leaf found && found.leaf.path().equals(path)
                ? Optional.of(found.leaf)
                : Optional.empty();
    }

    /**
     * Takes a page: all leaves under a prefix of a path, the shortest prefix with which nothing before the path is on the page
     * and all of it fits. The rest of the path is zeros then.
     *
     * @param from the least path that may be on the page
     * @param fits whether the leaves of a subtree fit onto a page; asked with subtrees of two leaves or more, the larger first
     * @return the page; it is a function of the leaves, the path and what fits alone
     */
    public TreePage page(Hash from, Predicate<TreePage.Leaves> fits) {
        int least = TreePage.leastBits(from);
        List<Hash> siblings = new ArrayList<>();
        Node node = top;
        int depth = 0;
        while (node instanceof Node.Inner inner && (depth < least || !fits.test(new TreePage.Leaves(inner)))) {
            boolean right = from.bit(depth);
            siblings.add(inner.child(!right).hash());
            node = inner.child(right);
            depth++;
        }
        return TreePage.of(from, Math.max(depth, least), siblings, node);
    }

    /**
     * Proves what this tree has at one path.
     *
     * @return a proof against {@link #root}: of presence when {@link #get} finds a value there, of absence when not
     */
    public StateProof prove(Hash path) {
        List<Hash> siblings = new ArrayList<>();
        Node node = top;
        for (int depth = 0; node instanceof Node.Inner inner; depth++) {
            boolean right = path.bit(depth);
            siblings.add(inner.child(!right).hash());
            node = inner.child(right);
        }
        @Nullable StateLeaf terminal = node instanceof Node.Leaf found ? StateLeaf.of(found.leaf) : null;
        return new StateProof(siblings, terminal);
    }

    /**
     * Takes the page of one path: its leaf, or none.
     *
     * @return the page, with a proof for {@link PageProof#provesOne}
     */
    public TreePage one(Hash path) {
        List<Hash> siblings = new ArrayList<>();
        Node node = top;
        for (int depth = 0; node instanceof Node.Inner inner; depth++) {
            boolean right = path.bit(depth);
            siblings.add(inner.child(!right).hash());
            node = inner.child(right);
        }
        return TreePage.of(path, PageProof.MAX_BITS, siblings, node);
    }

    /** Receives the differences between two trees. */
    public interface Changes {
        /**
         * A leaf is new, or has another value.
         *
         * @param before the leaf that was at its path, if there was one
         */
        void put(Optional<TreeLeaf> before, TreeLeaf now);

        void removed(TreeLeaf before);
    }

    /**
     * Tells what this tree has otherwise than another one. Where this one was made from the other by changes, that costs as much as
     * they did.
     *
     * @param changes told of each leaf once, in no particular order
     */
    public void changesSince(StateTree before, Changes changes) {
        new TreeChanges(changes).between(before.top, top, 0);
    }

    private StateTree with(Node changed) {
        return changed == top ? this : new StateTree(changed);
    }

    /**
     * The bytes of a key: UTF-8 (RFC 3629), extended to unpaired surrogates so that no two strings have the same bytes. The
     * platform's own encoder would turn each of those into a question mark and let different keys share a path.
     */
    static final class KeyBytes {
        private KeyBytes() {}

        /** Returns the bytes of any string. The platform's encoder does it for all but those with unpaired surrogates. */
        static byte[] of(String key) {
            if (Value.Text.isWellFormed(key)) {
                return key.getBytes(StandardCharsets.UTF_8);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(key.length() + 8);
            key.codePoints().forEachOrdered(point -> write(point, bytes));
            return bytes.toByteArray();
        }

        private static void write(int point, ByteArrayOutputStream bytes) {
            if (point < 0x80) {
                bytes.write(point);
                return;
            }
            int following = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
            bytes.write(((0xff00 >> (following + 1)) & 0xff) | (point >> (6 * following)));
            for (int shift = 6 * (following - 1); shift >= 0; shift -= 6) {
                bytes.write(0x80 | ((point >> shift) & 0x3f));
            }
        }
    }

    /** Compares two subtrees at one place. What both share is not looked at, so this costs what was changed, and not what there is. */
    private static final class TreeChanges {
        private final StateTree.Changes told;

        TreeChanges(StateTree.Changes told) {
            this.told = told;
        }

        /** Tells what the second subtree, which is at the same depth, has otherwise than the first. */
        void between(Node before, Node now, int depth) {
            if (before == now) {
                return;
            }
            if (before instanceof Node.Inner old && now instanceof Node.Inner inner) {
                between(old.left, inner.left, depth + 1);
                between(old.right, inner.right, depth + 1);
                return;
            }
            now.visit(leaf -> {
                Optional<TreeLeaf> held = find(before, leaf, depth);
                if (held.filter(one -> one.value().equals(leaf.value())).isEmpty()) {
                    told.put(held, leaf);
                }
                return true;
            });
            before.visit(leaf -> {
                if (find(now, leaf, depth).isEmpty()) {
                    told.removed(leaf);
                }
                return true;
            });
        }

        private static Optional<TreeLeaf> find(Node top, TreeLeaf wanted, int from) {
            if (top.size() == 0) {
                return Optional.empty();
            }
            Node node = top;
            for (int depth = from; node instanceof Node.Inner inner; depth++) {
                node = inner.child(wanted.path().bit(depth));
            }
            return node instanceof Node.Leaf found && found.leaf.path().equals(wanted.path())
                    ? Optional.of(found.leaf)
                    : Optional.empty();
        }
    }
}
