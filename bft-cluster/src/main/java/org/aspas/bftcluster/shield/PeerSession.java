package org.aspas.bftcluster.shield;

import java.security.PublicKey;
import java.util.List;
import org.aspas.bftcluster.frame.Judgement;
import org.aspas.bftcluster.frame.Membership;
import org.aspas.bftcluster.frame.PeerAllowance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of one peer: whether its greeting has come, what it may still say, which of its proposals wait, and the
 * local library's connection for it. Thread-safe.
 */
final class PeerSession implements ToPeer, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerSession.class);

    private final int peer;
    private final PublicKey key;
    private final OutgoingFrames outgoing;
    private final ShieldMeter meter;
    private final PeerAllowance allowance;
    private final Proposals proposals;
    private final LibraryLine line;
    private boolean greeted;

    /** A peer that has not said its greeting; the library is not connected. */
    PeerSession(int peer, Membership membership, LocalEndpoints endpoints, OutgoingFrames outgoing, ShieldMeter meter) {
        this.peer = peer;
        this.key = membership.keys().get(peer);
        this.outgoing = outgoing;
        this.meter = meter;
        this.allowance = new PeerAllowance(membership.maxFrameBytes());
        this.proposals = new Proposals(peer, membership.n());
        this.line = endpoints.line(peer, this);
    }

    /** The peer's index. */
    int peer() {
        return peer;
    }

    /** The peer says its library's greeting; false when it is not that. */
    synchronized boolean greet(byte[] greeting) {
        if (greeted) {
            return true;
        }
        if (!Greeting.isOf(key, greeting)) {
            meter.greetingsRefused.increment();
            LOG.warn("bftserver {} presents itself with what is not its greeting", peer);
            return false;
        }
        greeted = true;
        line.open(greeting);
        return true;
    }

    /** Charges the peer's allowance with a frame. */
    synchronized PeerAllowance.Answer allow(Judgement.Accepted frame, PeerAllowance.Position here, long nanos) {
        return allowance.judge(frame, here, nanos);
    }

    /** Takes a proposal of the peer. */
    synchronized Proposals.Fate propose(byte[] frame, int leader) {
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
        if (line.deliver(frame)) {
            meter.framesIn.increment();
        } else {
            meter.framesLost.increment();
        }
    }

    @Override
    public void frame(byte[] frame) {
        outgoing.send(peer, frame);
    }

    @Override
    public void tooLong(long bytes) {
        meter.framesTooLong.increment();
        LOG.error("a message of {} bytes for replica {}, which no link carries, is left out", bytes, peer);
    }

    @Override
    public void close() {
        line.close();
    }
}
