package org.aspas.certify.machine;

import java.util.TreeMap;
import org.aspas.certify.message.Stable;
import org.aspas.certify.quorum.Quorums;
import org.aspas.crdt.clock.VersionVector;

/**
 * An open question with its answers: the first valid STABLE of each server.
 */
final class Round {
    private final long epoch;
    private final long number;
    private final VersionVector goal;
    private final long deadline;
    private final TreeMap<Integer, Stable> answers = new TreeMap<>();

    /**
     * A question without an answer yet.
     *
     * @param epoch the epoch
     * @param number the round, from 1
     * @param goal LV
     * @param deadline the step of time at which the round ends undecided
     */
    Round(long epoch, long number, VersionVector goal, long deadline) {
        this.epoch = epoch;
        this.number = number;
        this.goal = goal;
        this.deadline = deadline;
    }

    long epoch() {
        return epoch;
    }

    long number() {
        return number;
    }

    VersionVector goal() {
        return goal;
    }

    long deadline() {
        return deadline;
    }

    /** Whether the answer is to this question, of a server that has not answered it. */
    boolean awaits(Stable answer) {
        return answer.epoch() == epoch && answer.round() == number && !answers.containsKey(answer.server());
    }

    void put(Stable answer) {
        answers.put(answer.server(), answer);
    }

    Tally tally(Quorums quorums) {
        return new Tally(quorums, answers.values());
    }

    void write(SnapshotWriter writer) {
        writer.number(epoch);
        writer.number(number);
        writer.version(goal);
        writer.number(deadline);
        writer.number(answers.size());
        answers.values().forEach(writer::message);
    }

    static Round read(SnapshotReader reader, Quorums quorums) {
        Round round = new Round(reader.number(1), reader.number(1), reader.version(), reader.number(0));
        int size = reader.count(0, quorums.appservers());
        int next = 0;
        for (int i = 0; i < size; i++) {
            Stable answer = reader.message(Stable.class);
            if (answer.server() < next
                    || answer.server() >= quorums.appservers()
                    || !Answers.fit(answer, quorums.appservers())) {
                throw new IllegalArgumentException("snapshot: an answer that does not fit");
            }
            round.put(answer);
            next = answer.server() + 1;
        }
        return round;
    }
}
