package org.aspas.client.core;

import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;

/** The client as servers know it: its id, its signature, and its names for what it asks, which are one sequence. */
public final class Identity {
    private final ClientId id;
    private final Sealer sealer;
    private long lastNonce;

    /**
     * A client.
     *
     * @param sealer signs with the key that is in the id
     * @throws IllegalArgumentException when that is another key
     */
    public Identity(ClientId id, Sealer sealer) {
        if (!id.key().equals(sealer.publicKey())) {
            throw new IllegalArgumentException("the client's id has another key than it signs with");
        }
        this.id = id;
        this.sealer = sealer;
    }

    public ClientId id() {
        return id;
    }

    public <M extends Message> Signed<M> sign(M message) {
        return sealer.seal(message);
    }

    /** A name for a read, an inspection, a question for its standing or a complaint that was never given out. */
    public long nextNonce() {
        return ++lastNonce;
    }

    public boolean used(long nonce) {
        return nonce >= 1 && nonce <= lastNonce;
    }
}
