package org.aspas.appserver.core.objects;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;

/** One object: its state at the certified version, the updates after it, and the live view. For one thread. */
final class StoredObject {
    CertifiedObject base;
    Crdt live;
    List<DeliveredUpdate> suffix = new ArrayList<>();
    final ArrayDeque<Past> past = new ArrayDeque<>();

    /** Whether a certificate has the object. */
    boolean certified;

    StoredObject(DataType type) {
        this.base = CertifiedObject.fresh(type);
        this.live = type.empty();
    }

    /**
     * A certified state that was replaced.
     *
     * @param until the last certificate with this state
     * @param state the state
     * @param certified whether any certificate up to there had the object
     */
    record Past(CertificateNumber until, CertifiedObject state, boolean certified) {}

    void install(CertifiedObject state) {
        base = state;
        certified = true;
    }

    void forget(VersionVector certified) {
        List<DeliveredUpdate> kept = new ArrayList<>();
        for (DeliveredUpdate update : suffix) {
            if (!certified.covers(update.dot())) {
                kept.add(update);
            }
        }
        suffix = kept;
    }
}
