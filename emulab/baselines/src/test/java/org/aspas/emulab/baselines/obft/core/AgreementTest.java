package org.aspas.emulab.baselines.obft.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.obft.core.Agreement.AgreementTexts;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Enter;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Proof;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Proposal;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Report;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Step;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Vote;
import org.junit.jupiter.api.Test;

/** One replica's part in the agreement, message by message: what it votes for, and what it refuses. */
class AgreementTest {
    private static final int REPLICAS = 4;
    private static final VersionVector BASE = VersionVector.zero(REPLICAS);

    private final List<ObftKeys> keys =
            ObftKeys.deal(REPLICAS, new byte[32], Ed25519Choice.ofThisProcess().scheme());
    private final ObftOutbox out = new ObftOutbox(3, REPLICAS, keys.get(3));

    /** That of replica 3; replica 0 leads round 0 of epoch 0, replica 1 leads round 1. */
    private final Agreement agreement = new Agreement(settings(3), keys.get(3), 0, BASE);

    private static ObftSettings settings(int self) {
        return new ObftSettings(self, 1, 100, 2, 4, 100);
    }

    private AgreementTexts texts(int replica) {
        return new AgreementTexts(settings(replica), keys.get(replica));
    }

    /** A log of so many operations of replica 0. */
    private static EpochLog log(int operations) {
        EpochLog log = new EpochLog(BASE, 100);
        for (int sequence = 0; sequence < operations; sequence++) {
            log.offer(ObftCodec.operation(
                    0,
                    0,
                    VersionVector.of(sequence, 0, 0, 0),
                    "k",
                    "pn-counter",
                    Operation.of("increment", Value.of(1))));
        }
        return log;
    }

    private List<Report> reports(int operations, int... replicas) {
        List<Report> reports = new ArrayList<>();
        for (int replica : replicas) {
            reports.add(texts(replica).report(0, log(operations)));
        }
        return reports;
    }

    private AgreedSet set(int operations) {
        return AgreedSet.of(0, BASE, List.of(log(operations).chains()), 1);
    }

    private Proof proof(Step step, int round, AgreedSet set, int... voters) {
        java.util.Map<Integer, byte[]> signatures = new java.util.TreeMap<>();
        for (int voter : voters) {
            signatures.put(voter, texts(voter).vote(step, 0, round, set).signature());
        }
        return new Proof(step, round, set, signatures);
    }

    /** What the replica has said since the last time, to replica 0. */
    private List<ObftMessage> said() {
        ObftCodec codec = new ObftCodec(REPLICAS, 1000);
        return out.drain().stream()
                .filter(effect -> effect instanceof Effect.ToReplica to && to.replica() == 0)
                .map(effect -> codec.unsealed(((Effect.ToReplica) effect).frame())
                        .accepted()
                        .orElseThrow())
                .toList();
    }

    private List<Vote> votes() {
        return said().stream()
                .filter(Vote.class::isInstance)
                .map(Vote.class::cast)
                .toList();
    }

    private void timeIsOver(int rounds) {
        for (int tick = 0; tick < rounds; tick++) {
            agreement.tick(out);
        }
    }

    /** Prepares and locks a set of so many operations in round 0. */
    private void lock(int operations) {
        agreement.start(log(operations), REPLICAS, out);
        agreement.onProposal(0, new Proposal(0, 0, reports(operations, 0, 1, 2), null), out);
        agreement.onVote(0, texts(0).vote(Step.PREPARE, 0, 0, set(operations)), out);
        agreement.onVote(1, texts(1).vote(Step.PREPARE, 0, 0, set(operations)), out);
        assertThat(votes()).extracting(Vote::step).containsExactly(Step.PREPARE, Step.COMMIT);
    }

    @Test
    void aSetThatAQuorumCommitsIsDecided() {
        lock(5);
        agreement.onVote(0, texts(0).vote(Step.COMMIT, 0, 0, set(5)), out);
        assertThat(agreement.decision()).isEmpty();
        agreement.onVote(0, texts(0).vote(Step.COMMIT, 0, 0, set(5)), out);
        assertThat(agreement.decision()).as("one voter twice").isEmpty();
        agreement.onVote(2, texts(2).vote(Step.COMMIT, 0, 0, set(5)), out);
        assertThat(agreement.decision().map(Proof::set)).contains(set(5));
    }

    @Test
    void aLockedReplicaRefusesAnotherSet() {
        lock(5);
        timeIsOver(4);
        agreement.onProposal(1, new Proposal(0, 1, reports(2, 0, 1, 2), null), out);
        assertThat(votes()).isEmpty();
    }

    @Test
    void aLockedReplicaPreparesItsSetAgain() {
        lock(5);
        timeIsOver(4);
        agreement.onProposal(1, new Proposal(0, 1, reports(5, 0, 1, 2), null), out);
        assertThat(votes()).extracting(Vote::step).containsExactly(Step.PREPARE);
    }

    @Test
    void onlyALaterLockReplacesOne() {
        lock(5);
        timeIsOver(4 + 8);
        said();
        agreement.onProposal(2, new Proposal(0, 2, List.of(), proof(Step.PREPARE, 0, set(2), 0, 1, 2)), out);
        assertThat(votes()).as("as old as its own").isEmpty();
        timeIsOver(12 + 16);
        agreement.onProposal(0, new Proposal(0, 4, List.of(), proof(Step.PREPARE, 1, set(2), 0, 1, 2)), out);
        assertThat(votes()).as("newer than its own").hasSize(1);
    }

    @Test
    void aLockThatNoQuorumSignedIsNone() {
        agreement.start(log(5), REPLICAS, out);
        timeIsOver(4);
        said();
        agreement.onProposal(1, new Proposal(0, 1, List.of(), proof(Step.PREPARE, 0, set(2), 0, 1)), out);
        assertThat(votes()).isEmpty();
        timeIsOver(8);
        agreement.onProposal(2, new Proposal(0, 2, List.of(), proof(Step.COMMIT, 0, set(2), 0, 1, 2)), out);
        assertThat(votes()).as("votes of another step").isEmpty();
    }

    @Test
    void fewOrRepeatedOrForgedLogsAreNoProposal() {
        agreement.start(log(5), REPLICAS, out);
        agreement.onProposal(0, new Proposal(0, 0, reports(5, 0, 1), null), out);
        timeIsOver(4);
        agreement.onProposal(1, new Proposal(0, 1, reports(5, 0, 1, 1), null), out);
        timeIsOver(8);
        List<Report> forged = new ArrayList<>(reports(5, 0, 1));
        forged.add(new Report(2, 0, log(3).chains(), forged.get(0).signature()));
        agreement.onProposal(2, new Proposal(0, 2, forged, null), out);
        assertThat(votes()).isEmpty();
    }

    @Test
    void onlyTheLeaderOfARoundIsHeard() {
        agreement.start(log(5), REPLICAS, out);
        agreement.onProposal(1, new Proposal(0, 0, reports(5, 0, 1, 2), null), out);
        assertThat(votes()).isEmpty();
    }

    @Test
    void itJoinsTheRoundOfEnoughOthersAndTellsThemItsLock() {
        lock(5);
        agreement.onEnter(0, new Enter(0, 3, reports(5, 0).get(0), null), out);
        assertThat(said()).isEmpty();
        agreement.onEnter(1, new Enter(0, 3, reports(5, 1).get(0), null), out);
        assertThat(said()).filteredOn(Enter.class::isInstance).singleElement().satisfies(message -> {
            Enter enter = (Enter) message;
            assertThat(enter.round()).isEqualTo(3);
            assertThat(Optional.ofNullable(enter.lock()).map(Proof::set)).contains(set(5));
        });
    }

    @Test
    void asALeaderItProposesTheNewestLockThatItHearsOf() {
        agreement.start(log(5), REPLICAS, out);
        said();
        Proof older = proof(Step.PREPARE, 0, set(1), 0, 1, 2);
        Proof newer = proof(Step.PREPARE, 1, set(2), 0, 1, 2);
        agreement.onEnter(0, new Enter(0, 3, reports(5, 0).get(0), newer), out);
        agreement.onEnter(1, new Enter(0, 3, reports(5, 1).get(0), older), out);
        assertThat(said())
                .filteredOn(Proposal.class::isInstance)
                .singleElement()
                .satisfies(message -> assertThat(
                                Optional.ofNullable(((Proposal) message).lock()).map(Proof::set))
                        .contains(set(2)));
    }
}
