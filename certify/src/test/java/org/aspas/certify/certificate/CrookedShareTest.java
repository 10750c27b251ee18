package org.aspas.certify.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.aspas.certify.identity.CrookedSignatures;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Certificate.ReplicaSignature;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lying bftserver puts a point of small order into its signature, which some libraries accept and others refuse. */
class CrookedShareTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {9});
    private static final int LIAR = 0;

    private final CertificateContent content = new CertificateContent(
            DEPLOYMENT,
            CertificateNumber.FIRST,
            Hash.ZERO,
            VersionVector.of(1, 2, 3, 4),
            roots(),
            Hash.ZERO,
            List.of());
    private final List<Sealer> replicas = IntStream.range(0, 4)
            .mapToObj(i -> new Sealer(SigningKey.of(seed(i)), DEPLOYMENT))
            .toList();
    private CertificateVerifier verifier;
    private CertificateAssembler assembler;

    @BeforeEach
    void aFreshAssembler() {
        verifier = new CertificateVerifier(
                new Quorums(1, 1), replicas.stream().map(Sealer::publicKey).toList(), new Verifier(DEPLOYMENT));
        assembler = new CertificateAssembler(verifier);
    }

    private static byte[] seed(int replica) {
        return Hash.sha256(new byte[] {2, (byte) replica}).toBytes();
    }

    private static List<Hash> roots() {
        return IntStream.range(0, 4)
                .mapToObj(i -> Hash.sha256(new byte[] {(byte) i}))
                .toList();
    }

    private Signed<CertificateContent> byTheLiar(int order) {
        byte[] payload = Codec.encode(content);
        byte[] signature = CrookedSignatures.sign(seed(LIAR), Domain.CERTIFICATE, DEPLOYMENT, payload, order);
        return new Signed<>(content, payload, signature);
    }

    private Share honest(int replica) {
        return new Share(replica, replicas.get(replica).seal(content));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void aCrookedShareEntersNoCertificateAndKeepsNoneFromForming(int order) {
        assertThat(assembler.add(new Share(LIAR, byTheLiar(order)))).isEmpty();
        assertThat(assembler.add(honest(1))).isEmpty();
        assertThat(assembler.add(honest(2))).isEmpty();
        assertThat(assembler.add(new Share(LIAR, byTheLiar(order)))).isEmpty();
        Certificate made = assembler.add(honest(3)).orElseThrow();
        assertThat(made.signatures().stream().map(ReplicaSignature::replica)).containsExactly(1, 2, 3);
        assertThat(verifier.verify(made)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void aCertificateWithACrookedSignatureIsRefused(int order) {
        List<ReplicaSignature> signatures = new ArrayList<>();
        signatures.add(new ReplicaSignature(LIAR, byTheLiar(order).signature()));
        signatures.add(new ReplicaSignature(1, honest(1).content().signature()));
        signatures.add(new ReplicaSignature(2, honest(2).content().signature()));
        signatures.add(new ReplicaSignature(3, honest(3).content().signature()));
        assertThat(verifier.verify(new Certificate(content, Codec.encode(content), signatures)))
                .isPresent();
    }

    /** The liar's share is crooked in its R alone: with an honest R the same hand makes a share that counts. */
    @ParameterizedTest
    @ValueSource(ints = 1)
    void anHonestShareByTheSameHandCounts(int order) {
        assembler.add(new Share(LIAR, byTheLiar(order)));
        assembler.add(honest(1));
        assertThat(assembler.add(honest(2))).isPresent();
    }
}
