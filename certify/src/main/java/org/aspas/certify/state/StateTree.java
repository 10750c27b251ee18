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

    /**
     * Returns the tree without leaves.
     *
     * @return the tree whose root is 32 zero bytes
     */
    public static StateTree empty() {
        return EMPTY;
    }

    /**
     * Returns the tree of many leaves that are in order, at a fraction of the cost of adding them one by one.
     *
     * @param leaves the leaves, paths ascending, which the caller has to make sure of
     * @return the tree
     */
    public static StateTree ofAscending(List<? extends TreeLeaf> leaves) {
        return new StateTree(Node.of(leaves, 0));
    }

    /**
     * Returns the path of an object.
     *
     * @param key the object's key, any string
     * @return SHA-256("aspas/v1/object-path" ‖ 0x00 ‖ key in UTF-8)
     */
    public static Hash objectPath(String key) {
        return Hash.sha256(OBJECT_TAG, KeyBytes.of(key));
    }

    /**
     * Returns the path of a client's certified request numbers.
     *
     * @param clientId the bytes that name the client, of any length
     * @return SHA-256("aspas/v1/client-path" ‖ 0x00 ‖ client id)
     */
    public static Hash clientPath(byte[] clientId) {
        return Hash.sha256(CLIENT_TAG, clientId);
    }

    /**
     * Returns this tree with one value added or replaced.
     *
     * @param path where the value belongs
     * @param value the hash of the value
     * @return the new tree, or this one when it already has that value there
     */
    public StateTree put(Hash path, Hash value) {
        return put(new StateLeaf(path, value));
    }

    /**
     * Returns this tree with one leaf added or replaced.
     *
     * @param leaf the leaf
     * @return the new tree, or this one when it already has an equal leaf there
     */
    public StateTree put(TreeLeaf leaf) {
        return with(top.put(leaf, leaf.path(), 0));
    }

    /**
     * Returns this tree without the value at a path: the tree of the leaves that are left.
     *
     * @param path where the value is
     * @return the new tree, or this one when it has nothing there
     */
    public StateTree remove(Hash path) {
        return with(top.remove(path, 0));
    }

    /**
     * Returns this tree with many values added or replaced.
     *
     * @param values the hashes of the values by path; their order has no effect
     * @return the new tree, or this one when nothing differs
     */
    public StateTree putAll(Map<Hash, Hash> values) {
        Node changed = top;
        for (Map.Entry<Hash, Hash> entry : values.entrySet()) {
            changed = changed.put(new StateLeaf(entry.getKey(), entry.getValue()), entry.getKey(), 0);
        }
        return with(changed);
    }

    /**
     * Returns this tree with many leaves added or replaced.
     *
     * @param leaves the leaves, one for each path; their order has no effect
     * @return the new tree, or this one when nothing differs
     */
    public StateTree putAll(Iterable<? extends TreeLeaf> leaves) {
        Node changed = top;
        for (TreeLeaf leaf : leaves) {
            changed = changed.put(leaf, leaf.path(), 0);
        }
        return with(changed);
    }

    /**
     * Returns the root, which stands for the whole map.
     *
     * @return the hash of the tree; 32 zero bytes when it has no leaves
     */
    public Hash root() {
        return top.hash();
    }

    /**
     * Returns the number of leaves.
     *
     * @return the size, 0 or more
     */
    public long size() {
        return top.size();
    }

    /**
     * Looks up one value.
     *
     * @param path where the value belongs
     * @return the hash of the value, or nothing when the tree has none there
     */
    public Optional<Hash> get(Hash path) {
        return leaf(path).map(TreeLeaf::value);
    }

    /**
     * Looks up one leaf.
     *
     * @param path where the leaf belongs
     * @return the leaf as it was put in, or nothing when the tree has none there
     */
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
     * @param path where to look
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
     * @param path where to look
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

    /** Is told what one tree has otherwise than another. */
    public interface Changes {
        /**
         * A leaf is new, or has another value.
         *
         * @param before the leaf that was at its path, if there was one
         * @param now the leaf
         */
        void put(Optional<TreeLeaf> before, TreeLeaf now);

        /** A leaf is gone. */
        void removed(TreeLeaf before);
    }

    /**
     * Tells what this tree has otherwise than another one. Where this one was made from the other by changes, that costs as much as
     * they did.
     *
     * @param before the other tree
     * @param changes told of each leaf once, in no particular order
     */
    public void changesSince(StateTree before, Changes changes) {
        new TreeChanges(changes).between(before.top, top, 0);
    }

    private StateTree with(Node changed) {
        return changed == top ? this : new StateTree(changed);
    }
}
