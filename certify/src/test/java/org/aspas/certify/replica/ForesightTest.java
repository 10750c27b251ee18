package org.aspas.certify.replica;

import static org.aspas.certify.replica.FirstContents.DEPLOYMENT;
import static org.aspas.certify.replica.FirstContents.FIRST;
import static org.aspas.certify.replica.FirstContents.SEALERS;
import static org.aspas.certify.replica.FirstContents.accept;
import static org.aspas.certify.replica.FirstContents.commit;
import static org.aspas.certify.replica.FirstContents.content;
import static org.aspas.certify.replica.FirstContents.decided;
import static org.aspas.certify.replica.FirstContents.hash;
import static org.aspas.certify.replica.FirstContents.proven;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.replica.RecordItem.Taught;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica accepts what will be decided, by the same rules as what is decided, and says nothing twice. */
class ForesightTest {
    /** What left, and what was persisted before. */
    private final List<Message> ordered = new ArrayList<>();

    private final List<Message> sent = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private final RecordState record = new RecordState();
    private final CertificateSigner signer = new CertificateSigner(
            0,
            SEALERS.get(0),
            Lab.members(SEALERS, SEALERS, new Verifier(DEPLOYMENT)),
            record,
            Hash.sha256(new byte[] {6}),
            Lab.outlet(
                    item -> steps.add(item.getClass().getSimpleName()),
                    command -> {
                        ordered.add(Lab.message(command));
                        steps.add(Lab.message(command).kind().name());
                    },
                    frame -> sent.add(Lab.message(frame))));

    @BeforeEach
    void begin() {
        record.apply(new Taught(CertificateNumber.NONE));
    }

    private Outcome ask(CertificateNumber number) {
        return new Outcome.Ask(new Epoch(1), 1, Hash.ZERO, number, VersionVector.of(1, 0, 0, 0), List.of());
    }

    private List<Kind> said() {
        List<Kind> said = ordered.stream().map(Message::kind).toList();
        ordered.clear();
        return said;
    }

    @Test
    void whatIsForeseenIsDurableAndThenAccepted() {
        signer.foresee(decided(1, 1));
        assertThat(steps).containsExactly("AcceptedContent", "ACCEPT");
        signer.foresee(decided(1, 1));
        assertThat(steps).as("once").hasSize(2);
    }

    @Test
    void theOrderTellsItOnceWithoutAnAnswer() {
        signer.foresee(decided(1, 1));
        ordered.clear();
        signer.on(decided(1, 1));
        assertThat(said()).isEmpty();
        signer.on(decided(1, 1));
        assertThat(said()).as("it may be lost").containsExactly(Kind.ACCEPT);
    }

    /** The order refuses a word when nothing is asked for. */
    @Test
    void afterAnotherQuestionItIsSaidAgain() {
        signer.foresee(decided(1, 1));
        signer.hear(accept(1, 1, 1));
        signer.hear(accept(2, 1, 1));
        assertThat(said()).containsExactly(Kind.ACCEPT, Kind.COMMIT);
        signer.on(ask(FIRST));
        signer.on(decided(1, 1));
        signer.on(new Outcome.Accepted(proven(1, 1)));
        assertThat(said()).containsExactly(Kind.ACCEPT, Kind.COMMIT);
    }

    @Test
    void anotherContentOfTheSameAttemptIsAnsweredByTheRecord() {
        signer.foresee(decided(1, 1));
        ordered.clear();
        signer.on(decided(2, 1));
        assertThat(ordered).singleElement().isInstanceOfSatisfying(Recover.class, told -> {
            assertThat(told.number()).isEqualTo(FIRST);
            assertThat(told.attempt()).isEqualTo(1);
        });
        ordered.clear();
        signer.on(decided(2, 2));
        assertThat(said()).as("nobody proved the first one").containsExactly(Kind.ACCEPT);
    }

    @Test
    void theSameContentInALaterAttemptIsAcceptedThere() {
        signer.foresee(decided(1, 1));
        ordered.clear();
        signer.on(decided(1, 2));
        assertThat(ordered)
                .singleElement()
                .isInstanceOfSatisfying(
                        Accept.class, word -> assertThat(word.attempt()).isEqualTo(2));
    }

    @Test
    void nothingIsForeseenInAnAttemptThatIsNotLater() {
        signer.on(decided(1, 2));
        ordered.clear();
        signer.foresee(decided(2, 2));
        signer.foresee(decided(2, 1));
        signer.foresee(decided(1, 1));
        assertThat(said()).isEmpty();
        assertThat(record.accepted(FIRST, 2, decided(1, 2).hash())).isTrue();
    }

    @Test
    void nothingIsForeseenBesideAProof() {
        signer.on(new Outcome.Accepted(proven(1, 1)));
        ordered.clear();
        signer.foresee(decided(2, 5));
        assertThat(said()).isEmpty();
        signer.foresee(decided(1, 5));
        assertThat(said()).containsExactly(Kind.ACCEPT);
    }

    @Test
    void aReplicaThatIsNotTaughtForeseesNothing() {
        List<Message> told = new ArrayList<>();
        CertificateSigner untaught = new CertificateSigner(
                0,
                SEALERS.get(0),
                Lab.members(SEALERS, SEALERS, new Verifier(DEPLOYMENT)),
                new RecordState(),
                Hash.sha256(new byte[] {7}),
                Lab.outlet(item -> {}, command -> told.add(Lab.message(command)), frame -> {}));
        untaught.foresee(decided(1, 1));
        assertThat(told).isEmpty();
    }

    @Test
    void wordsThatArriveSignItWithoutTheOrder() {
        signer.foresee(decided(1, 1));
        for (int other = 1; other < 3; other++) {
            signer.hear(accept(other, 1, 1));
            signer.hear(commit(other, 1, 1));
        }
        assertThat(said()).containsExactly(Kind.ACCEPT, Kind.COMMIT);
        assertThat(sent).extracting(Message::kind).containsExactly(Kind.SHARE);
        signer.on(decided(1, 1));
        signer.on(new Outcome.Accepted(proven(1, 1)));
        signer.on(new Outcome.ReadyToSign(proven(1, 1)));
        assertThat(said()).isEmpty();
        assertThat(sent).hasSize(1);
    }

    @Test
    void itShowsOnlyWhatItProves() {
        assertThat(signer.show(FIRST)).isFalse();
        signer.foresee(decided(1, 1));
        assertThat(signer.show(FIRST)).isFalse();
        signer.on(new Outcome.Accepted(proven(1, 1)));
        ordered.clear();
        assertThat(signer.show(FIRST.next())).isFalse();
        assertThat(said()).isEmpty();
        assertThat(signer.show(FIRST)).isTrue();
        assertThat(ordered)
                .singleElement()
                .isInstanceOfSatisfying(
                        Recover.class,
                        told -> assertThat(told.proven())
                                .isEqualTo(record.proven(FIRST).orElseThrow()));
    }

    @Test
    void whatTheOrderDoesNotDecideIsToldAtTheSecondReminder() {
        signer.remind(CertificateNumber.NONE);
        signer.on(new Outcome.Accepted(proven(1, 1)));
        ordered.clear();
        signer.remind(CertificateNumber.NONE);
        assertThat(said()).as("it may be on its way").isEmpty();
        signer.remind(CertificateNumber.NONE);
        signer.remind(CertificateNumber.NONE);
        assertThat(said()).containsExactly(Kind.RECOVER, Kind.RECOVER);
        signer.remind(FIRST);
        signer.remind(CertificateNumber.NONE);
        assertThat(said()).as("it was decided meanwhile").isEmpty();
    }

    /** It is reminded of each proof by itself. */
    @Test
    void aNewerProofMayBeOnItsWayAgain() {
        signer.on(new Outcome.Accepted(proven(1, 1)));
        signer.remind(CertificateNumber.NONE);
        ProvenContent newer = next();
        signer.on(new Outcome.Accepted(newer));
        ordered.clear();
        signer.remind(CertificateNumber.NONE);
        assertThat(said()).isEmpty();
        signer.remind(CertificateNumber.NONE);
        assertThat(ordered)
                .singleElement()
                .isInstanceOfSatisfying(
                        Recover.class, told -> assertThat(told.proven()).isEqualTo(newer));
    }

    /** What 2b+1 accepted of the number after the first one. */
    private ProvenContent next() {
        CertificateContent first = content(1);
        CertificateContent after = new CertificateContent(
                DEPLOYMENT,
                FIRST.next(),
                decided(1, 1).hash(),
                VersionVector.of(2, 0, 0, 0),
                first.roots(),
                first.state(),
                List.of());
        byte[] payload = Codec.encode(after);
        Hash hash = new Decided(after, payload, 1, null).hash();
        List<Signed<Accept>> accepts = IntStream.range(1, 4)
                .mapToObj(i -> SEALERS.get(i).seal(new Accept(i, FIRST.next(), 1, hash)))
                .toList();
        return new ProvenContent(after, payload, accepts);
    }
}
