package org.aspas.appserver.core.objects;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.SnapshotLeaf;
import org.aspas.certify.state.StateTree;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * Puts a certified state together from the leaves that a base kept: each object, then its elements. Nothing is verified before all
 * is here; then the root says whether all of it is right. For one thread.
 */
public final class StateLoading {
    private final Map<ObjectKey, CertifiedObject> objects = new HashMap<>();
    private final Map<ClientId, CertifiedClient> clients = new HashMap<>();
    private final Map<Value, SnapshotLeaf.Element> elements = new TreeMap<>();
    private StateTree tree = StateTree.empty();
    private SnapshotLeaf.@Nullable OfElements open;
    private boolean wrong;

    /** Takes the next leaf; whether it can be one of a state. */
    public boolean take(SnapshotLeaf leaf) {
        if (leaf instanceof SnapshotLeaf.Element element) {
            wrong |= open == null;
            elements.put(element.element(), element);
            return !wrong;
        }
        close();
        if (leaf instanceof SnapshotLeaf.OfElements object) {
            open = object;
        } else if (leaf instanceof SnapshotLeaf.OfClient client) {
            CertifiedClient.of(client).ifPresentOrElse(record -> put(client.client(), record), this::refuse);
        } else if (leaf instanceof SnapshotLeaf.Whole whole) {
            type(whole.type())
                    .flatMap(type -> CertifiedObject.of(type, whole.state()))
                    .ifPresentOrElse(object -> put(new ObjectKey(whole.key(), whole.type()), object), this::refuse);
        }
        return !wrong;
    }

    private static Optional<DataType> type(String name) {
        return DataTypes.byName(name);
    }

    private void refuse() {
        wrong = true;
    }

    private void close() {
        SnapshotLeaf.OfElements object = open;
        open = null;
        if (object != null) {
            type(object.type())
                    .flatMap(type -> CertifiedObject.of(type, elements.values()))
                    .ifPresentOrElse(built -> put(new ObjectKey(object.key(), object.type()), built), this::refuse);
        }
        elements.clear();
    }

    private void put(ObjectKey name, CertifiedObject object) {
        objects.put(name, object);
        tree = tree.put(ObjectLeaf.of(name, object));
    }

    private void put(ClientId client, CertifiedClient record) {
        clients.put(client, record);
        tree = tree.put(record.leaf(client));
    }

    /**
     * All leaves were taken.
     *
     * @param root the certified root
     * @return the state; empty when its root is another one
     */
    public Optional<CertifiedState> state(Hash root) {
        close();
        return !wrong && tree.root().equals(root)
                ? Optional.of(new CertifiedState(objects, clients, tree))
                : Optional.empty();
    }
}
