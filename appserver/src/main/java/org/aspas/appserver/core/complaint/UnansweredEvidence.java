package org.aspas.appserver.core.complaint;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.certify.bound.Backoff;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Signed;
import org.jspecify.annotations.Nullable;

/**
 * What every other appserver has to judge itself, because no certificate will tell it: proofs against clients, and wrong
 * answers, which need the verdicts of f+1 servers. Such evidence is sent again to every server that has not answered with
 * its own verdict, ever more rarely, up to once in about a minute. For one thread.
 */
final class UnansweredEvidence extends CorePart {
    private static final int MOST_OF_CLIENTS = 256;
    private static final int MOST_OF_A_SERVER = 8;
    /** Pieces of evidence sent again in one round: below what a server takes from another one. */
    private static final int MOST_IN_A_ROUND = 8;

    private static final int LONGEST_PAUSE = 64;

    private static final class Open {
        final Evidence evidence;
        final @Nullable Signed<Blacklist> word;
        final Set<NodeId> lacking;
        Backoff pause = Backoff.of(1, LONGEST_PAUSE);
        int waited;

        Open(Evidence evidence, @Nullable Signed<Blacklist> word, Set<NodeId> lacking) {
            this.evidence = evidence;
            this.word = word;
            this.lacking = lacking;
        }
    }

    private final LinkedHashMap<Hash, Open> open = new LinkedHashMap<>();

    UnansweredEvidence(CoreState context) {
        super(context);
    }

    /**
     * Takes evidence that was sent to all others once.
     *
     * @param word this server's verdict, where the others need it
     */
    void sent(Hash hash, Evidence evidence, @Nullable Signed<Blacklist> word) {
        Set<NodeId> lacking = new TreeSet<>(settings.peers());
        if (evidence.accused() instanceof Accused.Server accused) {
            lacking.remove(NodeId.appserver(accused.index()));
        }
        if (open.putIfAbsent(hash, new Open(evidence, word, lacking)) == null) {
            bound(evidence.accused());
        }
    }

    /** Of what is too much, that goes first which only faulty servers may lack, then the eldest. */
    private void bound(Accused accused) {
        boolean server = accused instanceof Accused.Server;
        List<Hash> alike = new ArrayList<>();
        open.forEach((hash, one) -> {
            if (server ? one.evidence.accused().equals(accused) : one.evidence.accused() instanceof Accused.Client) {
                alike.add(hash);
            }
        });
        if (alike.size() > (server ? MOST_OF_A_SERVER : MOST_OF_CLIENTS)) {
            open.remove(
                    alike.stream().filter(this::heardByTheCorrect).findFirst().orElse(alike.get(0)));
        }
    }

    private boolean heardByTheCorrect(Hash hash) {
        Open one = open.get(hash);
        return one != null && one.lacking.size() < settings.quorums().oneCorrectAppserver();
    }

    /** Another server has this evidence, or acts already as it demands. */
    void answered(Hash hash, NodeId peer) {
        Open one = open.get(hash);
        if (one != null && one.lacking.remove(peer) && one.lacking.isEmpty()) {
            open.remove(hash);
        }
    }

    /** A server is excluded by a certificate, which tells everybody. */
    void settled(int server) {
        open.values().removeIf(one -> one.evidence.accused().equals(new Accused.Server(server)));
    }

    /** A link came up: what that server lacks goes out soon. */
    void connected(NodeId peer) {
        for (Open one : open.values()) {
            if (one.lacking.contains(peer)) {
                one.pause = one.pause.reset();
            }
        }
    }

    /** Sends what is due, each piece to those who lack it; whoever was served goes behind the others. */
    void round() {
        List<Map.Entry<Hash, Open>> due = new ArrayList<>();
        for (Iterator<Map.Entry<Hash, Open>> all = open.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Hash, Open> one = all.next();
            one.getValue().waited++;
            if (one.getValue().waited >= one.getValue().pause.pause() && due.size() < MOST_IN_A_ROUND) {
                due.add(Map.entry(one.getKey(), one.getValue()));
                all.remove();
            }
        }
        for (Map.Entry<Hash, Open> entry : due) {
            Open one = entry.getValue();
            one.waited = 0;
            one.pause = one.pause.next();
            one.lacking.forEach(peer -> send(peer, one));
            open.put(entry.getKey(), one);
        }
    }

    private void send(NodeId peer, Open one) {
        counters.count("evidence_repeated");
        outbox.node(peer, one.evidence);
        if (one.word != null) {
            outbox.node(peer, one.word);
        }
    }
}
