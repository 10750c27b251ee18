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
        ObjectLeaf object = (ObjectLeaf) now;
        Hash path = object.path();
        visitor.put(path, null, object.object().apart(object.name()));
        CertifiedObject held = before.filter(ObjectLeaf.class::isInstance)
                .map(leaf -> ((ObjectLeaf) leaf).object())
                .orElse(null);
        elements(
                path,
                held == null ? StateTree.empty() : held.elements(),
                object.object().elements(),
                object.object());
    }

    @Override
    public void removed(TreeLeaf before) {
        visitor.removed(before.path(), null);
        if (before instanceof ObjectLeaf object) {
            elements(object.path(), object.object().elements(), StateTree.empty(), object.object());
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
