package org.aspas.appserver.core.object;

import java.util.List;
import java.util.Optional;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.CrdtView;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * What one update does to its object. The live view, the next certificate and the recomputation of an answer all ask here,
 * so that they cannot differ. Three rules decide (docs/formats.md, §6, §7):
 *
 * <ol>
 *   <li>Type: an update is {@link #valid} if it names the type of its key and a well-formed operation of that type. Any other
 *       update has no effect.
 *   <li>Number: of all entries with one request number of a client, one counts. That entry has the effect. An entry with the
 *       same content is another name (an alias) of this effect. An entry with another content has no effect.
 *   <li>Size: if the certified state of the object is full, an operation that makes objects grow has no effect.
 * </ol>
 *
 * The three differ only in what they know: the type of a key, and which entry counts for a number.
 *
 * @param update the update, which is valid
 * @param known the entry of which this one is another name; absent for the entry that counts
 */
record UpdateEffect(DeliveredUpdate update, @Nullable Dot known) {
    /** Whether an update of an object of this type is one that may have an effect. */
    static boolean valid(Request request, String type) {
        return request.type().equals(type)
                && DataTypes.byName(type)
                        .filter(known -> known.check(request.operation()).isEmpty())
                        .isPresent();
    }

    /**
     * The effect of a valid update, if it has any.
     *
     * @param counting the entry that counts for the update's number
     * @param certified the object in the certified state that the update comes after
     */
    static Optional<UpdateEffect> of(DeliveredUpdate update, Counted counting, CrdtView certified) {
        if (counting.dot().equals(update.dot())) {
            return fits(update.request(), certified) ? Optional.of(new UpdateEffect(update, null)) : Optional.empty();
        }
        return counting.identity().equals(update.identity())
                ? Optional.of(new UpdateEffect(update, counting.dot()))
                : Optional.empty();
    }

    private static boolean fits(Request request, CrdtView certified) {
        return !certified.type().grows(request.operation())
                || certified.bytes(request.operation()) < ObjectStore.FULL_BYTES;
    }

    /** Brings the effect about, and returns the elements that may have changed. */
    List<Value> on(Crdt object) {
        return known == null
                ? object.apply(update.tagged())
                : object.alias(update.request().operation(), known, update.dot());
    }
}
