package org.aspas.certify.wire;

import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;

/** Encodes and signs messages with one key for one deployment. Thread-safe. */
public final class Sealer {
    private final SigningKey key;
    private final Hash deployment;

    public Sealer(SigningKey key, Hash deployment) {
        this.key = key;
        this.deployment = deployment;
    }

    public PublicKey publicKey() {
        return key.publicKey();
    }

    public Hash deployment() {
        return deployment;
    }

    /**
     * The message with its bytes and a signature over them.
     *
     * @throws IllegalArgumentException for a kind of message that nobody signs
     */
    public <M extends Message> Signed<M> seal(M message) {
        byte[] payload = Codec.encode(message);
        return new Signed<>(message, payload, key.sign(domainOf(message), deployment, payload));
    }

    /**
     * What the signature of a message of this kind is for.
     *
     * @throws IllegalArgumentException for a kind of message that nobody signs
     */
    public static Domain domainOf(Message message) {
        return message.kind()
                .domain()
                .orElseThrow(() -> new IllegalArgumentException("nobody signs " + message.kind()));
    }
}
