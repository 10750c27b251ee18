package org.aspas.certify.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.replica.RecordItem.AcceptedContent;
import org.aspas.certify.replica.RecordItem.Locked;
import org.aspas.certify.replica.RecordItem.Taught;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** A replica signs only what its record holds a proof of. */
class SigningTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {5});

    private final Quorums quorums = new Quorums(1, 1);
    private final List<Sealer> sealers = IntStream.range(0, quorums.bftservers())
            .mapToObj(i ->
                    new Sealer(SigningKey.of(Hash.sha256(new byte[] {(byte) i}).toBytes()), DEPLOYMENT))
            .toList();
    private final List<Message> ordered = new ArrayList<>();
    private final List<Message> sent = new ArrayList<>();
    private final RecordState record = new RecordState();
    private final CertificateSigner signer = new CertificateSigner(
            0,
            sealers.get(0),
            Lab.members(sealers, sealers, new Verifier(DEPLOYMENT)),
            record,
            Hash.sha256(new byte[] {6}),
            Lab.outlet(
                    item -> {}, command -> ordered.add(Lab.message(command)), frame -> sent.add(Lab.message(frame))));

    private static CertificateContent content(int name) {
        return new CertificateContent(
                DEPLOYMENT,
                CertificateNumber.FIRST,
                Hash.ZERO,
                VersionVector.of(name, 0, 0, 0),
                List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO),
                Hash.ZERO,
                List.of());
    }

    private ProvenContent proven(int name, long attempt) {
        byte[] payload = Codec.encode(content(name));
        List<Signed<Accept>> accepts = IntStream.range(1, quorums.bftservers())
                .mapToObj(other -> sealers.get(other)
                        .seal(new Accept(other, CertificateNumber.FIRST, attempt, Hash.sha256(payload))))
                .toList();
        return new ProvenContent(content(name), payload, accepts);
    }

    /** It accepted something else later, for which there never was a proof: it signs, and keeps the proof first. */
    @Test
    void whatItSignsIsProvedByItsRecord() {
        record.apply(new Taught(CertificateNumber.NONE));
        record.apply(new AcceptedContent(CertificateNumber.FIRST, 5, Codec.encode(content(2))));
        signer.on(new Outcome.ReadyToSign(proven(1, 3)));
        assertThat(record.share(CertificateNumber.FIRST)).isPresent();
        assertThat(record.proven(CertificateNumber.FIRST)).contains(proven(1, 3));
        assertThat(record.attempt(CertificateNumber.FIRST)).isEqualTo(5);
    }

    /** Only an order that is broken says so: another content was proved later, and that one is never given up. */
    @Test
    void itDoesNotSignBesideALaterProof() {
        record.apply(new Taught(CertificateNumber.NONE));
        record.apply(new Locked(proven(2, 5)));
        signer.on(new Outcome.ReadyToSign(proven(1, 3)));
        assertThat(sent).isEmpty();
        assertThat(record.share(CertificateNumber.FIRST)).isEmpty();
        assertThat(signer.refusals()).isEqualTo(1);
    }

    @Test
    void itCommitsToNoOtherContentOfTheSameAttempt() {
        record.apply(new Taught(CertificateNumber.NONE));
        record.apply(new Locked(proven(2, 3)));
        signer.on(new Outcome.Accepted(proven(1, 3)));
        assertThat(ordered).isEmpty();
        signer.on(new Outcome.Accepted(proven(2, 3)));
        assertThat(ordered).hasSize(1);
    }

    /** It holds the proof of one content from attempt 3, and is asked in attempt 9 to accept another one. */
    @Test
    void itGivesAProofUpForALaterOneOnly() {
        record.apply(new Taught(CertificateNumber.NONE));
        record.apply(new Locked(proven(2, 3)));
        for (ProvenContent shown : Arrays.asList(null, proven(1, 1), proven(1, 2), proven(1, 3), proven(2, 8))) {
            signer.on(new Outcome.Decided(content(1), Codec.encode(content(1)), 9, shown));
        }
        assertThat(ordered)
                .as("what its record holds, each time")
                .hasSize(5)
                .allSatisfy(said -> assertThat(((Recover) said).proven()).isEqualTo(proven(2, 3)));
        assertThat(record.attempt(CertificateNumber.FIRST)).isEqualTo(3);
        ordered.clear();
        signer.on(new Outcome.Decided(content(1), Codec.encode(content(1)), 9, proven(1, 4)));
        assertThat(ordered).singleElement().isInstanceOf(Accept.class);
        assertThat(record.attempt(CertificateNumber.FIRST)).isEqualTo(9);
    }

    /** The same of what it foresees. */
    @Test
    void itForeseesNothingBesideALaterProof() {
        record.apply(new Taught(CertificateNumber.NONE));
        record.apply(new Locked(proven(2, 3)));
        signer.foresee(new Outcome.Decided(content(1), Codec.encode(content(1)), 9, proven(1, 2)));
        assertThat(ordered).isEmpty();
        signer.foresee(new Outcome.Decided(content(1), Codec.encode(content(1)), 9, proven(1, 4)));
        assertThat(ordered).hasSize(1);
    }

    /** No question is open, and an appserver that lost the share asks for nothing. */
    @Test
    void theNewestShareIsRepeatedAfterPausesThatDoubleUpToABound() {
        record.apply(new Taught(CertificateNumber.NONE));
        signer.on(new Outcome.ReadyToSign(proven(1, 1)));
        List<Integer> repeated = new ArrayList<>();
        for (int call = 1; call <= 200; call++) {
            sent.clear();
            signer.askAgain();
            if (!sent.isEmpty()) {
                assertThat(sent).singleElement().isInstanceOf(Share.class);
                repeated.add(call);
            }
        }
        assertThat(repeated).containsExactly(1, 2, 4, 8, 16, 32, 64, 128, 192);
    }
}
