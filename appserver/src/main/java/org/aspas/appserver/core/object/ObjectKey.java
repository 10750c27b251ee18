package org.aspas.appserver.core.object;

import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;

/**
 * The name of an object. Two types under one key can only meet when they were created concurrently; then the key has the
 * type that is certified first, and among those certified together the least name. Operations of another type on it have
 * no effect.
 */
public record ObjectKey(String key, String type) {
    /** Names a known type by its own name, so that a million objects do not keep as many copies of it. */
    public ObjectKey {
        type = DataTypes.byName(type).map(DataType::name).orElse(type);
    }
}
