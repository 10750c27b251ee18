package org.aspas.emulab.sim.processor;

import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SignatureScheme;

/** Signs and verifies by another scheme, and counts what that would cost. For one thread. */
public final class CountedSignatures implements SignatureScheme {
    private final SignatureScheme scheme;
    private final Costs costs;
    private long nanos;
    private long signed;
    private long verified;

    CountedSignatures(SignatureScheme scheme, Costs costs) {
        this.scheme = scheme;
        this.costs = costs;
    }

    /** What everything so far has cost. */
    public long nanos() {
        return nanos;
    }

    public long signed() {
        return signed;
    }

    /** How many signatures were verified so far; one that was remembered does not count. */
    public long verified() {
        return verified;
    }

    @Override
    public Signer signer(byte[] seed) {
        Signer signer = scheme.signer(seed);
        return text -> {
            signed++;
            nanos += costs.sign().of(text.length);
            return signer.sign(text);
        };
    }

    @Override
    public boolean verify(PublicKey key, byte[] text, byte[] signature) {
        verified++;
        nanos += costs.verify().of(text.length);
        return scheme.verify(key, text, signature);
    }
}
