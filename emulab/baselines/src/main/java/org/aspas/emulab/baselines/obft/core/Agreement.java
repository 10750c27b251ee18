package org.aspas.emulab.baselines.obft.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Enter;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Proof;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Proposal;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Report;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Step;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The Byzantine agreement on the set of one epoch, reconstructed: rounds with a leader each, who changes with the epoch and
 * with the round, and two votes as in PBFT (Castro and Liskov, OSDI 1999).
 *
 * <p>In a round the leader proposes 2f+1 signed logs or more. The set follows from them alone ({@link AgreedSet#of}), so that
 * a faulty leader can at most choose which logs count. A replica prepares a valid proposal; 2f+1 equal prepares lock the set,
 * and whoever sees them commits; 2f+1 equal commits decide. When the time of a round is over, replicas enter the next one and
 * tell its leader and each other their locks.
 *
 * <p>Safety: if a set is decided in a round, f+1 correct replicas have it locked. A later quorum of prepares for another set
 * would need one of them; but a replica leaves its lock only for the proof of a prepare in a later round. By induction over
 * rounds there is none for another set. Liveness, once messages arrive in time: rounds get longer, replicas join the round of
 * f+1 others, and every replica takes over the newest lock that it hears of, so that some correct leader proposes a set which
 * all correct replicas prepare.
 *
 * <p>Votes and proposals that come before this replica is so far are kept. Not thread-safe.
 */
final class Agreement {
    private static final int ROUNDS_AHEAD = 64;

    private record Ballot(int round, Step step) {}

    private final ObftSettings settings;
    private final AgreementTexts texts;
    private final long epoch;
    private final VersionVector base;
    private final Map<Integer, Report> reports = new TreeMap<>();
    private final Map<Integer, Integer> entered = new TreeMap<>();
    private final Map<Integer, Proposal> proposals = new HashMap<>();
    private final Map<Ballot, Map<Integer, Vote>> votes = new HashMap<>();
    private final Map<Hash, AgreedSet> sets = new HashMap<>();
    private int expected;
    private int round = -1;
    private int ticks;
    private int prepared = -1;
    private int committed = -1;
    private @Nullable Report own;
    private @Nullable Proof lock;
    private @Nullable Proof decision;

    Agreement(ObftSettings settings, ObftKeys keys, long epoch, VersionVector base) {
        this.settings = settings;
        this.texts = new AgreementTexts(settings, keys);
        this.epoch = epoch;
        this.base = base;
    }

    /** The votes that decided; empty before. */
    Optional<Proof> decision() {
        return Optional.ofNullable(decision);
    }

    private boolean started() {
        return own != null;
    }

    private int leader(int ofRound) {
        return (int) ((epoch + ofRound) % settings.replicas());
    }

    /**
     * Begins with this replica's log.
     *
     * @param peers how many replicas, this one among them, are known to have stopped for this epoch
     */
    void start(EpochLog log, int peers, ObftOutbox out) {
        own = texts.report(epoch, log);
        expected = Math.max(settings.quorum(), peers);
        enter(0, out);
    }

    private void enter(int next, ObftOutbox out) {
        round = next;
        ticks = 0;
        entered.merge(settings.self(), next, Math::max);
        tell(out);
        goOn(out);
    }

    /** The first leader alone needs the logs; later the locks are for all. */
    private void tell(ObftOutbox out) {
        Report mine = own;
        if (mine == null) {
            return;
        }
        reports.putIfAbsent(settings.self(), mine);
        Enter enter = new Enter(epoch, round, mine, lock);
        if (round > 0) {
            out.sendAll(enter);
        } else if (leader(0) != settings.self()) {
            out.send(leader(0), enter);
        }
    }

    void onEnter(int from, Enter enter, ObftOutbox out) {
        Report report = enter.report();
        Proof known = enter.lock();
        if (enter.round() > Math.max(round, 0) + ROUNDS_AHEAD || report.reporter() != from) {
            return;
        }
        if (!reports.containsKey(from) && texts.valid(report, epoch)) {
            reports.put(from, report);
        }
        entered.merge(from, enter.round(), Math::max);
        if (known != null) {
            adopt(known);
        }
        List<Integer> rounds = new ArrayList<>(entered.values());
        rounds.sort(Collections.reverseOrder());
        if (started() && rounds.size() > settings.f() && rounds.get(settings.f()) > round) {
            enter(rounds.get(settings.f()), out);
        } else {
            goOn(out);
        }
    }

    /** Takes over a lock that is newer; whether it is valid. */
    private boolean adopt(Proof proof) {
        if (!texts.valid(proof, Step.PREPARE, epoch)) {
            return false;
        }
        sets.put(proof.set().digest(), proof.set());
        if (lock == null || proof.round() > lock.round()) {
            lock = proof;
        }
        return true;
    }

    void onProposal(int from, Proposal proposal, ObftOutbox out) {
        int of = proposal.round();
        if (of >= round && of <= Math.max(round, 0) + ROUNDS_AHEAD && from == leader(of)) {
            proposals.putIfAbsent(of, proposal);
            goOn(out);
        }
    }

    void onVote(int from, Vote vote, ObftOutbox out) {
        if (vote.voter() == from && vote.round() <= Math.max(round, 0) + ROUNDS_AHEAD && texts.valid(vote)) {
            count(vote);
            goOn(out);
        }
    }

    private void count(Vote vote) {
        votes.computeIfAbsent(new Ballot(vote.round(), vote.step()), any -> new TreeMap<>())
                .putIfAbsent(vote.voter(), vote);
    }

    /** Takes the decision from somebody who has it; whether it is valid. */
    boolean accept(Proof proof) {
        if (decision == null && texts.valid(proof, Step.COMMIT, epoch)) {
            decision = proof;
        }
        return decision != null;
    }

    /** Time passes: what may be lost is said again, and a round that takes too long is left. */
    void tick(ObftOutbox out) {
        if (!started() || decision != null) {
            return;
        }
        ticks++;
        if (ticks >= (long) settings.roundTicks() * (round + 1)) {
            enter(round + 1, out);
            return;
        }
        if (ticks % settings.repeatTicks() == 0) {
            tell(out);
            votes.values().stream()
                    .map(cast -> cast.get(settings.self()))
                    .filter(mine -> mine != null && mine.round() == round)
                    .forEach(out::sendAll);
            Proposal mine = leader(round) == settings.self() ? proposals.get(round) : null;
            if (mine != null) {
                out.sendAll(mine);
            }
        }
        goOn(out);
    }

    private void goOn(ObftOutbox out) {
        if (started() && decision == null) {
            propose(out);
            prepare(out);
            commit(out);
        }
        quorumOf(Step.COMMIT).ifPresent(this::accept);
    }

    private void propose(ObftOutbox out) {
        if (leader(round) != settings.self() || proposals.containsKey(round)) {
            return;
        }
        long here = entered.values().stream().filter(each -> each >= round).count();
        int wanted = round == 0 && ticks < settings.patienceTicks() ? expected : settings.quorum();
        if (reports.size() < wanted || here < settings.quorum()) {
            return;
        }
        Proposal proposal = new Proposal(epoch, round, lock == null ? List.copyOf(reports.values()) : List.of(), lock);
        proposals.put(round, proposal);
        out.sendAll(proposal);
    }

    private void prepare(ObftOutbox out) {
        Proposal proposal = proposals.get(round);
        if (proposal == null || prepared >= round) {
            return;
        }
        prepared = round;
        AgreedSet set = proposed(proposal);
        if (set != null && (lock == null || lock.set().equals(set))) {
            sets.put(set.digest(), set);
            vote(Step.PREPARE, set, out);
        }
    }

    /** The set of a proposal; null if it is not a valid one. */
    private @Nullable AgreedSet proposed(Proposal proposal) {
        Proof proof = proposal.lock();
        if (proof != null) {
            return proof.round() < proposal.round() && adopt(proof) ? proof.set() : null;
        }
        if (!texts.valid(proposal.reports(), epoch)) {
            return null;
        }
        List<List<List<Hash>>> logs =
                proposal.reports().stream().map(Report::chains).toList();
        return AgreedSet.of(epoch, base, logs, settings.oneCorrect());
    }

    private void commit(ObftOutbox out) {
        Optional<Proof> proof = committed < round ? quorumOf(Step.PREPARE) : Optional.empty();
        boolean newest = lock == null || lock.round() <= round;
        if (newest && proof.isPresent() && proof.get().round() == round) {
            committed = round;
            lock = proof.get();
            vote(Step.COMMIT, proof.get().set(), out);
        }
    }

    private void vote(Step step, AgreedSet set, ObftOutbox out) {
        Vote vote = texts.vote(step, epoch, round, set);
        count(vote);
        out.sendAll(vote);
    }

    /** The newest votes of a quorum for one known set. */
    private Optional<Proof> quorumOf(Step step) {
        for (int of = Math.max(round, 0) + ROUNDS_AHEAD; of >= 0; of--) {
            Map<Hash, Map<Integer, byte[]>> signatures = new HashMap<>();
            votes.getOrDefault(new Ballot(of, step), Map.of())
                    .forEach((voter, vote) -> signatures
                            .computeIfAbsent(vote.set(), any -> new TreeMap<>())
                            .put(voter, vote.signature()));
            for (Map.Entry<Hash, Map<Integer, byte[]>> each : signatures.entrySet()) {
                AgreedSet set = sets.get(each.getKey());
                if (set != null && each.getValue().size() >= settings.quorum()) {
                    return Optional.of(new Proof(step, of, set, each.getValue()));
                }
            }
        }
        return Optional.empty();
    }

    /** What is signed in the agreement, and whether it is signed right. */
    record AgreementTexts(ObftSettings settings, ObftKeys keys) {
        private static final int REPORT = 100;

        private static byte[] report(long epoch, List<List<Hash>> chains) {
            Hash log = Hash.sha256(new ObftWriter().chains(chains).toBytes());
            return new ObftWriter().kind(REPORT).number(epoch).hash(log).toBytes();
        }

        private static byte[] vote(Step step, long epoch, int round, Hash set) {
            return new ObftWriter()
                    .step(step)
                    .number(epoch)
                    .number(round)
                    .hash(set)
                    .toBytes();
        }

        Report report(long epoch, EpochLog log) {
            List<List<Hash>> chains = log.chains();
            return new Report(settings.self(), epoch, chains, keys.sign(report(epoch, chains)));
        }

        Vote vote(Step step, long epoch, int round, AgreedSet set) {
            Hash digest = set.digest();
            return new Vote(epoch, round, step, digest, settings.self(), keys.sign(vote(step, epoch, round, digest)));
        }

        boolean valid(Vote vote) {
            byte[] text = vote(vote.step(), vote.epoch(), vote.round(), vote.set());
            return keys.signed(vote.voter(), text, vote.signature());
        }

        boolean valid(Report report, long epoch) {
            return report.epoch() == epoch
                    && keys.signed(report.reporter(), report(epoch, report.chains()), report.signature());
        }

        /** Whether these are the logs of a quorum. */
        boolean valid(List<Report> reports, long epoch) {
            Set<Integer> reporters = new HashSet<>();
            return reports.stream().allMatch(report -> valid(report, epoch) && reporters.add(report.reporter()))
                    && reporters.size() >= settings.quorum();
        }

        /** Whether a quorum has voted so for a set of the epoch. */
        boolean valid(Proof proof, Step step, long epoch) {
            byte[] text = vote(step, epoch, proof.round(), proof.set().digest());
            return proof.step() == step
                    && proof.set().epoch() == epoch
                    && proof.signatures().size() >= settings.quorum()
                    && proof.signatures().entrySet().stream()
                            .allMatch(signed -> keys.signed(signed.getKey(), text, signed.getValue()));
        }
    }
}
