package org.aspas.certify.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** What makes 2b+1 ACCEPTs a proof: each field that they name, who signed them, and how many there are. */
class ProvenContentVerifierTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {5});
    private static final CertificateNumber NUMBER = new CertificateNumber(3);
    private static final long ATTEMPT = 4;

    private final List<Sealer> sealers = IntStream.range(0, 4)
            .mapToObj(i ->
                    new Sealer(SigningKey.of(Hash.sha256(new byte[] {(byte) i}).toBytes()), DEPLOYMENT))
            .toList();
    private final List<PublicKey> keys = sealers.stream().map(Sealer::publicKey).toList();
    private final ProvenContentVerifier verifier =
            new ProvenContentVerifier(new Quorums(1, 1), keys, new Verifier(DEPLOYMENT));
    private final CertificateContent content = content(1);
    private final byte[] payload = Codec.encode(content);
    private final Hash hash = Hash.sha256(payload);

    private static CertificateContent content(int name) {
        return new CertificateContent(
                DEPLOYMENT,
                NUMBER,
                Hash.ZERO,
                VersionVector.of(name, 0, 0, 0),
                List.of(Hash.ZERO, MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT),
                Hash.ZERO,
                List.of());
    }

    private Signed<Accept> accept(int replica) {
        return accept(replica, NUMBER, ATTEMPT, hash);
    }

    private Signed<Accept> accept(int replica, CertificateNumber number, long attempt, Hash what) {
        return sealers.get(replica).seal(new Accept(replica, number, attempt, what));
    }

    @SafeVarargs
    private boolean valid(Signed<Accept>... accepts) {
        return verifier.wrong(new ProvenContent(content, payload, Arrays.asList(accepts)))
                .isEmpty();
    }

    @Test
    void threeOrMoreOfFourAreAProof() {
        assertThat(valid(accept(0), accept(1), accept(2))).isTrue();
        assertThat(valid(accept(0), accept(2), accept(3))).isTrue();
        assertThat(valid(accept(0), accept(1), accept(2), accept(3))).isTrue();
        assertThat(valid(accept(0), accept(1))).isFalse();
        assertThat(valid()).isFalse();
    }

    /** A liar whose index is the lowest would name the attempt that the proof is taken for. */
    @Test
    void acceptsOfAnotherAttemptProveNothingWhicheverOfThemItIs() {
        for (long other : new long[] {ATTEMPT - 1, ATTEMPT + 1, ATTEMPT + 100}) {
            for (int liar = 0; liar < 3; liar++) {
                int one = liar;
                List<Signed<Accept>> accepts = IntStream.range(0, 3)
                        .mapToObj(replica -> accept(replica, NUMBER, replica == one ? other : ATTEMPT, hash))
                        .toList();
                assertThat(verifier.wrong(new ProvenContent(content, payload, accepts)))
                        .as("%d says %d", one, other)
                        .hasValueSatisfying(wrong -> assertThat(wrong).contains("is of something else"));
            }
        }
    }

    @Test
    void acceptsOfAnotherNumberOrContentProveNothing() {
        assertThat(valid(accept(0), accept(1), accept(2, NUMBER.next(), ATTEMPT, hash)))
                .isFalse();
        Hash other = Hash.sha256(Codec.encode(content(2)));
        assertThat(valid(accept(0), accept(1), accept(2, NUMBER, ATTEMPT, other)))
                .isFalse();
    }

    @Test
    void eachReplicaCountsOnceAndInOrder() {
        assertThat(valid(accept(0), accept(1), accept(1))).isFalse();
        assertThat(valid(accept(1), accept(0), accept(2))).isFalse();
        assertThat(valid(accept(0), accept(1), sealers.get(2).seal(new Accept(4, NUMBER, ATTEMPT, hash))))
                .as("there is no such replica")
                .isFalse();
    }

    @Test
    void eachIsSignedByItsReplicaAsAnAccept() {
        assertThat(valid(accept(0), accept(1), sealers.get(1).seal(new Accept(2, NUMBER, ATTEMPT, hash))))
                .isFalse();
        Signed<Accept> right = accept(2);
        byte[] signature = right.signature();
        signature[3] ^= 1;
        assertThat(valid(accept(0), accept(1), new Signed<>(right.message(), right.payload(), signature)))
                .isFalse();
        byte[] elsewhere =
                SigningKey.of(Hash.sha256(new byte[] {2}).toBytes()).sign(Domain.COMMIT, DEPLOYMENT, right.payload());
        assertThat(valid(accept(0), accept(1), new Signed<>(right.message(), right.payload(), elsewhere)))
                .isFalse();
    }

    @Test
    void noAttemptIsBelowTheFirst() {
        List<Signed<Accept>> accepts = IntStream.range(0, 3)
                .mapToObj(replica -> accept(replica, NUMBER, 0, hash))
                .toList();
        assertThat(verifier.wrong(new ProvenContent(content, payload, accepts))).isPresent();
    }

    @Test
    void thePayloadIsTheContentsEncodingAndTheContentOfThisDeployment() {
        byte[] other = Codec.encode(content(2));
        List<Signed<Accept>> ofOther = Stream.of(0, 1, 2)
                .map(replica -> accept(replica, NUMBER, ATTEMPT, Hash.sha256(other)))
                .toList();
        assertThat(verifier.wrong(new ProvenContent(content, other, ofOther)))
                .contains("the payload is not the content's encoding");
        Verifier stranger = new Verifier(Hash.ZERO);
        List<Signed<Accept>> accepts = List.of(accept(0), accept(1), accept(2));
        assertThat(new ProvenContentVerifier(new Quorums(1, 1), keys, stranger)
                        .wrong(new ProvenContent(content, payload, accepts)))
                .isPresent();
        assertThatThrownBy(() -> new ProvenContentVerifier(new Quorums(1, 1), keys.subList(1, 4), stranger))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
