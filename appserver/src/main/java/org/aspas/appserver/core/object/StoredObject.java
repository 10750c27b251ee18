package org.aspas.appserver.core.object;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;
import org.jspecify.annotations.Nullable;

/**
 * One object: its state at the certified version, the updates after it, and the live view. Most objects have no updates and no
 * states that are remembered, and keep nothing for them. For one thread.
 */
final class StoredObject {
    CertifiedObject base;
    Crdt live;
    private List<DeliveredUpdate> suffix = List.of();
    private @Nullable ArrayDeque<Past> past;

    /** Whether a certificate has the object. */
    boolean certified;

    /** The certificate with which the certified state came, or a later one. */
    CertificateNumber since = CertificateNumber.NONE;

    /** What the object counts among all that are in memory. */
    long weight;

    StoredObject(DataType type) {
        this.base = CertifiedObject.fresh(type);
        this.live = type.empty();
    }

    /**
     * A certified state that was replaced.
     *
     * @param until the last certificate with this state
     * @param certified whether any certificate up to there had the object
     */
    record Past(CertificateNumber until, CertifiedObject state, boolean certified) {}

    void install(CertifiedObject state, CertificateNumber number) {
        base = state;
        certified = true;
        since = number;
    }

    /** Whether the object is at its certified state, and nobody is told of an earlier one. */
    boolean rests() {
        return certified && suffix.isEmpty() && past == null;
    }

    // ---- The updates after the certified version ----

    /** The updates that were delivered after the certified state, in the order of their delivery. */
    List<DeliveredUpdate> suffix() {
        return Collections.unmodifiableList(suffix);
    }

    void deliver(DeliveredUpdate update) {
        if (suffix.isEmpty()) {
            suffix = new ArrayList<>(1);
        }
        suffix.add(update);
    }

    /** Takes updates out; whether there were any. */
    boolean revoke(Predicate<DeliveredUpdate> gone) {
        boolean some = !suffix.isEmpty() && suffix.removeIf(gone);
        if (suffix.isEmpty()) {
            suffix = List.of();
        }
        return some;
    }

    /** Forgets the updates that are certified. Without others, the live view is the certified state, and shares all with it. */
    void forget(VersionVector certified) {
        revoke(update -> certified.covers(update.dot()));
        if (suffix.isEmpty()) {
            live = base.copy();
        }
    }

    // ---- The states before ----

    /** Remembers the certified state, which is about to be replaced. */
    void remember(CertificateNumber until) {
        ArrayDeque<Past> kept = past;
        if (kept == null) {
            kept = new ArrayDeque<>(1);
            past = kept;
        }
        kept.addLast(new Past(until, base, certified));
    }

    /** The states that are remembered, the oldest first. */
    Iterable<Past> past() {
        return past == null ? List.of() : past;
    }

    /** The state at a certificate whose states are remembered; empty when the object did not exist there. */
    Optional<CertifiedObject> at(CertificateNumber number) {
        for (Past state : past()) {
            if (!number.isAfter(state.until())) {
                return state.certified() ? Optional.of(state.state()) : Optional.empty();
            }
        }
        return certified ? Optional.of(base) : Optional.empty();
    }

    void forgetOldest() {
        if (past != null) {
            past.pollFirst();
            past = past.isEmpty() ? null : past;
        }
    }

    void forgetPast() {
        past = null;
    }
}
