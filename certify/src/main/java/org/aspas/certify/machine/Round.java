package org.aspas.certify.machine;

import java.util.List;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.WrongState;
import org.aspas.crdt.clock.VersionVector;

/** An open question with its answers: the first valid STABLE of each server. */
final class Round {
    private final Epoch epoch;
    private final long number;
    private final VersionVector goal;
    private final long deadline;
    private final TreeMap<Integer, Signed<Stable>> answers = new TreeMap<>();

    /**
     * A question without an answer yet.
     *
     * @param number the round, from 1
     * @param goal LV
     * @param deadline the step of time at which the round ends undecided
     */
    Round(Epoch epoch, long number, VersionVector goal, long deadline) {
        this.epoch = epoch;
        this.number = number;
        this.goal = goal;
        this.deadline = deadline;
    }

    Epoch epoch() {
        return epoch;
    }

    long number() {
        return number;
    }

    VersionVector goal() {
        return goal;
    }

    /** The hash of the certificate that the answers follow, once there are any. */
    Hash previous() {
        return answers.isEmpty()
                ? Hash.ZERO
                : answers.firstEntry().getValue().message().previous();
    }

    /**
     * Whether its time is over.
     *
     * @param first how many steps a first round takes
     * @param patience it takes as many more, doubled so many times
     */
    boolean over(long now, long first, int patience) {
        return now >= deadline + (first << patience) - first;
    }

    boolean asks(Stable answer) {
        return answer.epoch().equals(epoch) && answer.round() == number;
    }

    /** Whether the answer is to this question, of a server that has not answered it. */
    boolean awaits(Stable answer) {
        return asks(answer) && !answers.containsKey(answer.server());
    }

    /** Whether an answer to this question, which is decided, follows the same certificate as those that decided it. */
    boolean follows(Stable answer, Quorums quorums) {
        return answer.previous().equals(previous())
                && answer.version().equals(goal)
                && StableCheck.fit(answer, quorums.appservers());
    }

    void put(Signed<Stable> answer) {
        answers.put(answer.message().server(), answer);
    }

    Tally tally(Quorums quorums) {
        return new Tally(quorums, answers.values().stream().map(Signed::message).toList());
    }

    /** The same without the words of some servers. */
    Tally tallyWithout(IntPredicate ignored, Quorums quorums) {
        return new Tally(
                quorums,
                answers.values().stream()
                        .map(Signed::message)
                        .filter(answer -> !ignored.test(answer.server()))
                        .toList());
    }

    int answered() {
        return answers.size();
    }

    /** The proofs against those who answered as decided in all but the state root. */
    List<WrongState> wrongStates(Stable decision, Quorums quorums) {
        List<Signed<Stable>> right = answers.values().stream()
                .filter(one -> equalButState(one.message(), decision)
                        && one.message().state().equals(decision.state()))
                .limit(quorums.oneCorrectAppserver())
                .toList();
        return answers.values().stream()
                .filter(one -> equalButState(one.message(), decision)
                        && !one.message().state().equals(decision.state()))
                .map(one -> new WrongState(one, right))
                .toList();
    }

    private static boolean equalButState(Stable one, Stable other) {
        return one.roots().equals(other.roots())
                && one.closed().equals(other.closed())
                && one.closedRoots().equals(other.closedRoots());
    }

    void write(SnapshotWriter writer) {
        writer.number(epoch.value());
        writer.number(number);
        writer.version(goal);
        writer.number(deadline);
        writer.number(answers.size());
        answers.values().forEach(one -> writer.counted(Codec.encode(one)));
    }

    static Round read(SnapshotReader reader, Quorums quorums) {
        Round round = new Round(new Epoch(reader.number(1)), reader.number(1), reader.version(), reader.number(0));
        int size = reader.count(0, quorums.appservers());
        int next = 0;
        for (int i = 0; i < size; i++) {
            Signed<Stable> signed = reader.signed(Stable.class);
            Stable answer = signed.message();
            if (answer.server() < next
                    || answer.server() >= quorums.appservers()
                    || !StableCheck.fit(answer, quorums.appservers())) {
                throw new IllegalArgumentException("snapshot: an answer that does not fit");
            }
            round.put(signed);
            next = answer.server() + 1;
        }
        return round;
    }
}
