package org.aspas.appserver.core.objects;

import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreeLeaf;

/**
 * The leaf of a client, with its record.
 *
 * @param client who
 * @param record what is certified of the client
 * @param value what the leaf holds of them
 */
record ClientLeaf(ClientId client, CertifiedClient record, Hash value) implements TreeLeaf {
    @Override
    public Hash path() {
        return StateTree.clientPath(client.toBytes());
    }
}
