package org.aspas.certify.machine;

import java.util.List;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * The cuts of the excluded origins: everywhere a component of an excluded origin is read as the smaller of its value and
 * the cut (the protocol page, docs/protocol.md §8), so that entries that depend on revoked ones stay valid. Immutable.
 *
 * @param exclusions in origin order, each origin once
 */
public record Cuts(List<Exclusion> exclusions) {
    public static final Cuts NONE = new Cuts(List.of());

    public Cuts {
        exclusions = List.copyOf(exclusions);
    }

    public boolean excludes(int origin) {
        return exclusion(origin) != null;
    }

    /** The last sequence number of an origin that counts; the largest number there is when it is not excluded. */
    public long of(int origin) {
        Exclusion found = exclusion(origin);
        return found == null ? Long.MAX_VALUE : found.cut();
    }

    private @Nullable Exclusion exclusion(int origin) {
        for (Exclusion one : exclusions) {
            if (one.origin() == origin) {
                return one;
            }
        }
        return null;
    }

    /**
     * The version as it is read: no component beyond its origin's cut. One that names a later incarnation than the excluded one is no
     * place beyond that cut: it stays as it is, and nobody holds it. Exclusions of unknown origins change nothing.
     */
    public VersionVector clip(VersionVector version) {
        VersionVector clipped = version;
        for (Exclusion one : exclusions) {
            if (one.origin() < version.size()
                    && version.get(one.origin()) > one.cut()
                    && !SequenceNumbers.isLater(version.get(one.origin()))) {
                clipped = clipped.with(one.origin(), one.cut());
            }
        }
        return clipped;
    }

    /** The version with every excluded component at its cut, which all who adopted what is certified hold. */
    public VersionVector fix(VersionVector version) {
        VersionVector fixed = version;
        for (Exclusion one : exclusions) {
            fixed = fixed.with(one.origin(), one.cut());
        }
        return fixed;
    }
}
