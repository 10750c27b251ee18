package org.aspas.crdt.polog;

import java.util.Optional;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * The redundancy relations that make a data type out of a partially ordered log: R, R0 and R1 of
 * arXiv:1710.04469, figure 10.
 *
 * <p>Implementations are stateless and safe for use by several threads. They see only operations that the
 * data type has checked.
 */
public interface Redundancy {

    /**
     * Returns whether an arriving operation is itself redundant (relation R): it acts on the stored
     * operations but is not stored.
     */
    boolean redundant(Operation arriving);

    /**
     * Returns whether an arriving operation makes a stored one redundant: relation R0 if the arriving
     * operation is itself redundant, R1 if it is stored.
     *
     * @param stored an operation of the log or of its stable part, in a part that the arriving one touches
     * @param storedObserved whether the stored operation is in the arriving one's causal past; always true
     *     for the stable part
     */
    boolean makesRedundant(Operation arriving, Operation stored, boolean storedObserved);

    /**
     * Returns the part of the log that an operation belongs to and touches, such as the element of a set.
     * Empty means that it touches every part but makes only operations redundant that it has observed. A
     * stored operation always has a part. Parts keep the cost of a delivery independent of the size of the
     * object.
     */
    Optional<Value> part(Operation operation);
}
