package org.aspas.appserver.core.object;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.aspas.appserver.core.state.BaseReader;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * The objects that are in memory: those with anything that is not certified, those that changed lately, and of the others as many as there
 * is room for. What else the state tree has is in the base alone, and comes back when somebody asks for it. For one thread.
 *
 * <p>The key of an object that is in the base alone has no other object.
 */
final class ObjectMemory {
    /** When there is too much, as many of the longest unused objects are looked at, at a time, as may be too many; so many at least. */
    private static final long LEAST_LOOKED_AT = 64;

    private static final long MOST_LOOKED_AT = 4096;
    private static final long USUAL_BYTES = 1024;
    /** When none could go, they are looked at again with the next certificate in the base, or when so many bytes have come. */
    private static final long LOOK_AGAIN_BYTES = 64 << 10;

    /** The longest unused first. */
    private final Map<ObjectKey, StoredObject> objects = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<String, String> types = new HashMap<>();
    private final Supplier<StateTree> tree;
    private final ColdObjects cold;
    private long weight;
    private CertificateNumber noneWentAt = CertificateNumber.NONE;
    private long lookAgainAbove;
    private long coldCount;
    private long broughtBack;

    /** No objects; {@code tree} gives the newest certified state tree. */
    ObjectMemory(BaseReader base, Supplier<StateTree> tree) {
        this.cold = new ColdObjects(base);
        this.tree = tree;
    }

    /** The number of objects, wherever they are. */
    long size() {
        return objects.size() + coldCount;
    }

    void measure(Map<String, Long> gauges) {
        gauges.put("objects", size());
        gauges.put("objects_in_base", coldCount);
        gauges.put("objects_brought_back", broughtBack);
    }

    ColdObjects cold() {
        return cold;
    }

    // ---- Looking for one ----

    /** The object, which is brought into memory if it is not there; null when there is none. */
    @Nullable
    StoredObject find(ObjectKey name) {
        bringBack(name.key());
        return objects.get(name);
    }

    /** The object; a fresh one when there is none. Its type is that of its key when the key has none. */
    StoredObject findOrMake(ObjectKey name) {
        StoredObject found = find(name);
        return found == null ? add(name, new StoredObject(typeOf(name))) : found;
    }

    /** The object if it is in memory, as each is that has anything uncertified; else null. */
    @Nullable
    StoredObject resident(ObjectKey name) {
        return objects.get(name);
    }

    /** The type of the object under a key, certified or not yet; null when there is none. */
    @Nullable
    String type(String key) {
        bringBack(key);
        return types.get(key);
    }

    /** Shows all that are in memory. */
    void forEach(BiConsumer<ObjectKey, StoredObject> visitor) {
        objects.forEach(visitor);
    }

    static DataType typeOf(ObjectKey name) {
        return DataTypes.byName(name.type())
                .orElseThrow(() -> new IllegalStateException("no type " + name.type() + " of " + name.key()));
    }

    private void bringBack(String key) {
        if (coldCount == 0 || types.containsKey(key)) {
            return;
        }
        ObjectLeaf leaf = leaf(key).filter(found -> found.held() == null).orElse(null);
        if (leaf != null) {
            ObjectLeaf.Held held = cold.look(leaf);
            leaf.hold(held);
            rest(coldCount - 1);
            broughtBack++;
            StoredObject object = new StoredObject(typeOf(held.name()));
            object.install(held.object(), CertificateNumber.NONE);
            object.live = held.object().copy();
            add(held.name(), object);
        }
    }

    private Optional<ObjectLeaf> leaf(String key) {
        return tree.get()
                .leaf(StateTree.objectPath(key))
                .filter(ObjectLeaf.class::isInstance)
                .map(ObjectLeaf.class::cast);
    }

    // ---- What changes ----

    private StoredObject add(ObjectKey name, StoredObject object) {
        types.putIfAbsent(name.key(), name.type());
        objects.put(name, object);
        weigh(name, object);
        return object;
    }

    /** The certified state of an object in memory has changed. */
    void weigh(ObjectKey name, StoredObject object) {
        weight -= object.weight;
        object.weight = ColdObjects.weight(name, object.base);
        weight += object.weight;
    }

    private void remove(ObjectKey name) {
        StoredObject gone = objects.remove(name);
        weight -= gone == null ? 0 : gone.weight;
    }

    /** A certificate has the object: the key has its type, and no other object. */
    void settleType(ObjectKey name) {
        types.put(name.key(), name.type());
        for (DataType other : DataTypes.all()) {
            if (!other.name().equals(name.type())) {
                remove(new ObjectKey(name.key(), other.name()));
            }
        }
    }

    /** Forgets an object that has nothing certified, and nothing else any more. */
    void dropIfEmpty(ObjectKey name) {
        StoredObject object = objects.get(name);
        if (object != null && !object.certified && object.suffix().isEmpty()) {
            remove(name);
            types.remove(name.key(), name.type());
            for (DataType other : DataTypes.all()) {
                if (objects.containsKey(new ObjectKey(name.key(), other.name()))) {
                    types.putIfAbsent(name.key(), other.name());
                }
            }
        }
    }

    /** A whole state replaced the certified one. */
    void installed(long inBaseAlone) {
        rest(inBaseAlone);
    }

    private void rest(long inBaseAlone) {
        coldCount = inBaseAlone;
        cold.rest(inBaseAlone);
    }

    /** Leaves to the base what was not used for long, when there is too much here. To be called between two steps. */
    void makeRoom() {
        CertificateNumber held = weight > cold.room() ? cold.holds() : CertificateNumber.NONE;
        if (held.equals(CertificateNumber.NONE) || (held.equals(noneWentAt) && weight <= lookAgainAbove)) {
            return;
        }
        long before = weight;
        long many = (weight - cold.room()) / USUAL_BYTES;
        List<ObjectKey> longestUnused = objects.keySet().stream()
                .limit(Math.max(LEAST_LOOKED_AT, Math.min(many, MOST_LOOKED_AT)))
                .toList();
        for (ObjectKey name : longestUnused) {
            // Who has to stay counts as used by this question.
            StoredObject object = objects.get(name);
            if (object != null && weight > cold.room() && mayGo(name, object, held)) {
                leaf(name.key()).filter(leaf -> leaf.held() != null).ifPresent(leaf -> release(name, leaf));
            }
        }
        noneWentAt = weight < before ? CertificateNumber.NONE : held;
        lookAgainAbove = weight + Math.min(LOOK_AGAIN_BYTES, cold.room() / 8);
    }

    private boolean mayGo(ObjectKey name, StoredObject object, CertificateNumber held) {
        return object.rests()
                && !object.since.isAfter(held)
                && ColdObjects.may(object.base)
                && DataTypes.all().stream()
                        .noneMatch(other -> !other.name().equals(name.type())
                                && objects.containsKey(new ObjectKey(name.key(), other.name())));
    }

    private void release(ObjectKey name, ObjectLeaf leaf) {
        remove(name);
        types.remove(name.key());
        leaf.release();
        rest(coldCount + 1);
    }
}
