package org.aspas.certify.replica;

import static org.aspas.certify.replica.FirstContents.DEPLOYMENT;
import static org.aspas.certify.replica.FirstContents.FIRST;
import static org.aspas.certify.replica.FirstContents.SEALERS;
import static org.aspas.certify.replica.FirstContents.accept;
import static org.aspas.certify.replica.FirstContents.commit;
import static org.aspas.certify.replica.FirstContents.content;
import static org.aspas.certify.replica.FirstContents.hash;
import static org.aspas.certify.replica.FirstContents.proven;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.replica.RecordItem.Taught;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica goes on with the words of others before they are ordered, and with nothing less than 2b+1 of them. */
class EarlyVotesTest {
    private final SignatureCounts counts = new SignatureCounts();
    private final List<Message> ordered = new ArrayList<>();
    private final List<Message> sent = new ArrayList<>();
    private final RecordState record = new RecordState();
    private final CertificateSigner signer = new CertificateSigner(
            0,
            SEALERS.get(0),
            Lab.members(SEALERS, SEALERS, new Verifier(DEPLOYMENT).metered(counts)),
            record,
            Hash.sha256(new byte[] {6}),
            Lab.outlet(
                    item -> {}, command -> ordered.add(Lab.message(command)), frame -> sent.add(Lab.message(frame))));

    @BeforeEach
    void begin() {
        record.apply(new Taught(CertificateNumber.NONE));
    }

    private void decided(int name, long attempt) {
        signer.on(new Outcome.Decided(content(name), Codec.encode(content(name)), attempt, null));
    }

    private List<Kind> said() {
        return ordered.stream().map(Message::kind).toList();
    }

    private List<Kind> told() {
        return sent.stream().map(Message::kind).toList();
    }

    private void committedEarly() {
        decided(1, 2);
        signer.hear(accept(1, 1, 2));
        signer.hear(accept(2, 1, 2));
    }

    @Test
    void itCommitsAtTheThirdAcceptOfFourAndNotAgainWhenTheOrderSaysSo() {
        decided(1, 2);
        signer.hear(accept(1, 1, 2));
        assertThat(said()).containsExactly(Kind.ACCEPT);
        signer.hear(accept(2, 1, 2));
        assertThat(said()).containsExactly(Kind.ACCEPT, Kind.COMMIT);
        assertThat(record.proven(FIRST).map(ProvenContent::attempt)).contains(2L);
        signer.on(new Outcome.Accepted(proven(1, 2)));
        assertThat(said()).as("it was said").containsExactly(Kind.ACCEPT, Kind.COMMIT);
        signer.on(new Outcome.Accepted(proven(1, 2)));
        assertThat(said()).as("it may be lost").containsExactly(Kind.ACCEPT, Kind.COMMIT, Kind.COMMIT);
    }

    @Test
    void itSignsAtTheThirdCommitOfFourAndNotAgainWhenTheOrderSaysSo() {
        committedEarly();
        signer.hear(commit(3, 1, 2));
        assertThat(sent).isEmpty();
        signer.hear(commit(2, 1, 2));
        assertThat(told()).containsExactly(Kind.SHARE);
        signer.on(new Outcome.Accepted(proven(1, 2)));
        signer.on(new Outcome.ReadyToSign(proven(1, 2)));
        assertThat(told()).as("it was sent").containsExactly(Kind.SHARE);
        signer.on(new Outcome.ReadyToSign(proven(1, 2)));
        assertThat(told()).as("it may be lost").containsExactly(Kind.SHARE, Kind.SHARE);
    }

    @Test
    void theQuestionThatItSignedForIsAskedNoMore() {
        signer.on(new Outcome.Ask(new Epoch(1), 1, Hash.ZERO, FIRST, VersionVector.of(1, 0, 0, 0), List.of()));
        committedEarly();
        signer.hear(commit(1, 1, 2));
        signer.hear(commit(2, 1, 2));
        sent.clear();
        signer.greet(frame -> sent.add(Lab.message(frame)));
        assertThat(told()).containsExactly(Kind.SHARE);
    }

    @Test
    void wordsThatComeBeforeItAcceptsCountLater() {
        for (int other = 1; other < 4; other++) {
            signer.hear(accept(other, 1, 2));
            signer.hear(commit(other, 1, 2));
        }
        assertThat(ordered).isEmpty();
        assertThat(sent).as("without a proof it signs nothing").isEmpty();
        decided(1, 2);
        assertThat(said()).containsExactly(Kind.ACCEPT, Kind.COMMIT);
        assertThat(told()).containsExactly(Kind.SHARE);
    }

    @Test
    void commitsThatArriveCountForAProofThatTheOrderGave() {
        signer.on(new Outcome.Accepted(proven(1, 2)));
        signer.hear(commit(1, 1, 2));
        signer.hear(commit(3, 1, 2));
        assertThat(told()).containsExactly(Kind.SHARE);
    }

    @Test
    void onlyWordsOfTheSameContentAndAttemptCount() {
        decided(1, 2);
        signer.hear(accept(1, 2, 2));
        signer.hear(accept(2, 1, 1));
        signer.hear(accept(3, 1, 2));
        assertThat(said()).containsExactly(Kind.ACCEPT);
        signer.hear(accept(2, 1, 2));
        assertThat(said()).containsExactly(Kind.ACCEPT, Kind.COMMIT);
        signer.hear(commit(1, 2, 2));
        signer.hear(commit(2, 1, 1));
        signer.hear(commit(3, 1, 2));
        assertThat(sent).isEmpty();
    }

    @Test
    void oneReplicaCountsOnce() {
        decided(1, 2);
        for (int i = 0; i < 5; i++) {
            signer.hear(accept(1, 1, 2));
        }
        assertThat(said()).containsExactly(Kind.ACCEPT);
        signer.hear(accept(2, 1, 2));
        for (int i = 0; i < 5; i++) {
            signer.hear(commit(1, 1, 2));
        }
        assertThat(sent).isEmpty();
    }

    private long verified() {
        return counts.read().verified().getOrDefault(Domain.ACCEPT, 0L);
    }

    /** With wrong signatures of its own a liar makes the others verify as many as are kept of it, once, and none before they may suffice. */
    @Test
    void aWrongWordIsVerifiedOnceAtMost() {
        decided(1, 2);
        Signed<Accept> right = accept(3, 1, 2);
        for (int name = 5; name < 9; name++) {
            signer.hear(new Signed<>(
                    right.message(), right.payload(), accept(3, name, 2).signature()));
        }
        assertThat(verified()).as("two of three").isZero();
        signer.hear(accept(1, 1, 2));
        assertThat(verified()).as("its own, a right one, four wrong ones").isEqualTo(6);
        for (int attempt = 3; attempt < 9; attempt++) {
            signer.hear(accept(1, 1, attempt));
        }
        assertThat(verified()).isEqualTo(6);
    }

    /** A word that comes again is not a newer one. */
    @Test
    void whoRepeatsItselfPushesOutNoWordOfItsOwn() {
        for (int attempt = 2; attempt < 2 + EarlyVotes.KEPT; attempt++) {
            signer.hear(accept(1, 1, attempt));
        }
        signer.hear(accept(1, 1, 3));
        decided(1, 2);
        signer.hear(accept(2, 1, 2));
        assertThat(said()).containsExactly(Kind.ACCEPT, Kind.COMMIT);
    }

    @Test
    void aWordThatIsNotRightlySignedCountsNothingAndDoesNotStandInTheWay() {
        decided(1, 2);
        Signed<Accept> right = accept(2, 1, 2);
        signer.hear(
                new Signed<>(right.message(), right.payload(), accept(1, 1, 2).signature()));
        signer.hear(accept(1, 1, 2));
        assertThat(said()).containsExactly(Kind.ACCEPT);
        signer.hear(right);
        assertThat(said()).containsExactly(Kind.ACCEPT, Kind.COMMIT);
        Signed<Commit> two = commit(2, 1, 2);
        signer.hear(new Signed<>(two.message(), two.payload(), right.signature()));
        signer.hear(commit(1, 1, 2));
        assertThat(sent).isEmpty();
    }

    @Test
    void theWordsOfOnePushOutNobodyElses() {
        signer.hear(accept(1, 1, 2));
        for (int attempt = 3; attempt < 100; attempt++) {
            signer.hear(accept(3, 1, attempt));
        }
        decided(1, 2);
        signer.hear(accept(2, 1, 2));
        assertThat(said()).containsExactly(Kind.ACCEPT, Kind.COMMIT);
    }

    @Test
    void onlyAFewWordsOfOneAreKept() {
        for (int attempt = 2; attempt < 2 + EarlyVotes.KEPT + 1; attempt++) {
            signer.hear(accept(1, 1, attempt));
        }
        decided(1, 2);
        signer.hear(accept(2, 1, 2));
        assertThat(said()).containsExactly(Kind.ACCEPT);
    }

    @Test
    void aReplicaThatIsNotTaughtGoesOnWithNothing() {
        RecordState empty = new RecordState();
        CertificateSigner untaught = new CertificateSigner(
                0,
                SEALERS.get(0),
                Lab.members(SEALERS, SEALERS, new Verifier(DEPLOYMENT)),
                empty,
                Hash.sha256(new byte[] {7}),
                Lab.outlet(item -> {}, command -> ordered.add(Lab.message(command)), frame -> {}));
        untaught.on(new Outcome.Decided(content(1), Codec.encode(content(1)), 2, null));
        for (int other = 1; other < 4; other++) {
            untaught.hear(accept(other, 1, 2));
        }
        assertThat(ordered).isEmpty();
        assertThat(empty.newest()).isEqualTo(CertificateNumber.NONE);
    }

    /** The order has not heard of the proof by which it signed, and decides by an older one that somebody kept back. */
    @Test
    void whoSignedEarlyShowsItsProofToAnOrderThatDecidesByAnOlderOne() {
        committedEarly();
        signer.hear(commit(1, 1, 2));
        signer.hear(commit(2, 1, 2));
        ordered.clear();
        signer.on(new Outcome.Decided(content(2), Codec.encode(content(2)), 3, proven(2, 1)));
        assertThat(ordered)
                .singleElement()
                .isInstanceOfSatisfying(
                        Recover.class,
                        told -> assertThat(told.proven())
                                .isEqualTo(record.proven(FIRST).orElseThrow()));
        assertThat(signer.refusals()).as("no order is broken").isZero();
        signer.on(new Outcome.Decided(content(2), Codec.encode(content(2)), 5, proven(2, 4)));
        assertThat(signer.refusals()).as("2b+1 accepted another one later").isEqualTo(1);
        assertThat(said()).containsExactly(Kind.RECOVER, Kind.RECOVER);
    }

    /** It was decided without a proof, since nobody has shown the order that there is one. */
    @Test
    void noOrderIsBrokenThatHasNotHeardOfAProof() {
        committedEarly();
        signer.hear(commit(1, 1, 2));
        signer.hear(commit(2, 1, 2));
        ordered.clear();
        decided(2, 3);
        signer.on(new Outcome.Accepted(proven(2, 1)));
        assertThat(said()).containsExactly(Kind.RECOVER);
        assertThat(signer.refusals()).isZero();
        signer.on(new Outcome.ReadyToSign(proven(2, 1)));
        assertThat(signer.refusals()).as("2b+1 committed beside its signature").isEqualTo(1);
    }

    /** What a replica committed to, and lost with its disk, nobody holds. */
    @Test
    void theWordsOfAReplicaThatLostItsRecordCountNoMore() {
        committedEarly();
        signer.hear(commit(2, 1, 2));
        signer.on(new Outcome.Recovered(
                new Recover(2, hash(7), Hash.ZERO, false, Epoch.NONE, CertificateNumber.NONE, 0, null)));
        signer.hear(commit(3, 1, 2));
        assertThat(sent).isEmpty();
        signer.hear(commit(1, 1, 2));
        assertThat(told()).containsExactly(Kind.SHARE);
    }

    @Test
    void anOldNumberThatItSignsLateLeavesTheQuestionOpen() {
        committedEarly();
        signer.on(new Outcome.Ask(new Epoch(2), 1, Hash.ZERO, FIRST.next(), VersionVector.of(1, 0, 0, 0), List.of()));
        signer.hear(commit(1, 1, 2));
        signer.hear(commit(2, 1, 2));
        sent.clear();
        signer.greet(frame -> sent.add(Lab.message(frame)));
        assertThat(told()).containsExactly(Kind.SHARE, Kind.BFTREQSTABLE);
    }

    @Test
    void whatWasVerifiedEarlyIsNotVerifiedAgain() {
        committedEarly();
        Signed<Accept> ordered = accept(1, 1, 2);
        Signed<Accept> unheard = accept(3, 1, 2);
        signer.recall(ordered);
        signer.recall(unheard);
        Verifier refusing = new Verifier(Hash.ZERO);
        assertThat(ordered.verify(refusing, SEALERS.get(1).publicKey(), Domain.ACCEPT))
                .isTrue();
        assertThat(unheard.verify(refusing, SEALERS.get(3).publicKey(), Domain.ACCEPT))
                .isFalse();
    }
}
