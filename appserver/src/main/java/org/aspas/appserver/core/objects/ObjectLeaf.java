package org.aspas.appserver.core.objects;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreeLeaf;

/**
 * The leaf of an object, with its certified state: a state tree is also a view of all objects at its certificate. The path is
 * computed at each call.
 *
 * @param name the object
 * @param object its state
 * @param value what the leaf holds of them ({@link CertifiedObject#leaf})
 */
record ObjectLeaf(ObjectKey name, CertifiedObject object, Hash value) implements TreeLeaf {
    /** The leaf of an object. */
    static ObjectLeaf of(ObjectKey name, CertifiedObject object) {
        return new ObjectLeaf(name, object, object.leaf(name));
    }

    @Override
    public Hash path() {
        return StateTree.objectPath(name.key());
    }
}
