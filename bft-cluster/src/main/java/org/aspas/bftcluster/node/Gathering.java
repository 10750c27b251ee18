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
 * on them at once. Whatever comes between the two goes with the second: an order of its own would be under way when that begins.
 * Whoever lies about these makes others wait in vain; after that nobody waits for a while. Signatures are not looked at: the machine
 * does. Not thread-safe.
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
    /** Whether enough answers went, and not enough COMMITs after them. */
    private boolean settling;

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
            return waits(question, answer.server(), quorums.appserverQuorum(), others, true);
        } else if (message instanceof Commit commit) {
            Object attempt = new Attempt(commit.number().value(), commit.attempt());
            return waits(attempt, commit.replica(), quorums.bftserverQuorum(), others, false);
        } else if (message instanceof Accept accept) {
            Object attempt = new Attempt(accept.number().value(), accept.attempt());
            boolean late = spoke.getOrDefault(attempt, Set.of()).size() >= quorums.bftserverQuorum();
            return late ? waitsForWords(others) : !rests();
        }
        return waitsForWords(others);
    }

    /**
     * Whether more than this one are needed. Who comes later than enough others is no reason to wait, or to wait no more.
     *
     * @param settles whether an attempt to settle on a content follows when enough have spoken, or has then ended
     */
    private boolean waits(Object about, int who, int enough, boolean others, boolean settles) {
        Set<Integer> all = spoke.computeIfAbsent(about, any -> new HashSet<>());
        if (all.size() >= enough) {
            return waitsForWords(others);
        }
        all.add(who);
        if (all.size() < enough) {
            return !rests();
        }
        settling = settles;
        return false;
    }

    private boolean waitsForWords(boolean others) {
        return others || (settling && !rests());
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
