package org.aspas.appserver.core.objects;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;
import org.jspecify.annotations.Nullable;

/** One object: its state at the certified version, the updates after it, and the live view. For one thread. */
final class StoredObject {
    Crdt base;
    Crdt live;
    List<Update> suffix = new ArrayList<>();

    /** The digest of the base state; absent while no certificate has the object. */
    @Nullable
    Hash stateDigest;

    StoredObject(DataType type) {
        this.base = type.empty();
        this.live = type.empty();
    }

    boolean certified() {
        return stateDigest != null;
    }

    void forget(VersionVector certified) {
        List<Update> kept = new ArrayList<>();
        for (Update update : suffix) {
            if (!certified.covers(update.dot())) {
                kept.add(update);
            }
        }
        suffix = kept;
    }
}
