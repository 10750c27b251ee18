package org.aspas.certify.identity;

/** Verifies signatures made for one deployment. Thread-safe. */
public final class Verifier {
    private final Hash deployment;
    private final SignatureScheme scheme;

    /**
     * A verifier for a deployment, by Ed25519.
     *
     * @param deployment the deployment id under every signature
     */
    public Verifier(Hash deployment) {
        this(deployment, Ed25519Choice.ofThisProcess().scheme());
    }

    /** A verifier by another scheme. */
    public Verifier(Hash deployment, SignatureScheme scheme) {
        this.deployment = deployment;
        this.scheme = scheme;
    }

    /** The deployment this verifier is for. */
    public Hash deployment() {
        return deployment;
    }

    /** Whether the key signed the payload for this use in this deployment; false for any malformed input. */
    public boolean verify(PublicKey key, Domain domain, byte[] payload, byte[] signature) {
        return scheme.verify(key, domain.signedText(deployment, payload), signature);
    }
}
