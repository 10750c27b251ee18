package org.aspas.appserver.core.objects;

import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.SnapshotLeaf;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreeLeaf;

/** Tells what one certified state has otherwise than another, in the leaves of a snapshot; elements apart from their objects. */
final class StateChanges implements StateTree.Changes {
    private final StateView.Visitor visitor;

    StateChanges(StateView.Visitor visitor) {
        this.visitor = visitor;
    }

    @Override
    public void put(Optional<TreeLeaf> before, TreeLeaf now) {
        if (now instanceof ClientLeaf client) {
            visitor.put(client.path(), null, client.record().content(client.client()));
            return;
        }
        Hash path = now.path();
        ObjectLeaf.Held held = ((ObjectLeaf) now).held();
        if (held == null) {
            throw new IllegalStateException("an object changed that is in the base alone: " + path);
        }
        visitor.put(path, null, held.object().apart(held.name()));
        if (held.object().hasElements()) {
            elements(path, elementsOf(path, before), held.object().elements(), held.object());
        }
    }

    /** The elements that an object had. Where they are in the base alone, as before a snapshot was installed, they are taken away. */
    private StateTree elementsOf(Hash path, Optional<TreeLeaf> before) {
        if (before.orElse(null) instanceof ObjectLeaf object) {
            ObjectLeaf.Held held = object.held();
            if (held != null) {
                return held.object().elements();
            }
            visitor.elementsRemoved(path);
        }
        return StateTree.empty();
    }

    @Override
    public void removed(TreeLeaf before) {
        visitor.removed(before.path(), null);
        if (before instanceof ObjectLeaf object) {
            visitor.elementsRemoved(object.path());
        }
    }

    private void elements(Hash path, StateTree before, StateTree now, CertifiedObject object) {
        now.changesSince(before, new StateTree.Changes() {
            @Override
            public void put(Optional<TreeLeaf> old, TreeLeaf leaf) {
                SnapshotLeaf content = object.content((ElementLeaf) leaf);
                visitor.put(path, leaf.path(), content);
            }

            @Override
            public void removed(TreeLeaf leaf) {
                visitor.removed(path, leaf.path());
            }
        });
    }
}
