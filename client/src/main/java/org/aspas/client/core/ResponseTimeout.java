package org.aspas.client.core;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.bound.Backoff;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Standing;
import org.aspas.client.core.ClientEvent.Why;

/**
 * Doubts a server that does not respond, or responds late all the time (the protocol page, docs/protocol.md §6). No doubt needs
 * a certificate, and each needs others that are better, for where all are slow a switch gains nothing.
 *
 * <ul>
 *   <li>The server cannot be used, or leaves an update or a read open. An update may take as long as the policy says and twice
 *       as long as the last one, but not four times as long as the policy says. At half the time the others are asked for their
 *       standing. Better is who answers in half the policy's time, or in half the time for which the own server has been waited
 *       for. A connection that is made anew starts no time again.
 *   <li>Its answers have been late for a minute, and one was just now. Better is who answers in an eighth of the time that it took, or in
 *       a quarter of a second.
 * </ul>
 */
public final class ResponseTimeout {
    private static final int LONGEST = 8;
    private static final int SLOWEST = 4;
    /** How long answers may be late, in times of the policy's time: a minute, usually. */
    private static final int LATE = 12;

    private static final int MUCH_FASTER = 8;
    /** The core's time moves on in steps of this, usually. */
    private static final long TICK_MILLIS = 250;

    private final Servers servers;
    private final Step step;
    private final long promptMillis;
    private final long readMillis;
    private final PeerComparison open;
    private final PeerComparison late;
    private long unusableSince;
    /** How long a server may fail to respond: doubled with each one left for that, until one responds. */
    private Backoff patience;
    /** How long a server may be late: doubled with each one left for that, until one is prompt. */
    private Backoff latePatience;

    /**
     * No time has passed.
     *
     * @param readMillis how long the first server may leave reads of the application open: longer with each switch, like the
     *     policy's time
     */
    public ResponseTimeout(Policy policy, long readMillis, PeerQueries peers, Step step) {
        this.servers = peers.servers();
        this.step = step;
        this.promptMillis = policy.unreachableMillis() / 2;
        this.readMillis = Math.max(readMillis, 1);
        this.patience = Backoff.upTo(policy.unreachableMillis(), LONGEST);
        this.latePatience = Backoff.upTo(LATE * policy.unreachableMillis(), LONGEST);
        this.open = new PeerComparison(peers, step);
        this.late = new PeerComparison(peers, step);
    }

    /**
     * Checks whether the present server owes answers for too long.
     *
     * @param updateSince since when it owes an answer to an update; negative when it owes none
     * @param answerMillis how long its last answer to an update took: a server that is slow but answers gets up to
     *     twice that
     * @param readSince since when it owes an answer to a read; negative when it owes none
     */
    public void tick(boolean usable, long updateSince, long answerMillis, long readSince) {
        unusableSince = usable ? step.now() : unusableSince;
        if (!servers.switching()) {
            return;
        }
        if (usable && updateSince < 0 && readSince < 0) {
            open.drop();
            patience = patience.reset();
            return;
        }
        long unusable = usable ? -1 : step.now() - unusableSince;
        long update = Math.max(unusable, updateSince < 0 ? -1 : step.now() - updateSince);
        long mostOfUpdate = Math.max(patience.pause(), Math.min(2 * answerMillis, SLOWEST * patience.first()));
        long read = readSince < 0 ? -1 : step.now() - readSince;
        long mostOfRead = readMillis * (patience.pause() / patience.first());
        // The one of which a larger part has passed.
        if ((double) update / mostOfUpdate >= (double) read / mostOfRead) {
            doubt(usable, update, mostOfUpdate, " leaves an update unanswered");
        } else {
            doubt(usable, read, mostOfRead, " leaves a read open");
        }
    }

    private void doubt(boolean usable, long waited, long most, String what) {
        if (waited < most / 2) {
            open.drop();
            return;
        }
        open.ask(most, Math.max(promptMillis, waited / 2));
        if (waited >= most && !open.better().isEmpty()) {
            step.leave(
                    usable ? Why.UNANSWERED : Why.UNREACHABLE,
                    "appserver " + servers.current() + (usable ? what : " cannot be used"));
        }
    }

    /** Checks whether the present server has answered late for long, while others respond much faster. */
    public void late(Lateness updates, Lateness reads) {
        boolean prompt = (updates.prompt() && reads.since() < 0) || (reads.prompt() && updates.since() < 0);
        latePatience = prompt ? latePatience.reset() : latePatience;
        if (!servers.switching() || !(lateForLong(updates) || lateForLong(reads))) {
            late.drop();
            return;
        }
        Lateness answers = lateForLong(updates) && lateJustNow(updates) ? updates : reads;
        if (!lateForLong(answers) || !lateJustNow(answers)) {
            return;
        }
        // A first question may have to wait for its connection.
        late.ask(promptMillis, Math.max(answers.lastMillis() / MUCH_FASTER, TICK_MILLIS));
        // What was given before others were seen to be fast may have been late everywhere.
        boolean given = answers.lastAt() - answers.lastMillis() >= late.betterSince();
        if (given && !late.better().isEmpty()) {
            step.leave(Why.SLOW, "appserver " + servers.current() + " answers after " + answers.lastMillis() + " ms");
        }
    }

    private boolean lateForLong(Lateness answers) {
        return answers.since() >= 0 && step.now() - answers.since() >= latePatience.pause();
    }

    private boolean lateJustNow(Lateness answers) {
        return step.now() - answers.lastAt() <= patience.first();
    }

    /** Takes a standing whose signature is right. */
    public void standing(Standing standing) {
        open.standing(standing);
        late.standing(standing);
    }

    /** The other servers that are known to be better, when the present one is left for this reason. */
    public Set<Integer> better(Why why) {
        return why == Why.SLOW ? late.better() : open.better();
    }

    /** The client turns to another server, which gets the full time. */
    public void turned(Why why) {
        if (why.unresponsive()) {
            patience = patience.next();
        } else if (why == Why.SLOW) {
            latePatience = latePatience.next();
        }
        unusableSince = step.now();
        open.drop();
        late.drop();
    }

    /**
     * Asks all others for their standing, again and again while it is of interest, and notes who answers fast enough. Late answers
     * are matched with their own question, so that a server that takes longer than the pause between two questions counts too.
     */
    private static final class PeerComparison {
        private static final int REMEMBERED = 16;

        private final PeerQueries peers;
        private final Servers servers;
        private final Step step;
        /** When each question was asked, by its nonce. */
        private final TreeMap<Long, Long> asked = new TreeMap<>();

        private final TreeSet<Integer> better = new TreeSet<>();
        private long tolerated;
        /** When the question was asked since which each one had an answer that was fast enough; negative for not now. */
        private long betterSince = -1;

        PeerComparison(PeerQueries peers, Step step) {
            this.peers = peers;
            this.servers = peers.servers();
            this.step = step;
        }

        /**
         * Asks, unless that was less than a pause ago. Whoever was fast enough before has to be so again.
         *
         * @param pauseMillis the pause between two questions
         * @param mostMillis how long an answer may take from now on
         */
        void ask(long pauseMillis, long mostMillis) {
            tolerated = mostMillis;
            if (!asked.isEmpty() && step.now() - asked.lastEntry().getValue() < pauseMillis) {
                return;
            }
            betterSince = better.isEmpty() ? -1 : betterSince;
            better.clear();
            long nonce = peers.nonce();
            asked.put(nonce, step.now());
            if (asked.size() > REMEMBERED) {
                asked.pollFirstEntry();
            }
            peers.send(servers.others(), peers.seal(new AskStanding(peers.self(), nonce, List.of())));
        }

        /** Takes a standing whose signature is right. */
        void standing(Standing standing) {
            Long at = asked.get(standing.nonce());
            if (at != null && step.now() - at <= tolerated && !servers.convicted(standing.server())) {
                better.add(standing.server());
                betterSince = betterSince < 0 ? at : betterSince;
            }
        }

        /** Who answered fast enough since the last question. */
        Set<Integer> better() {
            return better;
        }

        /** When the question was asked since which each one had an answer that was fast enough; negative for not now. */
        long betterSince() {
            return betterSince;
        }

        void drop() {
            betterSince = -1;
            asked.clear();
            better.clear();
        }
    }
}
