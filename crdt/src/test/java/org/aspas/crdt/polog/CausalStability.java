package org.aspas.crdt.polog;

import java.util.Collection;
import java.util.Iterator;
import org.aspas.crdt.clock.VersionVector;

/**
 * Causal stability (arXiv:1710.04469, definition 5.1): a timestamp is stable at a replica when every
 * operation that the replica delivers later is causally after it.
 *
 * <p>The test is per member: a member issues operations with growing timestamps, so everything still to
 * come from it is after the last timestamp that was delivered from it. What <em>all</em> members' last
 * timestamps cover is therefore stable, and nothing else is known to be.
 *
 * <p>The vector applies to the state in which those last timestamps were taken. Taken over the operations
 * inside a version V, it is a function of V alone, and every operation outside V is after it; this is what
 * advancing an object's base needs. A vector taken later must not
 * be used for the earlier state.
 *
 * <p>A silent member holds stability back for ever; whoever excludes a member leaves it out. Note that
 * the minimum over fewer than all members, such as a quorum, says what those have, and is not stability.
 */
public final class CausalStability {

    private CausalStability() {}

    /**
     * Returns the greatest vector whose operations are all stable.
     *
     * @param lastDelivered for each member the full timestamp of the last operation delivered from it, the
     *     zero vector if there was none; for the replica itself its own current version vector may be used
     * @return the component-wise minimum
     * @throws IllegalArgumentException if there are no members or the sizes differ
     */
    public static VersionVector stable(Collection<VersionVector> lastDelivered) {
        Iterator<VersionVector> members = lastDelivered.iterator();
        if (!members.hasNext()) {
            throw new IllegalArgumentException("causal stability needs at least one member");
        }
        VersionVector low = members.next();
        while (members.hasNext()) {
            low = low.meet(members.next());
        }
        return low;
    }
}
