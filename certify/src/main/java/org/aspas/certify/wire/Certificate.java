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
    static final Item<Certificate> ITEM = Item.message(Certificate.class);

    private static final Item<List<ReplicaSignature>> SIGNATURES =
            Item.ascending(ReplicaSignature.ITEM, ReplicaSignature::replica);

    static final Schema<Certificate> SCHEMA = items -> {
        byte[] payload = items.binary(Certificate::payload);
        return new Certificate(
                items.inside(payload, CertificateContent.class, Certificate::content),
                payload,
                items.of(SIGNATURES, Certificate::signatures));
    };

    public Certificate {
        signatures = List.copyOf(signatures);
    }

    /**
     * One replica's signature.
     *
     * @param signature 64 bytes
     */
    public record ReplicaSignature(int replica, byte[] signature) {
        static final Item<ReplicaSignature> ITEM = Item.array(items -> new ReplicaSignature(
                items.index(ReplicaSignature::replica), items.of(Item.SIGNATURE, ReplicaSignature::signature)));

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
}
