package org.aspas.client.core.guard;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Standing;
import org.aspas.client.core.step.Servers;
import org.aspas.client.core.step.Step;

/**
 * Asks all others for their standing, again and again while it is of interest, and notes who answers fast enough. Late answers
 * are matched with their own question, so that a server that takes longer than the pause between two questions counts too.
 */
final class PeerComparison {
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
