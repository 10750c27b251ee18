package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.PageProof;
import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreeLeaf;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.SnapshotLeaves;
import org.aspas.certify.wire.SnapshotPull.Place;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;

/**
 * Puts the state at a certificate together from chunks, each of which is verified against the certified root as it comes. An
 * object of many elements is one leaf of the state tree first; the chunks of its elements are verified against the root in that
 * leaf. For one thread.
 */
public final class StateAssembly {
    /** An object whose elements come in chunks of their own. */
    private static final class Elements {
        final SnapshotLeaf.OfElements object;
        final DataType type;
        final PathCover cover = new PathCover();
        final Map<Value, SnapshotLeaf.Element> elements = new TreeMap<>();

        Elements(SnapshotLeaf.OfElements object, DataType type) {
            this.object = object;
            this.type = type;
        }

        ObjectKey name() {
            return new ObjectKey(object.key(), object.type());
        }
    }

    private final Hash root;
    private final PathCover cover = new PathCover();
    private final Map<ObjectKey, CertifiedObject> objects = new HashMap<>();
    private final Map<ClientId, CertifiedClient> clients = new HashMap<>();
    private final List<TreeLeaf> leaves = new ArrayList<>();
    private final Map<Hash, Elements> open = new LinkedHashMap<>();
    private long chunks;

    /** Nothing is here yet of the state with this root, which is certified. */
    public StateAssembly(Hash root) {
        this.root = root;
    }

    /** Shows where the chunks begin that are needed next, until the visitor has seen enough. */
    public void places(Predicate<Place> visitor) {
        for (Hash from : cover.starts()) {
            if (!visitor.test(new Place(null, from))) {
                return;
            }
        }
        for (Map.Entry<Hash, Elements> object : open.entrySet()) {
            for (Hash from : object.getValue().cover.starts()) {
                if (!visitor.test(new Place(object.getKey(), from))) {
                    return;
                }
            }
        }
    }

    public boolean needs(Place place) {
        Hash object = place.object();
        if (object == null) {
            return cover.opens(place.from());
        }
        Elements elements = open.get(object);
        return elements != null && elements.cover.opens(place.from());
    }

    public boolean complete() {
        return cover.complete() && open.isEmpty();
    }

    public long chunks() {
        return chunks;
    }

    /** How much of the state tree is here, in thousandths of its paths. */
    public long permille() {
        return cover.permille();
    }

    /** Of how many objects elements are missing, as far as is known. */
    public long openObjects() {
        return open.size();
    }

    /**
     * Takes a chunk that is needed.
     *
     * @return whether the chunk is right; nothing of a wrong one is kept
     */
    public boolean take(SnapshotChunk chunk) {
        PageProof proof = chunk.proof();
        Hash object = chunk.place().object();
        Elements elements = object == null ? null : open.get(object);
        if (proof == null || (object != null && elements == null)) {
            return false;
        }
        Hash certified = elements == null ? root : elements.object.root();
        Hash from = chunk.place().from();
        List<StateLeaf> hashes = chunk.leaves().stream().map(SnapshotLeaves::of).toList();
        boolean right = proof.proves(certified, from, hashes)
                && (elements == null ? takeLeaves(chunk.leaves()) : takeElements(elements, chunk.leaves()));
        if (!right) {
            return false;
        }
        chunks++;
        Optional<Hash> next = proof.next(from);
        if (object == null || elements == null) {
            cover.cover(from, next);
            return true;
        }
        elements.cover.cover(from, next);
        return !elements.cover.complete() || close(object, elements);
    }

    private boolean close(Hash path, Elements done) {
        open.remove(path);
        return CertifiedObject.of(done.type, done.elements.values())
                .filter(built -> built.elements().size() == done.object.size())
                .map(built -> put(done.name(), built))
                .isPresent();
    }

    private static boolean takeElements(Elements object, List<SnapshotLeaf> leaves) {
        for (SnapshotLeaf leaf : leaves) {
            if (!(leaf instanceof SnapshotLeaf.Element element)) {
                return false;
            }
            object.elements.put(element.element(), element);
        }
        return true;
    }

    /** Takes all leaves of a chunk, or none. */
    private boolean takeLeaves(List<SnapshotLeaf> contents) {
        List<Runnable> taken = new ArrayList<>();
        for (SnapshotLeaf content : contents) {
            Optional<Runnable> one = content instanceof SnapshotLeaf.OfClient client
                    ? CertifiedClient.of(client).map(record -> () -> put(client.client(), record))
                    : object(content);
            if (one.isEmpty()) {
                return false;
            }
            taken.add(one.get());
        }
        taken.forEach(Runnable::run);
        return true;
    }

    private Optional<Runnable> object(SnapshotLeaf content) {
        if (content instanceof SnapshotLeaf.Whole whole) {
            return DataTypes.byName(whole.type())
                    .flatMap(type -> CertifiedObject.of(type, whole.state()))
                    .map(object -> () -> put(new ObjectKey(whole.key(), whole.type()), object));
        }
        if (!(content instanceof SnapshotLeaf.OfElements object)) {
            return Optional.empty();
        }
        Optional<DataType> type = DataTypes.byName(object.type());
        List<SnapshotLeaf.Element> elements = object.elements();
        if (elements == null) {
            return type.map(
                    known -> () -> open.putIfAbsent(StateTree.objectPath(object.key()), new Elements(object, known)));
        }
        return type.flatMap(known -> CertifiedObject.of(known, elements))
                .filter(built -> built.elements().root().equals(object.root())
                        && built.elements().size() == object.size())
                .map(built -> () -> put(new ObjectKey(object.key(), object.type()), built));
    }

    private CertifiedObject put(ObjectKey name, CertifiedObject object) {
        if (objects.putIfAbsent(name, object) == null) {
            leaves.add(ObjectLeaf.of(name, object));
        }
        return object;
    }

    private void put(ClientId client, CertifiedClient record) {
        if (clients.putIfAbsent(client, record) == null) {
            leaves.add(record.leaf(client));
        }
    }

    /** The state; empty when the chunks, each of which is right, do not make it. To be asked when all is here. */
    public Optional<CertifiedState> state() {
        StateTree tree = StateTree.empty().putAll(leaves);
        return tree.root().equals(root) ? Optional.of(new CertifiedState(objects, clients, tree, 0)) : Optional.empty();
    }

    /** Which paths of a tree are not here yet, as ranges from one path to before another one. For one thread. */
    private static final class PathCover {
        /** After the first chunk, what is left is cut at each multiple of this part of all paths, to be asked for at once. */
        private static final int PARTS = 16;

        private final TreeMap<Hash, Optional<Hash>> open = new TreeMap<>(Map.of(Hash.ZERO, Optional.empty()));
        private boolean cut;

        /** Whether a chunk may begin here. */
        boolean opens(Hash from) {
            return open.containsKey(from);
        }

        /** Where the chunks begin that are needed next. */
        Iterable<Hash> starts() {
            return open.keySet();
        }

        boolean complete() {
            return open.isEmpty();
        }

        /** All paths from one on to before another one, or to the end, are here. */
        void cover(Hash from, Optional<Hash> next) {
            List<Map.Entry<Hash, Optional<Hash>>> met = new ArrayList<>();
            for (Map.Entry<Hash, Optional<Hash>> range : open.entrySet()) {
                boolean before =
                        range.getValue().filter(end -> end.compareTo(from) <= 0).isPresent();
                boolean behind =
                        next.filter(end -> end.compareTo(range.getKey()) <= 0).isPresent();
                if (!before && !behind) {
                    met.add(Map.entry(range.getKey(), range.getValue()));
                }
            }
            for (Map.Entry<Hash, Optional<Hash>> range : met) {
                open.remove(range.getKey());
                if (range.getKey().compareTo(from) < 0) {
                    open.put(range.getKey(), Optional.of(from));
                }
                next.filter(begin -> range.getValue().isEmpty()
                                || begin.compareTo(range.getValue().orElseThrow()) < 0)
                        .ifPresent(begin -> open.put(begin, range.getValue()));
            }
            if (!cut) {
                cut = true;
                for (int part = 1; part < PARTS; part++) {
                    cutAt(start(part));
                }
            }
        }

        private static Hash start(int part) {
            byte[] bytes = new byte[Hash.LENGTH];
            bytes[0] = (byte) (part * 256 / PARTS);
            return Hash.of(bytes);
        }

        private void cutAt(Hash at) {
            Map.Entry<Hash, Optional<Hash>> range = open.lowerEntry(at);
            boolean inside = range != null
                    && (range.getValue().isEmpty()
                            || range.getValue().orElseThrow().compareTo(at) > 0);
            if (inside) {
                open.put(range.getKey(), Optional.of(at));
                open.put(at, range.getValue());
            }
        }

        /** How much is here, in thousandths of all paths, rounded down. */
        long permille() {
            double left = 0;
            for (Map.Entry<Hash, Optional<Hash>> range : open.entrySet()) {
                left += range.getValue().map(PathCover::place).orElse(1.0) - place(range.getKey());
            }
            return open.isEmpty() ? 1000 : (long) Math.min(999, 1000 * (1 - left));
        }

        /** Where a path lies, from 0 to 1. */
        private static double place(Hash path) {
            byte[] bytes = path.toBytes();
            double place = 0;
            for (int i = Integer.BYTES - 1; i >= 0; i--) {
                place = (place + (bytes[i] & 0xff)) / 256;
            }
            return place;
        }
    }
}
