package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreeLeaf;
import org.aspas.certify.state.TreePage;
import org.aspas.certify.wire.ElementsProof;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.CrdtView;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.ElementsView;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The state of an object at a certificate, with the tree of its elements (docs/formats.md, §6). Two of them share all that is
 * equal. Never changed, though the state could be; for one thread.
 */
final class CertifiedObject {
    /** A page has at most so many elements, and about so many bytes; but one element at least, if there is one. */
    static final long PAGE_ELEMENTS = 1024;

    private static final long PAGE_BYTES = 256 << 10;

    /** In a snapshot, the elements of an object travel with it while they take no more than so many bytes. */
    private static final long INLINE_BYTES = 32 << 10;

    /** What an object or element takes in a snapshot beside its key or value and its state, in bytes, at most. */
    private static final long CONTENT_BYTES = 96;

    private final Crdt state;
    private final StateTree elements;

    private CertifiedObject(Crdt state, StateTree elements) {
        this.state = state;
        this.elements = elements;
    }

    /** What is answered to a read: a value, and the proof of its elements if it has any. */
    record Part(Value value, @Nullable ElementsProof proof) {}

    static CertifiedObject fresh(DataType type) {
        return new CertifiedObject(type.empty(), StateTree.empty());
    }

    /** The object at the next certificate, at a cost in proportion to the elements that may have changed. */
    CertifiedObject next(Crdt changedState, Collection<Value> changed) {
        StateTree tree = elements;
        ElementsView view = changedState.elements().orElse(null);
        if (view == null) {
            return new CertifiedObject(changedState, tree);
        }
        for (Value element : changed) {
            tree = view.has(element)
                    ? tree.put(new ElementLeaf(element, leaf(view, element)))
                    : tree.remove(StateLeaves.elementPath(element));
        }
        return new CertifiedObject(changedState, tree);
    }

    private static Hash leaf(ElementsView view, Value element) {
        return StateLeaves.element(element, StateLeaves.shortForm(view.state(element)));
    }

    CrdtView state() {
        return state;
    }

    Crdt copy() {
        return state.copy();
    }

    Hash leaf(ObjectKey name) {
        return state.elements()
                .map(view -> StateLeaves.object(name.key(), name.type(), view.size(), elements.root()))
                .orElseGet(() -> StateLeaves.object(name.key(), name.type(), state.value()));
    }

    /** What is read of the object; empty when it has no elements to choose from. */
    Optional<Part> part(@Nullable ReadPart part) {
        return part(part, CertifiedObject::fits);
    }

    /** The same, with as much on a page as has at most so many elements, but one at least if there is one. */
    Optional<Part> part(ReadPart part, long most) {
        return part(part, (TreePage.Leaves leaves) -> leaves.count() <= most);
    }

    private Optional<Part> part(@Nullable ReadPart part, Predicate<TreePage.Leaves> fits) {
        ElementsView view = state.elements().orElse(null);
        if (view == null) {
            return part == null ? Optional.of(new Part(state.value(), null)) : Optional.empty();
        }
        return Optional.of(part(view, page(part, fits)));
    }

    private TreePage page(@Nullable ReadPart part, Predicate<TreePage.Leaves> fits) {
        Value element = part == null ? null : part.element();
        Hash from = part == null ? null : part.from();
        if (element != null) {
            return elements.one(StateLeaves.elementPath(element));
        }
        return from == null ? elements.page(Hash.ZERO, any -> true) : elements.page(from, fits);
    }

    private static boolean fits(TreePage.Leaves leaves) {
        long[] bytes = {0};
        return leaves.count() <= PAGE_ELEMENTS
                && leaves.all(leaf -> {
                    bytes[0] += ((ElementLeaf) leaf).bytes();
                    return bytes[0] <= PAGE_BYTES;
                });
    }

    private Part part(ElementsView view, TreePage page) {
        List<Value> found = new ArrayList<>(page.leaves().size());
        for (TreeLeaf leaf : page.leaves()) {
            found.add(((ElementLeaf) leaf).element());
        }
        found.sort(Comparator.naturalOrder());
        List<Value> states = found.stream()
                .map(element -> StateLeaves.shortForm(view.state(element)))
                .toList();
        return new Part(Value.sequence(found), new ElementsProof(view.size(), elements.root(), page.proof(), states));
    }

    /** What a live view shows of a part that is asked for; empty when only a certificate's elements have such parts. */
    static Optional<Value> live(CrdtView live, @Nullable ReadPart part) {
        if (part == null) {
            return Optional.of(live.value());
        }
        Value element = part.element();
        return element == null
                ? Optional.empty()
                : live.elements().map(view -> Value.sequence(view.has(element) ? List.of(element) : List.of()));
    }

    // ---- Snapshots ----

    /** The object with a state that a certificate has; empty when no object of the type has it. */
    static Optional<CertifiedObject> of(DataType type, Value state) {
        return type.decode(state)
                .filter(decoded -> decoded.elements().isEmpty())
                .map(decoded -> new CertifiedObject(decoded, StateTree.empty()));
    }

    /** The object with elements that a certificate has; empty when no object of the type has them. */
    static Optional<CertifiedObject> of(DataType type, Collection<SnapshotLeaf.Element> elements) {
        List<Value> pairs = elements.stream()
                .sorted(Comparator.comparing(SnapshotLeaf.Element::element))
                .map(one -> Value.sequence(List.of(one.element(), one.state())))
                .toList();
        return type.decode(Value.sequence(pairs))
                .filter(decoded -> decoded.elements().isPresent())
                .map(decoded -> fresh(type)
                        .next(
                                decoded,
                                elements.stream()
                                        .map(SnapshotLeaf.Element::element)
                                        .toList()));
    }

    boolean hasElements() {
        return state.elements().isPresent();
    }

    StateTree elements() {
        return elements;
    }

    /** What stands for the object in a snapshot, with its elements if they are few. */
    SnapshotLeaf content(ObjectKey name) {
        ElementsView view = state.elements().orElse(null);
        if (view == null) {
            return new SnapshotLeaf.Whole(name.key(), name.type(), state.value());
        }
        List<SnapshotLeaf.Element> inline = state.bytes() > INLINE_BYTES
                ? null
                : contents(elements.page(Hash.ZERO, any -> true).leaves()).stream()
                        .map(SnapshotLeaf.Element.class::cast)
                        .toList();
        return new SnapshotLeaf.OfElements(name.key(), name.type(), view.size(), elements.root(), inline);
    }

    /** What stands for the object without its elements. */
    SnapshotLeaf apart(ObjectKey name) {
        return state.elements()
                .<SnapshotLeaf>map(view ->
                        new SnapshotLeaf.OfElements(name.key(), name.type(), view.size(), elements.root(), null))
                .orElseGet(() -> new SnapshotLeaf.Whole(name.key(), name.type(), state.value()));
    }

    SnapshotLeaf content(ElementLeaf leaf) {
        return new SnapshotLeaf.Element(
                leaf.element(), state.elements().orElseThrow().state(leaf.element()));
    }

    /** About how many bytes that takes. */
    long contentBytes(ObjectKey name) {
        long inline = hasElements() && state.bytes() > INLINE_BYTES ? 0 : state.bytes();
        return CONTENT_BYTES + 3L * name.key().length() + inline;
    }

    List<SnapshotLeaf> contents(List<TreeLeaf> leaves) {
        List<SnapshotLeaf> contents = new ArrayList<>(leaves.size());
        for (TreeLeaf leaf : leaves) {
            contents.add(content((ElementLeaf) leaf));
        }
        return contents;
    }

    /** About how many bytes an element takes there. */
    long bytes(ElementLeaf leaf) {
        return CONTENT_BYTES + state.elements().orElseThrow().bytes(leaf.element());
    }
}
