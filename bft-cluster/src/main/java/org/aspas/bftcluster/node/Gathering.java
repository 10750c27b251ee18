package org.aspas.bftcluster.node;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.aspas.bftcluster.isolation.Grouping;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.message.Accept;
import org.aspas.certify.message.Commit;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Stable;
import org.aspas.certify.quorum.Quorums;
import org.jspecify.annotations.Nullable;

/**
 * What certification needs together: the answers of 2f+1 appservers to one question, and the ACCEPTs with 2b+1 COMMITs, which follow
 * on them at once. Whoever lies about these makes others wait in vain; after that nobody waits for a while. Signatures
 * are not looked at: the machine does. Not thread-safe.
 */
final class Gathering implements Grouping {
    /** So many commands that could wait do not, after one that waited in vain. */
    private static final int REST = 16;

    private static final int LONGEST = 1 << 14;
    private static final int REMEMBERED = 16;

    private final Quorums quorums;
    /** Who spoke, of the few newest questions and attempts. */
    private final Map<Object, Set<Integer>> spoke = new BoundedMap<>(REMEMBERED);

    private int rest;

    private record Question(long epoch, long round) {}

    private record Attempt(long number, long attempt) {}

    Gathering(Quorums quorums) {
        this.quorums = quorums;
    }

    @Override
    public boolean waits(byte[] command, boolean others) {
        Message message = command.length > LONGEST ? null : message(command);
        if (message instanceof Stable answer) {
            Object question = new Question(answer.epoch().value(), answer.round());
            return waits(question, answer.server(), quorums.appserverQuorum(), others);
        } else if (message instanceof Commit commit) {
            Object attempt = new Attempt(commit.number().value(), commit.attempt());
            return waits(attempt, commit.replica(), quorums.bftserverQuorum(), others);
        } else if (message instanceof Accept accept) {
            Object attempt = new Attempt(accept.number().value(), accept.attempt());
            boolean late = spoke.getOrDefault(attempt, Set.of()).size() >= quorums.bftserverQuorum();
            return late ? others : !rests();
        }
        return others;
    }

    /** Whether more than this one are needed. Who comes later than enough others is no reason to wait, or to wait no more. */
    private boolean waits(Object about, int who, int enough, boolean others) {
        Set<Integer> all = spoke.computeIfAbsent(about, any -> new HashSet<>());
        if (all.size() >= enough) {
            return others;
        }
        all.add(who);
        return all.size() < enough && !rests();
    }

    private boolean rests() {
        rest = Math.max(0, rest - 1);
        return rest > 0;
    }

    @Override
    public void late() {
        rest = REST;
    }

    private static @Nullable Message message(byte[] command) {
        return Codec.decode(command).accepted().orElse(null) instanceof Frame.Sealed sealed
                ? sealed.signed().message()
                : null;
    }
}
