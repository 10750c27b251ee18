package org.aspas.certify.state;

import java.util.Optional;

/** Compares two subtrees at one place. What both share is not looked at, so this costs what was changed, and not what there is. */
final class TreeChanges {
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
