package org.aspas.certify.wire;

import java.util.Arrays;
import java.util.Optional;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Verifier;
import org.jspecify.annotations.Nullable;

/**
 * A message with the exact bytes that were signed and the signature over them. Nothing is encoded again to be verified.
 * Immutable; the outcome of a verification is remembered, so that a shell may verify on another thread beforehand.
 */
public final class Signed<M extends Message> {
    private final M message;
    private final byte[] payload;
    private final byte[] signature;
    private volatile @Nullable PublicKey verifiedBy;
    private @Nullable Hash identity;

    /**
     * Puts together what was decoded or just signed.
     *
     * @param payload the signed bytes; not copied, never to be changed
     * @param signature the signature; not copied, never to be changed
     */
    public Signed(M message, byte[] payload, byte[] signature) {
        this.message = message;
        this.payload = payload;
        this.signature = signature;
    }

    public M message() {
        return message;
    }

    /** This, if its message is of a type. */
    @SuppressWarnings("unchecked") // The message is of the type asked for, and this only hands it out.
    public <T extends Message> Optional<Signed<T>> as(Class<T> type) {
        return type.isInstance(message) ? Optional.of((Signed<T>) this) : Optional.empty();
    }

    /** The exact bytes under the signature; not to be changed. */
    public byte[] payload() {
        return payload;
    }

    /** The signature; not to be changed. */
    public byte[] signature() {
        return signature;
    }

    /** The hash of the payload: what the signed message is, whatever its signature. */
    public Hash identity() {
        Hash known = identity;
        if (known == null) {
            known = Hash.sha256(payload);
            identity = known;
        }
        return known;
    }

    /**
     * Whether the key made the signature for this use. A success is remembered for that key alone.
     *
     * @param verifier the deployment's verifier; always the same one for one object
     * @param domain what the signature is for, which follows from the kind of the message; always the same one for one
     *     object
     */
    public boolean verify(Verifier verifier, PublicKey key, Domain domain) {
        PublicKey known = verifiedBy;
        if (known != null && known.equals(key)) {
            return true;
        }
        boolean right = verifier.verify(key, domain, payload, signature);
        if (right) {
            verifiedBy = key;
        }
        return right;
    }

    /**
     * Remembers the success of a verification of an equal one, of which there can be many: payload and signature are the same.
     *
     * @return whether the other one is equal
     */
    public boolean verifiedAs(Signed<M> other) {
        if (!equals(other)) {
            return false;
        }
        PublicKey by = other.verifiedBy;
        if (by != null) {
            verifiedBy = by;
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Signed<?> that
                        && Arrays.equals(payload, that.payload)
                        && Arrays.equals(signature, that.signature));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(payload);
    }

    @Override
    public String toString() {
        return "Signed(" + message + ")";
    }
}
