package org.aspas.bftcluster.node;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.aspas.bftcluster.isolation.Grouping;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Stable;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * What certification needs together: the answers of 2f+1 appservers to one question, and the ACCEPTs with 2b+1 COMMITs. If the answers are
 * alike the words follow at once, before the answers are ordered, and all goes together. If not, the words follow on their order. Whatever
 * comes between goes with the words: an order of its own would be under way when they are complete. Whoever lies about these makes others
 * wait in vain; after that nobody waits for a while. Signatures are not looked at: the machine does. Not thread-safe.
 */
final class CommandBatcher implements Grouping {
    /** So many commands that could wait do not, after one that waited in vain. */
    private static final int REST = 16;

    private static final int LONGEST = 1 << 14;
    private static final int REMEMBERED = 16;

    private final Quorums quorums;
    private final Map<Question, Answers> answers = new BoundedMap<>(REMEMBERED);
    /** Who committed, of the few newest attempts. */
    private final Map<Attempt, Set<Integer>> commits = new BoundedMap<>(REMEMBERED);

    private int rest;
    /** Whether enough answers are here or went, and not enough COMMITs after them. */
    private boolean settling;

    private record Question(long epoch, long round) {}

    private record Answer(List<Hash> roots, VersionVector closed, List<Hash> closedRoots, Hash state) {}

    private record Attempt(long number, long attempt) {}

    private static final class Answers {
        private final Map<Integer, Answer> given = new HashMap<>();
        /** Whether the words that follow are complete: who comes later is no reason to wait. */
        private boolean over;

        private boolean enough(Quorums quorums) {
            return given.size() >= quorums.appserverQuorum();
        }

        /** The words of some question are complete. It is this one, unless f liars alone have answered: then it is perhaps the next. */
        private void end(Quorums quorums) {
            over |= given.size() >= quorums.oneCorrectAppserver();
        }

        private boolean alike(Quorums quorums) {
            return given.values().stream()
                    .anyMatch(one -> Collections.frequency(given.values(), one) >= quorums.appserverQuorum());
        }
    }

    CommandBatcher(Quorums quorums) {
        this.quorums = quorums;
    }

    @Override
    public Next next(byte[] command, boolean others) {
        Message message = command.length > LONGEST ? null : message(command);
        if (message instanceof Stable answer) {
            return answered(answer, others);
        } else if (message instanceof Commit commit) {
            return committed(commit, others);
        } else if (message instanceof Accept accept) {
            Set<Integer> all = commits.getOrDefault(attempt(accept.number(), accept.attempt()), Set.of());
            return all.size() >= quorums.bftserverQuorum() ? withWords(others) : waits();
        }
        return withWords(others);
    }

    private Next answered(Stable answer, boolean others) {
        Answers all =
                answers.computeIfAbsent(new Question(answer.epoch().value(), answer.round()), any -> new Answers());
        if (all.over || all.alike(quorums) || answer.server() >= quorums.appservers()) {
            return withWords(others);
        }
        boolean before = all.enough(quorums);
        all.given.putIfAbsent(
                answer.server(), new Answer(answer.roots(), answer.closed(), answer.closedRoots(), answer.state()));
        if (!all.enough(quorums)) {
            return waits();
        }
        settling = true;
        if (all.alike(quorums)) {
            return rests() ? Next.GO : Next.WAIT_ANEW;
        }
        return before ? withWords(others) : Next.GO;
    }

    private Next committed(Commit commit, boolean others) {
        Set<Integer> all = commits.computeIfAbsent(attempt(commit.number(), commit.attempt()), any -> new HashSet<>());
        if (all.size() >= quorums.bftserverQuorum()) {
            return withWords(others);
        }
        if (commit.replica() < quorums.bftservers()) {
            all.add(commit.replica());
        }
        if (all.size() < quorums.bftserverQuorum()) {
            return waits();
        }
        settling = false;
        answers.values().forEach(one -> one.end(quorums));
        return Next.GO;
    }

    private static Attempt attempt(CertificateNumber number, long attempt) {
        return new Attempt(number.value(), attempt);
    }

    private Next withWords(boolean others) {
        return others || (settling && !rests()) ? Next.WAIT : Next.GO;
    }

    private Next waits() {
        return rests() ? Next.GO : Next.WAIT;
    }

    private boolean rests() {
        rest = Math.max(0, rest - 1);
        return rest > 0;
    }

    @Override
    public void late() {
        settling = false;
        rest = REST;
    }

    private static @Nullable Message message(byte[] command) {
        return Codec.decode(command).accepted().orElse(null) instanceof Frame.Sealed sealed
                ? sealed.signed().message()
                : null;
    }
}
