package org.aspas.certify.wire;

import java.util.Arrays;
import java.util.List;
import org.aspas.certify.identity.Hash;

/**
 * A certificate: content and the signatures of 2b+1 distinct bftservers. Its hash covers the content alone.
 *
 * @param payload the exact bytes that were signed
 * @param signatures in order of replica index, each index once
 */
public record Certificate(CertificateContent content, byte[] payload, List<ReplicaSignature> signatures)
        implements Message {
    public Certificate {
        signatures = List.copyOf(signatures);
    }

    /**
     * One replica's signature.
     *
     * @param signature 64 bytes
     */
    public record ReplicaSignature(int replica, byte[] signature) {
        @Override
        public boolean equals(Object other) {
            return other instanceof ReplicaSignature that
                    && replica == that.replica
                    && Arrays.equals(signature, that.signature);
        }

        @Override
        public int hashCode() {
            return 31 * replica + Arrays.hashCode(signature);
        }
    }

    /** The hash of the content: the certificate's identity. */
    public Hash hash() {
        return Hash.sha256(payload);
    }

    public CertificateNumber number() {
        return content.number();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Certificate that
                && Arrays.equals(payload, that.payload)
                && signatures.equals(that.signatures);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(payload);
    }

    @Override
    public Kind kind() {
        return Kind.CERTIFICATE;
    }
}
