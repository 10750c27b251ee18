package org.aspas.certify.state;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.aspas.certify.identity.Hash;
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
}
