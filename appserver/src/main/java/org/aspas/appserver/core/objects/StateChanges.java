package org.aspas.appserver.core.objects;

import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreeLeaf;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.value.Value;

/** Tells what one certified state has otherwise than another, in the leaves of a snapshot; elements apart from their objects. */
final class StateChanges implements StateTree.Changes {
    private final StateView.Visitor visitor;

    StateChanges(StateView.Visitor visitor) {
        this.visitor = visitor;
    }

    @Override
    public void put(Optional<TreeLeaf> before, TreeLeaf now) {
        if (now instanceof ClientLeaf client) {
            visitor.put(client.path(), null, client.record().apart(client.client()));
            client.record().blocksSince(blocksOf(client.path(), before), new CertifiedClient.BlockChanges() {
                @Override
                public void put(long number, CountedBlock block) {
                    Value name = Value.of(number);
                    visitor.put(
                            client.path(),
                            StateLeaves.elementPath(name),
                            new SnapshotLeaf.Element(name, block.state()));
                }

                @Override
                public void removed(long number) {
                    visitor.removed(client.path(), StateLeaves.elementPath(Value.of(number)));
                }
            });
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

    /** The record that a base has of a client, with its blocks apart. Where that is not known, what it has apart is taken away. */
    private CertifiedClient blocksOf(Hash path, Optional<TreeLeaf> before) {
        if (before.orElse(null) instanceof ClientLeaf client && !client.whole()) {
            return client.record();
        }
        before.ifPresent(any -> visitor.elementsRemoved(path));
        return CertifiedClient.NOBODY;
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
        visitor.elementsRemoved(before.path());
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
