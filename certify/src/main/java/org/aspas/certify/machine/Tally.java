package org.aspas.certify.machine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.wire.Stable;
import org.aspas.crdt.clock.VersionVector;

/**
 * What the STABLEs of one round amount to (the protocol page, docs/protocol.md §5.4): operations first, then state. For
 * every origin 2f+1 senders must agree on its root at LV; then f+1 of the senders that agree with all these roots must be
 * equal in all the rest.
 *
 * <p>A sender that cannot reach LV at an origin, because what it holds contradicts what it could pull, answers {@code
 * Hash.ZERO} as that origin's root: it agrees with nobody there, and its word on the other origins counts.
 */
final class Tally {
    private final Quorums quorums;
    private final Collection<Stable> answers;
    private final List<Optional<Hash>> agreed = new ArrayList<>();

    /** Tallies valid answers of distinct servers to one question, given in order of the servers. */
    Tally(Quorums quorums, Collection<Stable> answers) {
        this.quorums = quorums;
        this.answers = answers;
        for (int origin = 0; origin < quorums.appservers(); origin++) {
            agreed.add(agreement(origin));
        }
    }

    /** Whether so many servers answered that a missing agreement says something. */
    boolean complete() {
        return answers.size() >= quorums.appserverQuorum();
    }

    /**
     * The origins whose logs stand in the way of a decision, among those of which the goal has more than what is certified:
     * those without 2f+1 agreeing roots; when there are none, the one with the most senders of another root, and nobody
     * when no sender has another one.
     */
    List<Integer> doubtful(VersionVector goal, VersionVector certified) {
        List<Integer> candidates = IntStream.range(0, agreed.size())
                .filter(origin -> goal.get(origin) > certified.get(origin))
                .boxed()
                .toList();
        List<Integer> without = candidates.stream()
                .filter(origin -> agreed.get(origin).isEmpty())
                .toList();
        return without.isEmpty() ? mostDissent(candidates) : without;
    }

    private List<Integer> mostDissent(List<Integer> candidates) {
        List<Integer> most = List.of();
        long highest = 0;
        for (int origin : candidates) {
            long dissent = dissent(origin);
            if (dissent > highest) {
                highest = dissent;
                most = List.of(origin);
            }
        }
        return most;
    }

    private long dissent(int origin) {
        return answers.stream()
                .filter(one ->
                        !agreed.get(origin).equals(Optional.of(one.roots().get(origin))))
                .count();
    }

    /**
     * Who answered another root of the origin than the one on which f+1 agree, of whom one is correct; nobody when there is
     * no such root, or more than one.
     */
    List<Integer> minority(int origin) {
        Map<Hash, Integer> votes = new HashMap<>();
        answers.forEach(answer -> votes.merge(answer.roots().get(origin), 1, Integer::sum));
        List<Hash> supported = votes.entrySet().stream()
                .filter(vote -> vote.getValue() >= quorums.oneCorrectAppserver()
                        && !vote.getKey().equals(Hash.ZERO))
                .map(Map.Entry::getKey)
                .toList();
        if (supported.size() != 1) {
            return List.of();
        }
        return answers.stream()
                .filter(answer -> !answer.roots().get(origin).equals(supported.get(0)))
                .map(Stable::server)
                .toList();
    }

    /**
     * The answer that is decided, given as one of the f+1 equal ones. Answers to one question decide no other one, whichever and how many
     * of them somebody has (docs/proofs/early-votes.md).
     */
    Optional<Stable> decision() {
        List<Stable> candidates = answers.stream().filter(this::agreesWithAll).toList();
        for (Stable candidate : candidates) {
            long equal = candidates.stream()
                    .filter(other -> sameState(candidate, other))
                    .count();
            if (equal >= quorums.oneCorrectAppserver()) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    private Optional<Hash> agreement(int origin) {
        Map<Hash, Integer> votes = new HashMap<>();
        for (Stable answer : answers) {
            Hash root = answer.roots().get(origin);
            if (!root.equals(Hash.ZERO) && votes.merge(root, 1, Integer::sum) >= quorums.appserverQuorum()) {
                return Optional.of(root);
            }
        }
        return Optional.empty();
    }

    private boolean agreesWithAll(Stable answer) {
        for (int origin = 0; origin < agreed.size(); origin++) {
            if (!agreed.get(origin).equals(Optional.of(answer.roots().get(origin)))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameState(Stable one, Stable other) {
        return one.closed().equals(other.closed())
                && one.closedRoots().equals(other.closedRoots())
                && one.state().equals(other.state());
    }
}
