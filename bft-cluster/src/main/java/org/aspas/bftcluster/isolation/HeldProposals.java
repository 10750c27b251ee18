package org.aspas.bftcluster.isolation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Holds back proposals of one peer until it leads. For an instance that has not begun the library keeps the last
 * proposal, whoever sent it, and looks only later whether the sender leads. So any replica could replace the leader's
 * proposal. Here the library gets proposals of its leader only. Those of the replica that leads next wait, because the
 * local replica may be the last to hear of the change. Not thread-safe: {@link PeerSession} guards it.
 */
final class HeldProposals {
    /** How many proposals may wait; for one more, the oldest is dropped. */
    static final int MOST_HELD = 2;

    private final int peer;
    private final int replicas;
    private final Deque<byte[]> held = new ArrayDeque<>();

    HeldProposals(int peer, int replicas) {
        this.peer = peer;
        this.replicas = replicas;
    }

    enum Fate {
        /** It is the leader's, or nobody knows yet who leads. */
        PASS,
        /** It waits until the peer leads. */
        HELD,
        /** It is a former leader's, and too late. */
        LATE,
        /** It is not the peer's turn to lead. */
        REFUSED
    }

    /** Takes a proposal; {@code leader} is -1 when the local replica does not know who leads. */
    Fate take(byte[] frame, int leader) {
        if (leader < 0 || leader == peer) {
            return Fate.PASS;
        }
        if (peer == (leader + 1) % replicas) {
            if (held.size() == MOST_HELD) {
                held.removeFirst();
            }
            held.addLast(frame);
            return Fate.HELD;
        }
        return (peer + 1) % replicas == leader ? Fate.LATE : Fate.REFUSED;
    }

    /** Takes out the proposals that have waited for the peer to lead, if it leads now. */
    List<byte[]> ripe(int leader) {
        if (held.isEmpty() || leader != peer) {
            return List.of();
        }
        List<byte[]> result = List.copyOf(held);
        held.clear();
        return result;
    }
}
