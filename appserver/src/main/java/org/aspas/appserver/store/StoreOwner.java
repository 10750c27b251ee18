package org.aspas.appserver.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;

/**
 * Whose store it is: one key of one appserver. Immutable.
 *
 * @param key its public key; under another key it is another store
 */
public record StoreOwner(Hash deployment, NodeId server, PublicKey key) {
    private static final byte[] NAME = "aspas-appserver-store\n".getBytes(StandardCharsets.US_ASCII);

    /** The hash by which the journal knows its owner. */
    Hash journal() {
        return Hash.sha256(NAME, deployment.toBytes(), index(), key.toBytes());
    }

    byte[] index() {
        return ByteBuffer.allocate(Integer.BYTES).putInt(server.index()).array();
    }

    /** The hash that names the key where the key itself is not needed. */
    Hash keyHash() {
        return Hash.sha256(key.toBytes());
    }
}
