package org.aspas.appserver.core.object;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.SnapshotLeaves;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** Puts one object together from the leaves that a base kept of it: the object, then its elements. For one thread. */
final class ObjectLoading {
    private final Map<Value, SnapshotLeaf.Element> elements = new TreeMap<>();
    private @Nullable SnapshotLeaf first;
    private boolean wrong;

    /** Takes the next leaf as a base keeps it; what is none makes that there is no object. */
    void take(byte[] content) {
        wrong |= SnapshotLeaves.decode(content).accepted().filter(this::take).isEmpty();
    }

    /** Takes the next leaf; whether it can be one of the object. */
    boolean take(SnapshotLeaf leaf) {
        if (leaf instanceof SnapshotLeaf.Element element) {
            elements.put(element.element(), element);
            return first instanceof SnapshotLeaf.OfElements;
        }
        boolean begins = first == null;
        first = leaf;
        return begins && !(leaf instanceof SnapshotLeaf.OfClient);
    }

    /** The object of which all leaves were taken; empty when there is no such object. */
    Optional<ObjectLeaf.Held> object() {
        if (!wrong && first instanceof SnapshotLeaf.OfElements object) {
            return DataTypes.byName(object.type())
                    .flatMap(type -> CertifiedObject.of(type, elements.values()))
                    .map(built -> new ObjectLeaf.Held(new ObjectKey(object.key(), object.type()), built));
        }
        if (!wrong && first instanceof SnapshotLeaf.Whole object) {
            return DataTypes.byName(object.type())
                    .flatMap(type -> CertifiedObject.of(type, object.state()))
                    .map(built -> new ObjectLeaf.Held(new ObjectKey(object.key(), object.type()), built));
        }
        return Optional.empty();
    }
}
