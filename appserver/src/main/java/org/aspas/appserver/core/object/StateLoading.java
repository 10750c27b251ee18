package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.state.BaseKeys;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreeLeaf;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * Puts a certified state together from the leaves that a base kept: each object, then its elements, and each client, then its blocks.
 * Nothing is verified before all is here; then the root says whether all of it is right. For one thread.
 */
public final class StateLoading {
    private final Map<ObjectKey, CertifiedObject> objects = new HashMap<>();
    private final Map<ClientId, CertifiedClient> clients = new HashMap<>();
    private final List<TreeLeaf> leaves = new ArrayList<>();
    private Hash last = Hash.ZERO;
    /** The path in the key of the leaf that was taken last. */
    private Hash under = Hash.ZERO;

    private final long room;
    private @Nullable ObjectLoading open;
    private SnapshotLeaf.@Nullable OfClient client;
    /** The blocks of the client that is open, by their numbers. */
    private final TreeMap<Long, List<Counted>> blocks = new TreeMap<>();

    private boolean wrong;
    private long weight;
    private long cold;

    /** Keeps objects of up to this many bytes in memory, and leaves others to the base. */
    public StateLoading(long room) {
        this.room = room;
    }

    /** Takes the next leaf, with the key under which it will be looked for; whether it can be one of a state. */
    public boolean take(byte[] key, SnapshotLeaf leaf) {
        ObjectLoading object = open;
        Hash path = BaseKeys.path(key).orElse(Hash.ZERO);
        if (leaf instanceof SnapshotLeaf.Element element) {
            wrong |= !path.equals(under) || (object == null ? !takeBlock(element) : !object.take(leaf));
            return !wrong;
        }
        close();
        under = path;
        if (leaf instanceof SnapshotLeaf.OfClient begun) {
            client = begun;
        } else {
            open = new ObjectLoading();
            wrong |= !open.take(leaf);
        }
        return !wrong;
    }

    private void refuse() {
        wrong = true;
    }

    private boolean takeBlock(SnapshotLeaf.Element block) {
        return client != null
                && client.blocks().isEmpty()
                && block.element() instanceof Value.Int number
                && CountedBlock.ofState(block.state())
                        .filter(counted -> blocks.put(number.value(), counted) == null)
                        .isPresent();
    }

    private void close() {
        SnapshotLeaf.OfClient begun = client;
        client = null;
        if (begun != null) {
            boolean whole = !begun.blocks().isEmpty();
            SnapshotLeaf.OfClient content = whole ? begun : begun.with(List.copyOf(blocks.values()));
            blocks.clear();
            CertifiedClient.of(content).ifPresentOrElse(record -> put(begun.client(), record, whole), this::refuse);
        }
        ObjectLoading object = open;
        open = null;
        if (object != null) {
            object.object().ifPresentOrElse(held -> put(held.name(), held.object()), this::refuse);
        }
    }

    /** A base gives all leaves in order; another order is that of no base. */
    private void add(TreeLeaf leaf) {
        Hash path = leaf.path();
        wrong |= path.compareTo(last) <= 0 || !path.equals(under);
        last = path;
        leaves.add(leaf);
    }

    private void put(ObjectKey name, CertifiedObject object) {
        ObjectLeaf leaf = ObjectLeaf.of(name, object);
        add(leaf);
        long more = ColdObjects.weight(name, object);
        weight += more;
        if (weight > room && more > 0) {
            weight -= more;
            leaf.release();
            cold++;
        } else {
            objects.put(name, object);
        }
    }

    private void put(ClientId who, CertifiedClient record, boolean whole) {
        clients.put(who, record);
        ClientLeaf leaf = record.leaf(who);
        add(whole ? leaf.loadedWhole() : leaf);
    }

    /**
     * All leaves were taken.
     *
     * @param root the certified root
     * @return the state; empty when its root is another one
     */
    public Optional<CertifiedState> state(Hash root) {
        close();
        StateTree tree = wrong ? StateTree.empty() : StateTree.ofAscending(leaves);
        return !wrong && tree.root().equals(root)
                ? Optional.of(new CertifiedState(objects, clients, tree, cold))
                : Optional.empty();
    }
}
