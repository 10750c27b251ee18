package org.aspas.certify.identity;

/** Verifies signatures made for one deployment. Thread-safe. */
public final class Verifier {
    private final Hash deployment;
    private final Ed25519 scheme;

    /**
     * A verifier for a deployment.
     *
     * @param deployment the deployment id under every signature
     */
    public Verifier(Hash deployment) {
        this(deployment, Ed25519.BOUNCY_CASTLE);
    }

    /** A verifier with another implementation of Ed25519. */
    public Verifier(Hash deployment, Ed25519 scheme) {
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
