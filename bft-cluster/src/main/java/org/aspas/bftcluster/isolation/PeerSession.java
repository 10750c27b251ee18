package org.aspas.bftcluster.isolation;

import java.security.PublicKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.aspas.bftcluster.frame.FrameVerdict;
import org.aspas.bftcluster.frame.PeerAllowance;
import org.aspas.bftcluster.frame.ReplicaGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the isolation layer knows of one peer: whether its handshake has come, what it may still say, which of its proposals
 * wait, and the local library's connection for it. Thread-safe.
 */
final class PeerSession implements LibraryOutputHandler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerSession.class);

    private final int peer;
    private final PublicKey key;
    private final OutgoingFrames outgoing;
    private final IsolationMeter meter;
    private final PeerAllowance allowance;
    private final HeldProposals proposals;
    private final LibraryConnection connection;
    private boolean introduced;

    /** A peer that has not sent its handshake; the library is not connected. */
    PeerSession(
            int peer,
            ReplicaGroup membership,
            LocalEndpoints endpoints,
            OutgoingFrames outgoing,
            IsolationMeter meter) {
        this.peer = peer;
        this.key = membership.keys().get(peer);
        this.outgoing = outgoing;
        this.meter = meter;
        this.allowance = new PeerAllowance(membership.maxFrameBytes());
        this.proposals = new HeldProposals(peer, membership.n());
        this.connection = endpoints.connection(peer, this);
    }

    int peer() {
        return peer;
    }

    /** The peer sends its library's handshake; false when it is not that. */
    synchronized boolean onHandshake(byte[] handshake) {
        if (introduced) {
            return true;
        }
        if (!Handshake.isOf(key, handshake)) {
            meter.handshakesRefused.increment();
            LOG.warn("bftserver {} sends what is not its handshake", peer);
            return false;
        }
        introduced = true;
        connection.open(handshake);
        return true;
    }

    /** Charges the peer's allowance with a frame. */
    synchronized PeerAllowance.Answer allow(FrameVerdict.Accepted frame, PeerAllowance.Position here, long nanos) {
        return allowance.judge(frame, here, nanos);
    }

    synchronized HeldProposals.Fate propose(byte[] frame, int leader) {
        return proposals.take(frame, leader);
    }

    private synchronized List<byte[]> ripe(int leader) {
        return proposals.ripe(leader);
    }

    /** Gives the library the proposals that have waited for the peer to lead, when it does. */
    void deliverProposals(int leader) {
        ripe(leader).forEach(this::deliver);
    }

    /** Gives the library a frame of the peer that was judged and admitted. */
    void deliver(byte[] frame) {
        if (connection.deliver(frame)) {
            meter.framesIn.increment();
        } else {
            meter.framesLost.increment();
        }
    }

    @Override
    public void onFrame(byte[] frame) {
        outgoing.send(peer, frame);
    }

    @Override
    public void onTooLong(long bytes) {
        meter.framesTooLong.increment();
        LOG.error("a message of {} bytes for replica {}, which no link carries, is left out", bytes, peer);
    }

    @Override
    public void close() {
        connection.close();
    }

    /**
     * Holds back proposals of one peer until it leads. For an instance that has not begun the library keeps the last
     * proposal, whoever sent it, and looks only later whether the sender leads. So any replica could replace the leader's
     * proposal. Here the library gets proposals of its leader only. Those of the replica that leads next wait, because the
     * local replica may be the last to hear of the change. Not thread-safe: {@link PeerSession} guards it.
     */
    static final class HeldProposals {
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
}
