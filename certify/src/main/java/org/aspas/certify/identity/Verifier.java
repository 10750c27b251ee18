package org.aspas.certify.identity;

/** Verifies signatures made for one deployment. Thread-safe. */
public final class Verifier {
    private final Hash deployment;
    private final SignatureScheme scheme;
    private final SignatureMeter meter;

    /** A verifier for a deployment, by Ed25519. */
    public Verifier(Hash deployment) {
        this(deployment, Ed25519Choice.ofThisProcess().scheme());
    }

    public Verifier(Hash deployment, SignatureScheme scheme) {
        this(deployment, scheme, SignatureMeter.NONE);
    }

    private Verifier(Hash deployment, SignatureScheme scheme, SignatureMeter meter) {
        this.deployment = deployment;
        this.scheme = scheme;
        this.meter = meter;
    }

    public Verifier metered(SignatureMeter other) {
        return new Verifier(deployment, scheme, other);
    }

    public Hash deployment() {
        return deployment;
    }

    /** Whether the key signed the payload for this use in this deployment; false for any malformed input. */
    public boolean verify(PublicKey key, Domain domain, byte[] payload, byte[] signature) {
        meter.verified(domain);
        return scheme.verify(key, domain.signedText(deployment, payload), signature);
    }
}
