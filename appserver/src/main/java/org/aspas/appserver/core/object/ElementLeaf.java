package org.aspas.appserver.core.object;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.TreeLeaf;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.value.Value;

/**
 * The leaf of an element. Its path is computed at each call: kept, it would take as much memory as all the rest.
 *
 * @param value what the leaf holds of the element and its state ({@link StateLeaves#element})
 */
record ElementLeaf(Value element, Hash value) implements TreeLeaf {
    @Override
    public Hash path() {
        return StateLeaves.elementPath(element);
    }

    /** About what the element takes on a page, in bytes. */
    long bytes() {
        if (element instanceof Value.Text text) {
            return text.value().length() * 3L + Hash.LENGTH;
        }
        return (element instanceof Value.Blob blob ? blob.length() : Long.BYTES) + (long) Hash.LENGTH;
    }
}
