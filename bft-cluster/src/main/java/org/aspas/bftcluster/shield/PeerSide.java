package org.aspas.bftcluster.shield;

import java.math.BigInteger;
import java.security.PublicKey;
import org.aspas.bftcluster.frame.FrameCheck;
import org.aspas.bftcluster.frame.Judgement;
import org.aspas.bftcluster.frame.PeerAllowance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that concerns one peer: its greeting, its frames, and the local library's connection for it. Thread-safe. */
final class PeerSide implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerSide.class);

    private final int peer;
    private final PublicKey key;
    private final BigInteger prime;
    private final FrameCheck check;
    private final PeerAllowance.Position here;
    private final LibraryLine line;
    private final ShieldMeter meter;
    private final Runnable leaderDoubted;
    private final HeldVotes votes;
    private final PeerAllowance allowance = new PeerAllowance();
    private boolean greeted;

    PeerSide(
            int peer,
            PublicKey key,
            BigInteger prime,
            FrameCheck check,
            PeerAllowance.Position here,
            LibraryLine line,
            ShieldMeter meter,
            Runnable leaderDoubted,
            HeldVotes votes) {
        this.peer = peer;
        this.key = key;
        this.prime = prime;
        this.check = check;
        this.here = here;
        this.line = line;
        this.meter = meter;
        this.leaderDoubted = leaderDoubted;
        this.votes = votes;
    }

    /** The peer says its library's greeting; false when it is not that. */
    synchronized boolean present(byte[] greeting) {
        if (greeted) {
            return true;
        }
        if (!Greeting.isOf(key, prime, greeting)) {
            meter.greetingsRefused.increment();
            LOG.warn("bftserver {} presents itself with what is not its greeting", peer);
            return false;
        }
        greeted = true;
        line.open(greeting);
        return true;
    }

    /** The peer sends a frame for the library. */
    void frame(byte[] frame) {
        Judgement judgement = check.judge(peer, frame);
        if (judgement instanceof Judgement.Accepted accepted && accepted.kind() == Judgement.Kind.STOP) {
            leaderDoubted.run();
        }
        if (judgement instanceof Judgement.Refused refused) {
            meter.refuse(refused.reason());
            LOG.debug("a frame of bftserver {} is refused: {} ({})", peer, refused.reason(), refused.detail());
            return;
        }
        boolean admitted;
        synchronized (allowance) {
            admitted = allowance.admits((Judgement.Accepted) judgement, here, System.nanoTime());
        }
        HeldVotes.Fate fate = !admitted
                ? HeldVotes.Fate.DROPPED
                : ((Judgement.Accepted) judgement).kind() == Judgement.Kind.ACCEPT
                        ? check.vote(frame)
                                .map(vote -> votes.second(peer, vote, frame, here.instance()))
                                .orElse(HeldVotes.Fate.DROPPED)
                        : HeldVotes.Fate.PASS;
        if (fate == HeldVotes.Fate.DROPPED) {
            meter.refuse(org.aspas.bftcluster.frame.Refusal.ALLOWANCE);
        } else if (fate == HeldVotes.Fate.PASS) {
            deliver(frame);
        }
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
    public void close() {
        line.close();
    }
}
