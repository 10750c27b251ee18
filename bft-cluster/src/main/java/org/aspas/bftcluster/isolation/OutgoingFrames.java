package org.aspas.bftcluster.isolation;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.engine.ReplicaEngine;
import org.aspas.bftcluster.frame.FrameCheck;
import org.aspas.bftcluster.frame.Vote;

/**
 * Sends the local library's frames to the isolation layers of its peers. From these frames it learns what the library does: that
 * it casts a first vote, and that it passes a request on to its leader. Thread-safe.
 */
final class OutgoingFrames {
    /** A first vote is shorter; what is longer need not be looked at. */
    private static final int MOST_FIRST_VOTE_BYTES = 1024;
    /** Of the time after which the own replica would doubt its leader, others have so much to say what they have. */
    private static final double PATIENCE = 0.8;

    private final FrameCheck check;
    private final HeldVotes<PeerSession> votes;
    private final ReplicaEngine engine;
    private final LeaderSuspicion suspicion;
    private final IsolatedReplica.Outlet outlet;
    private final IsolationMeter meter;
    /** The last short frame of the library: it sends one to each peer, equal but for the code. */
    private volatile byte[] last = new byte[0];

    OutgoingFrames(
            FrameCheck check,
            HeldVotes<PeerSession> votes,
            ReplicaEngine engine,
            LeaderSuspicion suspicion,
            IsolatedReplica.Outlet outlet,
            IsolationMeter meter) {
        this.check = check;
        this.votes = votes;
        this.engine = engine;
        this.suspicion = suspicion;
        this.outlet = outlet;
        this.meter = meter;
    }

    void send(int peer, byte[] frame) {
        if (frame.length <= MOST_FIRST_VOTE_BYTES && !repeats(frame)) {
            last = frame;
            check.vote(frame).filter(vote -> !vote.second()).ifPresent(this::onFirstVote);
        }
        check.forwarded(frame).ifPresent(request -> suspicion.passesOn(request, System.nanoTime(), patienceNanos()));
        if (outlet.send(peer, Envelope.seal(Envelope.Kind.FRAME, frame))) {
            meter.framesOut.increment();
        } else {
            meter.framesLost.increment();
        }
    }

    private boolean repeats(byte[] frame) {
        byte[] before = last;
        int stream = frame.length - FrameCheck.CODE_BYTES;
        return frame.length == before.length && Arrays.equals(frame, 0, stream, before, 0, stream);
    }

    private long patienceNanos() {
        return (long)
                (PATIENCE * TimeUnit.MILLISECONDS.toNanos(engine.requests().timeoutMillis()));
    }

    /** The own replica has voted, as what it sends any other shows: now it may have the others' second votes. */
    private void onFirstVote(Vote vote) {
        votes.first(vote, engine.instance()).forEach(held -> held.peer().deliver(held.frame()));
    }
}
