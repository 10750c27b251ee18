package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.aspas.appserver.core.state.BaseKeys;
import org.aspas.appserver.core.state.BaseReader;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.type.ElementsView;

/**
 * Brings back objects that are in the base alone. Each is verified: what comes has to be what its leaf stands for. For one thread.
 */
final class ColdObjects {
    /** An object is left to the base only when its state has no more bytes than this: larger ones cost too much to bring back. */
    private static final long MOST_BYTES = 32 << 10;

    /** What an object takes in memory beside its leaf, its name, its elements and its state, in bytes; measured. */
    private static final long OBJECT_BYTES = 350;

    /** What an element takes beside the bytes of its state. */
    private static final long ELEMENT_BYTES = 400;

    /** A read that failed is tried again once: not each that fails is a damage. */
    private static final int TRIES = 2;

    private final BaseReader base;

    ColdObjects(BaseReader base) {
        this.base = base;
    }

    /** The base has not what it was given: the server must end, and finds at its next start that its base is gone. */
    static final class LostException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        LostException(ObjectLeaf leaf) {
            super("the base does not give back the object at " + leaf.path()
                    + " as it was: the base is damaged, or cannot be read");
        }
    }

    /** About how many bytes of memory an object takes that may be left to a base; 0 for others. */
    static long weight(ObjectKey name, CertifiedObject object) {
        long elements = object.state().elements().map(ElementsView::size).orElse(0L);
        return may(object)
                ? OBJECT_BYTES
                        + 2L * name.key().length()
                        + ELEMENT_BYTES * elements
                        + object.state().bytes()
                : 0;
    }

    /** Whether an object may be left to a base. */
    static boolean may(CertifiedObject object) {
        return object.state().bytes() <= MOST_BYTES;
    }

    /** For how many bytes there is room in memory. */
    long room() {
        return base.room();
    }

    /** So many objects are in the base alone now. */
    void rest(long objects) {
        base.rest(objects);
    }

    /** The certificate at which the base has all objects. */
    CertificateNumber holds() {
        return base.holds();
    }

    /**
     * What a leaf stands for, wherever it is. It stays where it is.
     *
     * @throws LostException when the base does not have it
     */
    ObjectLeaf.Held look(ObjectLeaf leaf) {
        ObjectLeaf.Held held = leaf.held();
        return held == null ? look(List.of(leaf)).get(0) : held;
    }

    /**
     * What leaves stand for, in this order. Those that are in the base alone are read in one go.
     *
     * @param leaves some leaves, paths ascending, which lie close together
     * @throws LostException when the base does not have one of them
     */
    List<ObjectLeaf.Held> look(List<ObjectLeaf> leaves) {
        Map<Hash, ObjectLeaf.Held> loaded = load(leaves);
        List<ObjectLeaf.Held> all = new ArrayList<>(leaves.size());
        for (ObjectLeaf leaf : leaves) {
            ObjectLeaf.Held held = leaf.held();
            if (held == null) {
                held = loaded.get(leaf.path());
                if (held == null || !held.value().equals(leaf.value())) {
                    throw new LostException(leaf);
                }
            }
            all.add(held);
        }
        return all;
    }

    private Map<Hash, ObjectLeaf.Held> load(List<ObjectLeaf> leaves) {
        List<Hash> wanted = leaves.stream()
                .filter(leaf -> leaf.held() == null)
                .map(ObjectLeaf::path)
                .toList();
        Map<Hash, ObjectLoading> loading = new HashMap<>();
        boolean read = wanted.isEmpty();
        for (int tried = 0; !read && tried < TRIES; tried++) {
            loading.clear();
            wanted.forEach(path -> loading.put(path, new ObjectLoading()));
            byte[] first = BaseKeys.leaf(wanted.get(0), null);
            read = base.contents(first, BaseKeys.end(wanted.get(wanted.size() - 1)), (key, content) -> {
                ObjectLoading object = BaseKeys.path(key).map(loading::get).orElse(null);
                if (object != null) {
                    object.take(content);
                }
                return true;
            });
        }
        Map<Hash, ObjectLeaf.Held> found = new HashMap<>();
        loading.forEach((path, object) -> object.object().ifPresent(held -> found.put(path, held)));
        return found;
    }
}
