package org.aspas.certify.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Certificate.ReplicaSignature;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** Certificates: assembled from shares, verified, chained; and everything that must be refused. */
class CertificateTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {9});

    private final List<Sealer> replicas = IntStream.range(0, 4)
            .mapToObj(i -> new Sealer(
                    SigningKey.of(Hash.sha256(new byte[] {2, (byte) i}).toBytes()), DEPLOYMENT))
            .toList();
    private final CertificateVerifier verifier = new CertificateVerifier(
            new Quorums(1, 1), replicas.stream().map(Sealer::publicKey).toList(), new Verifier(DEPLOYMENT));
    private final CertificateAssembler assembler = new CertificateAssembler(verifier);

    private static CertificateContent content(long number, Hash previous, long... version) {
        List<Hash> roots = new ArrayList<>();
        for (int i = 0; i < version.length; i++) {
            roots.add(Hash.sha256(new byte[] {(byte) i, (byte) version[i]}));
        }
        return new CertificateContent(
                DEPLOYMENT,
                new CertificateNumber(number),
                previous,
                VersionVector.of(version),
                roots,
                Hash.ZERO,
                List.of());
    }

    private Share share(int replica, CertificateContent content) {
        return new Share(replica, replicas.get(replica).seal(content));
    }

    private Certificate certificate(CertificateContent content, int... signers) {
        List<ReplicaSignature> signatures = new ArrayList<>();
        for (int signer : signers) {
            signatures.add(new ReplicaSignature(
                    signer, replicas.get(signer).seal(content).signature()));
        }
        return new Certificate(content, Codec.encode(content), signatures);
    }

    private final CertificateContent first = content(1, Hash.ZERO, 1, 2, 3, 4);

    @Test
    void aQuorumOfSharesMakesOneValidCertificate() {
        assertThat(assembler.add(share(2, first))).isEmpty();
        assertThat(assembler.add(share(2, first))).isEmpty();
        assertThat(assembler.add(share(0, first))).isEmpty();
        Certificate made = assembler.add(share(3, first)).orElseThrow();
        assertThat(verifier.verify(made)).isEmpty();
        assertThat(made).isEqualTo(certificate(first, 0, 2, 3));
        assertThat(assembler.add(share(1, first))).isEmpty();
        assembler.adopted(CertificateNumber.FIRST);
        assertThat(assembler.add(share(1, first))).isEmpty();
    }

    @Test
    void aShareUnderAnotherNameOrOfAnotherContentDoesNotCount() {
        assembler.add(share(0, first));
        assembler.add(new Share(1, replicas.get(0).seal(first)));
        assembler.add(new Share(-1, replicas.get(0).seal(first)));
        assembler.add(share(3, content(1, Hash.ZERO, 1, 2, 3, 5)));
        assertThat(assembler.add(share(3, first))).isEmpty();
        assertThat(assembler.add(share(1, first))).isEmpty();
        assertThat(assembler.add(share(2, first))).isPresent();
    }

    @Test
    void sharesFarAheadAreNotKept() {
        CertificateContent far = content(CertificateAssembler.WINDOW + 1, DEPLOYMENT, 1, 2, 3, 4);
        for (int replica = 0; replica < 4; replica++) {
            assertThat(assembler.add(share(replica, far))).isEmpty();
        }
        assembler.adopted(CertificateNumber.FIRST);
        assembler.add(share(0, far));
        assembler.add(share(1, far));
        assertThat(assembler.add(share(2, far))).isPresent();
    }

    @Test
    void refusesWhatIsNotSignedByAQuorumOfDistinctReplicas() {
        assertThat(verifier.verify(certificate(first, 0, 1, 2))).isEmpty();
        assertThat(verifier.verify(certificate(first, 0, 1, 2, 3))).isEmpty();
        assertThat(verifier.verify(certificate(first, 0, 1))).isPresent();
        assertThat(verifier.verify(certificate(first, 0, 1, 1))).isPresent();
        assertThat(verifier.verify(certificate(first, 1, 0, 2))).isPresent();
        Certificate good = certificate(first, 0, 1, 2);
        Certificate moved = new Certificate(
                first,
                good.payload(),
                List.of(
                        good.signatures().get(0),
                        good.signatures().get(1),
                        new ReplicaSignature(3, good.signatures().get(2).signature())));
        assertThat(verifier.verify(moved)).isPresent();
    }

    @Test
    void refusesAContentThatIsNotThePayloadOrDoesNotFit() {
        CertificateContent other = content(1, Hash.ZERO, 1, 2, 3, 5);
        Certificate good = certificate(first, 0, 1, 2);
        assertThat(verifier.verify(new Certificate(other, good.payload(), good.signatures())))
                .isPresent();
        assertThat(verifier.verify(certificate(content(1, Hash.ZERO, 1, 2, 3), 0, 1, 2)))
                .isPresent();
        assertThat(verifier.verify(certificate(content(1, DEPLOYMENT, 1, 2, 3, 4), 0, 1, 2)))
                .isPresent();
        CertificateContent elsewhere = new CertificateContent(
                Hash.ZERO, CertificateNumber.FIRST, Hash.ZERO, first.version(), first.roots(), Hash.ZERO, List.of());
        assertThat(verifier.verify(certificate(elsewhere, 0, 1, 2))).isPresent();
    }

    @Test
    void aCertificateFollowsOnlyItsPredecessor() {
        Certificate one = certificate(first, 0, 1, 2);
        assertThat(wrong(one, content(2, one.hash(), 1, 2, 3, 5))).isEmpty();
        assertThat(wrong(one, content(3, one.hash(), 1, 2, 3, 5))).contains(CertificateChain.Break.NUMBER);
        assertThat(wrong(one, content(2, Hash.ZERO, 1, 2, 3, 5))).contains(CertificateChain.Break.PREVIOUS);
        assertThat(wrong(one, content(2, one.hash(), 0, 2, 3, 5))).contains(CertificateChain.Break.VERSION_BACK);
        CertificateContent next = content(2, one.hash(), 1, 2, 3, 5);
        List<Hash> roots = new ArrayList<>(next.roots());
        roots.set(0, Hash.ZERO);
        CertificateContent forked = new CertificateContent(
                DEPLOYMENT, new CertificateNumber(2), one.hash(), next.version(), roots, Hash.ZERO, List.of());
        assertThat(wrong(one, forked)).contains(CertificateChain.Break.ROOT_CHANGED);
    }

    private Optional<CertificateChain.Break> wrong(Certificate previous, CertificateContent next) {
        return CertificateChain.wrong(previous, certificate(next, 1, 2, 3));
    }

    private CertificateContent excluding(CertificateContent content, Exclusion... exclusions) {
        return new CertificateContent(
                content.deployment(),
                content.number(),
                content.previous(),
                content.version(),
                content.roots(),
                content.state(),
                List.of(exclusions));
    }

    /** Right after it, and any number of certificates later. */
    @Test
    void anExclusionIsNeitherLiftedNorChanged() {
        Exclusion one = new Exclusion(1, 2, Hash.ZERO);
        Certificate before = certificate(excluding(first, one), 0, 1, 2);
        for (long number : new long[] {2, 9}) {
            CertificateContent content = content(number, before.hash(), 1, 2, 3, 5);
            Certificate kept = certificate(excluding(content, one, new Exclusion(3, 4, Hash.ZERO)), 0, 1, 2);
            Certificate lifted = certificate(content, 0, 1, 2);
            Certificate changed = certificate(excluding(content, new Exclusion(1, 1, Hash.ZERO)), 0, 1, 2);
            assertThat(CertificateChain.wrongLater(before, kept)).isEmpty();
            assertThat(CertificateChain.wrongLater(before, lifted)).contains(CertificateChain.Break.EXCLUSION_CHANGED);
            assertThat(CertificateChain.wrongLater(before, changed)).contains(CertificateChain.Break.EXCLUSION_CHANGED);
            if (number == 2) {
                assertThat(CertificateChain.wrong(before, kept)).isEmpty();
                assertThat(CertificateChain.wrong(before, lifted)).contains(CertificateChain.Break.EXCLUSION_CHANGED);
            }
        }
    }
}
