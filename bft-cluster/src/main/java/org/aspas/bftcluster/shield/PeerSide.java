package org.aspas.bftcluster.shield;

import java.math.BigInteger;
import java.security.PublicKey;
import org.aspas.bftcluster.frame.FrameCheck;
import org.aspas.bftcluster.frame.Judgement;
import org.aspas.bftcluster.frame.PeerAllowance;
import org.aspas.bftcluster.frame.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that concerns one peer: its greeting, its frames, and the local library's connection for it. Thread-safe. */
final class PeerSide implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerSide.class);

    private final int peer;
    private final PublicKey key;
    private final BigInteger prime;
    private final LibraryLine line;
    private final Common common;
    private final PeerAllowance allowance;
    private final Proposals proposals;
    private boolean greeted;

    /** What the local replica is to the sides of all peers. */
    interface Common extends PeerAllowance.Position {
        /** Who leads, as far as the local replica knows; -1 before it takes part. */
        int leader();

        /** How many replicas there are. */
        int replicas();

        /** The longest frame, in bytes. */
        int maxFrameBytes();

        FrameCheck check();

        ShieldMeter meter();

        HeldVotes votes();

        /** A peer wants another leader. */
        void onLeaderDoubted();

        /** A peer passes a request on to this replica as to the leader. */
        void onPassedOn(int peer, byte[] request);
    }

    PeerSide(int peer, PublicKey key, BigInteger prime, LibraryLine line, Common common) {
        this.peer = peer;
        this.key = key;
        this.prime = prime;
        this.line = line;
        this.common = common;
        this.allowance = new PeerAllowance(common.maxFrameBytes());
        this.proposals = new Proposals(peer, common.replicas());
    }

    /** The peer says its library's greeting; false when it is not that. */
    synchronized boolean present(byte[] greeting) {
        if (greeted) {
            return true;
        }
        if (!Greeting.isOf(key, prime, greeting)) {
            common.meter().greetingsRefused.increment();
            LOG.warn("bftserver {} presents itself with what is not its greeting", peer);
            return false;
        }
        greeted = true;
        line.open(greeting);
        return true;
    }

    /** The peer sends a frame for the library. */
    void frame(byte[] frame) {
        Judgement judgement = common.check().judge(peer, frame);
        if (judgement instanceof Judgement.Accepted accepted) {
            accepted(accepted, frame);
        } else if (judgement instanceof Judgement.Refused refused) {
            common.meter().refuse(refused.reason());
            LOG.debug("a frame of bftserver {} is refused: {} ({})", peer, refused.reason(), refused.detail());
        }
    }

    private void accepted(Judgement.Accepted accepted, byte[] frame) {
        if (accepted.kind() == Judgement.Kind.STOP) {
            common.onLeaderDoubted();
        }
        PeerAllowance.Answer answer;
        synchronized (allowance) {
            answer = allowance.judge(accepted, common, System.nanoTime());
        }
        switch (answer) {
            case ADMITTED -> admitted(accepted, frame);
            case REPEATED -> LOG.debug("bftserver {} repeats a message", peer);
            case REFUSED -> common.meter().refuse(Refusal.ALLOWANCE);
        }
    }

    private void admitted(Judgement.Accepted accepted, byte[] frame) {
        if (accepted.request() != null) {
            common.onPassedOn(peer, accepted.request());
        } else if (accepted.kind() == Judgement.Kind.PROPOSE) {
            proposal(frame);
        } else if (accepted.vote() != null && accepted.vote().second()) {
            switch (common.votes().second(peer, accepted.vote(), frame, common.instance())) {
                case PASS -> deliver(frame);
                case HELD -> LOG.trace("a vote of bftserver {} waits", peer);
                case DROPPED -> common.meter().refuse(Refusal.ALLOWANCE);
            }
        } else {
            deliver(frame);
        }
    }

    private void proposal(byte[] frame) {
        look();
        switch (proposals.take(frame, common.leader())) {
            case PASS -> deliver(frame);
            case HELD, LATE -> LOG.debug("a proposal of bftserver {}, which does not lead", peer);
            case REFUSED -> common.meter().refuse(Refusal.ALLOWANCE);
        }
    }

    /** Gives the library what has waited for the peer to lead; called now and then. */
    void look() {
        proposals.ripe(common.leader()).forEach(this::deliver);
    }

    /** Gives the library a frame of the peer that was judged and admitted. */
    void deliver(byte[] frame) {
        if (line.deliver(frame)) {
            common.meter().framesIn.increment();
        } else {
            common.meter().framesLost.increment();
        }
    }

    @Override
    public void close() {
        line.close();
    }
}
