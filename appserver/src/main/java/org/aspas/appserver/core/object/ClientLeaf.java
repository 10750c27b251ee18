package org.aspas.appserver.core.object;

import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreeLeaf;

/**
 * The leaf of a client, with its record.
 *
 * @param whole whether it was loaded from a base that has all of it under one key, as bases of layout 2 have
 */
record ClientLeaf(ClientId client, CertifiedClient record, Hash value, boolean whole) implements TreeLeaf {
    ClientLeaf(ClientId client, CertifiedClient record, Hash value) {
        this(client, record, value, false);
    }

    /** The same, loaded from one key. */
    ClientLeaf loadedWhole() {
        return new ClientLeaf(client, record, value, true);
    }

    @Override
    public Hash path() {
        return StateTree.clientPath(client.toBytes());
    }
}
