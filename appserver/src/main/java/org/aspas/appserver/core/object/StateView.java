package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreeLeaf;
import org.aspas.certify.state.TreePage;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.SnapshotPull.Place;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * All objects and client records as they were at one certificate, of which chunks are given away. It shares what did not change
 * since with the newest state. What it stands for never changes. Any thread may ask what changed, and which objects rest now; the
 * core's alone takes chunks.
 */
public final class StateView {
    /** A chunk has at most so many leaves, and about so many bytes; but one leaf at least, if there is one. */
    private static final long CHUNK_LEAVES = 4096;

    private static final long CHUNK_BYTES = 256 << 10;

    /** So many leaves are looked at for a list at once. */
    private static final long LISTED_LEAVES = 1024;

    private final StateTree tree;
    private final ColdObjects cold;

    StateView(StateTree tree, ColdObjects cold) {
        this.tree = tree;
        this.cold = cold;
    }

    Hash root() {
        return tree.root();
    }

    /**
     * The chunk that begins at a place.
     *
     * @param number the certificate, for the answer
     * @return the chunk; without a proof when there is no such place
     */
    public SnapshotChunk chunk(CertificateNumber number, Place place) {
        return part(number, place).chunk();
    }

    /**
     * A chunk that is given away.
     *
     * @param bytes about how many bytes its contents have, encoded; 0 without a proof
     */
    public record Part(SnapshotChunk chunk, long bytes) {}

    /** As {@link #chunk}, with about how long it is. */
    public Part part(CertificateNumber number, Place place) {
        Hash object = place.object();
        return (object == null ? ofAll(place.from()) : ofObject(object, place.from()))
                .map(page ->
                        new Part(new SnapshotChunk(number, place, page.page().proof(), page.contents()), page.bytes()))
                .orElseGet(() -> new Part(new SnapshotChunk(number, place, null, List.of()), 0));
    }

    /** Whether the object under a key is in the base alone now. */
    public boolean rests(String key) {
        return tree.leaf(StateTree.objectPath(key))
                .filter(leaf -> leaf instanceof ObjectLeaf object && object.held() == null)
                .isPresent();
    }

    /** Is told how a state differs from another one. */
    public interface Visitor {
        /**
         * A leaf is new, or stands for something else.
         *
         * @param path the object or client
         * @param element the element of the object; null for the object or client itself, which has no elements in its content
         */
        void put(Hash path, @Nullable Hash element, SnapshotLeaf content);

        void removed(Hash path, @Nullable Hash element);

        /** All elements of an object are gone; those that it has now follow. */
        void elementsRemoved(Hash path);
    }

    /**
     * Tells what this state has otherwise than another one, at a cost in proportion to that.
     *
     * @param before the other state; null for one without leaves
     */
    public void changesSince(@Nullable StateView before, Visitor visitor) {
        tree.changesSince(before == null ? StateTree.empty() : before.tree, new StateChanges(visitor));
    }

    /** Some of the objects, and where those after them begin. */
    record Listing(List<ObjectLeaf.Held> objects, Optional<Hash> next) {}

    /** The objects from a path on, of as many leaves as a list takes at once. The core's thread alone may ask. */
    Listing list(Hash from) {
        TreePage page = tree.page(from, leaves -> leaves.count() <= LISTED_LEAVES);
        return new Listing(
                cold.look(page.leaves().stream()
                        .filter(ObjectLeaf.class::isInstance)
                        .map(ObjectLeaf.class::cast)
                        .toList()),
                page.proof().next(from));
    }

    private record Contents(TreePage page, List<SnapshotLeaf> contents, long bytes) {
        static Contents of(TreePage page, List<SnapshotLeaf> contents, ToLongFunction<TreeLeaf> size) {
            return new Contents(
                    page, contents, page.leaves().stream().mapToLong(size).sum());
        }
    }

    private Optional<Contents> ofAll(Hash from) {
        TreePage page = tree.page(from, fits(StateView::bytes));
        Iterator<ObjectLeaf.Held> objects = cold.look(page.leaves().stream()
                        .filter(ObjectLeaf.class::isInstance)
                        .map(ObjectLeaf.class::cast)
                        .toList())
                .iterator();
        List<SnapshotLeaf> contents = new ArrayList<>(page.leaves().size());
        for (TreeLeaf leaf : page.leaves()) {
            contents.add(
                    leaf instanceof ClientLeaf client ? client.record().content(client.client()) : content(objects));
        }
        return Optional.of(Contents.of(page, contents, StateView::bytes));
    }

    private static SnapshotLeaf content(Iterator<ObjectLeaf.Held> objects) {
        ObjectLeaf.Held next = objects.next();
        return next.object().content(next.name());
    }

    private Optional<Contents> ofObject(Hash path, Hash from) {
        return tree.leaf(path)
                .filter(ObjectLeaf.class::isInstance)
                .map(leaf -> cold.look((ObjectLeaf) leaf).object())
                .filter(CertifiedObject::hasElements)
                .map(object -> {
                    ToLongFunction<TreeLeaf> size = leaf -> object.bytes((ElementLeaf) leaf);
                    TreePage page = object.elements().page(from, fits(size));
                    return Contents.of(page, object.contents(page.leaves()), size);
                });
    }

    private static Predicate<TreePage.Leaves> fits(ToLongFunction<TreeLeaf> size) {
        return leaves -> {
            long[] bytes = {0};
            return leaves.count() <= CHUNK_LEAVES
                    && leaves.all(leaf -> {
                        bytes[0] += size.applyAsLong(leaf);
                        return bytes[0] <= CHUNK_BYTES;
                    });
        };
    }

    private static long bytes(TreeLeaf leaf) {
        return leaf instanceof ObjectLeaf object
                ? object.contentBytes()
                : ((ClientLeaf) leaf).record().contentBytes();
    }

    /** Tells what one certified state has otherwise than another, in the leaves of a snapshot; elements apart from their objects. */
    private static final class StateChanges implements StateTree.Changes {
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
}
