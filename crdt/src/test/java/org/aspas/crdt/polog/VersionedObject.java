package org.aspas.crdt.polog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.CrdtView;

/**
 * One object as a replica keeps it: the state at a base version, the operations after it, and a live view.
 *
 * <p>The suffix holds every operation delivered after the base version, uncompacted and in delivery order,
 * which is a causal order. The state at a later version is the base with those of them that the version
 * covers. The live view is the base with all of them, kept up to date by each delivery.
 *
 * <p>A version given to any method must dominate the base version and be causally closed; breaking that,
 * or causal exactly-once delivery, is a bug of the caller and raises an exception that names the dots.
 *
 * <p>Mutable; for one thread.
 */
public final class VersionedObject {

    private final Crdt base;
    private VersionVector baseVersion;
    private VersionVector seen;
    private List<Tagged> suffix = new ArrayList<>();
    private Crdt live;

    /**
     * Starts from a state.
     *
     * @param base the state; copied
     * @param baseVersion the version of that state, which is the version of the whole replica and may cover
     *     operations on other objects
     */
    public VersionedObject(CrdtView base, VersionVector baseVersion) {
        this.base = base.copy();
        this.baseVersion = baseVersion;
        this.seen = baseVersion;
        this.live = base.copy();
    }

    /**
     * Delivers the next operation on this object and brings the live view up to date.
     *
     * @throws IllegalStateException if the operation was delivered before or overtook a later one of its
     *     origin
     */
    public void deliver(Tagged operation) {
        if (seen.covers(operation.dot())) {
            throw new IllegalStateException("operation " + operation.dot() + " delivered again or late; seen " + seen);
        }
        seen = seen.with(operation.dot().origin(), operation.dot().sequence());
        suffix.add(operation);
        live.apply(operation);
    }

    /** Returns the live view: the state after everything delivered. It changes with the next delivery. */
    public CrdtView live() {
        return live;
    }

    /** Returns the base state. It changes when the base is advanced. */
    public CrdtView base() {
        return base;
    }

    /** Returns the version of the base state. */
    public VersionVector baseVersion() {
        return baseVersion;
    }

    /** Returns an unmodifiable copy of the operations after the base version, in delivery order. */
    public List<Tagged> suffix() {
        return Collections.unmodifiableList(new ArrayList<>(suffix));
    }

    /**
     * Computes the state at a version.
     *
     * @param version a causally closed version that dominates the base version
     * @return a fresh state, independent of this object
     * @throws IllegalArgumentException if the version does not dominate the base version or is not causally
     *     closed with respect to the suffix
     */
    public Crdt stateAt(VersionVector version) {
        requireClosed(version);
        Crdt state = base.copy();
        applyCovered(state, version);
        return state;
    }

    /**
     * Moves the base forward and forgets the suffix up to there. The live view stays as it is.
     *
     * @param version a causally closed version that dominates the base version
     * @throws IllegalArgumentException as {@link #stateAt} does; nothing has changed then
     */
    public void advanceBase(VersionVector version) {
        requireClosed(version);
        applyCovered(base, version);
        suffix = new ArrayList<>(
                suffix.stream().filter(each -> !version.covers(each.dot())).toList());
        baseVersion = version;
        seen = seen.join(version);
    }

    private void applyCovered(Crdt state, VersionVector version) {
        for (Tagged each : suffix) {
            if (version.covers(each.dot())) {
                state.apply(each);
            }
        }
    }

    private void requireClosed(VersionVector version) {
        if (!version.dominates(baseVersion)) {
            throw new IllegalArgumentException(
                    "version " + version + " does not dominate the base version " + baseVersion);
        }
        for (Tagged each : suffix) {
            if (version.covers(each.dot()) && !version.dominates(each.dependencies())) {
                throw new IllegalArgumentException("version " + version + " is not causally closed: " + each.dot()
                        + " depends on " + each.dependencies());
            }
        }
    }
}
