package org.aspas.bftcluster.isolation;

import org.aspas.bftcluster.frame.FrameCheck;
import org.aspas.bftcluster.frame.FrameVerdict;
import org.aspas.bftcluster.frame.PeerAllowance;
import org.aspas.bftcluster.frame.RefusalReason;
import org.aspas.bftcluster.replica.ReplicaEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of a frame that a peer sends to the local library: it is refused, it waits, or the library gets
 * it. A request that a peer passes on goes to {@link LeaderSuspicion} instead. Thread-safe.
 */
final class IncomingFrames {
    private static final Logger LOG = LoggerFactory.getLogger(IncomingFrames.class);

    private final FrameCheck check;
    private final HeldVotes<PeerSession> votes;
    private final ReplicaEngine engine;
    private final LeaderSuspicion suspicion;
    private final OrderingClient client;
    private final IsolationMeter meter;

    IncomingFrames(
            FrameCheck check,
            HeldVotes<PeerSession> votes,
            ReplicaEngine engine,
            LeaderSuspicion suspicion,
            OrderingClient client,
            IsolationMeter meter) {
        this.check = check;
        this.votes = votes;
        this.engine = engine;
        this.suspicion = suspicion;
        this.client = client;
        this.meter = meter;
    }

    void receive(PeerSession from, byte[] frame) {
        FrameVerdict judgement = check.judge(from.peer(), frame);
        if (judgement instanceof FrameVerdict.Accepted accepted) {
            accepted(from, accepted, frame);
        } else if (judgement instanceof FrameVerdict.Refused refused) {
            meter.refuse(refused.reason());
            LOG.debug("a frame of bftserver {} is refused: {} ({})", from.peer(), refused.reason(), refused.detail());
        }
    }

    private void accepted(PeerSession from, FrameVerdict.Accepted accepted, byte[] frame) {
        if (accepted.kind() == FrameVerdict.Kind.STOP) {
            client.fill(System.nanoTime());
        }
        PeerAllowance.Position here = new PeerAllowance.Position(engine.instance(), engine.regency());
        switch (from.allow(accepted, here, System.nanoTime())) {
            case ADMITTED -> admitted(from, accepted, frame);
            case REPEATED -> LOG.debug("bftserver {} repeats a message", from.peer());
            case REFUSED -> meter.refuse(RefusalReason.ALLOWANCE);
        }
    }

    private void admitted(PeerSession from, FrameVerdict.Accepted accepted, byte[] frame) {
        if (accepted.request() != null) {
            suspicion.passedOn(from.peer(), accepted.request());
        } else if (accepted.kind() == FrameVerdict.Kind.PROPOSE) {
            proposed(from, frame);
        } else if (accepted.vote() != null && accepted.vote().second()) {
            switch (votes.second(from, accepted.vote(), frame, engine.instance())) {
                case PASS -> from.deliver(frame);
                case HELD -> LOG.trace("a vote of bftserver {} waits", from.peer());
                case DROPPED -> meter.refuse(RefusalReason.ALLOWANCE);
            }
        } else {
            from.deliver(frame);
        }
    }

    private void proposed(PeerSession from, byte[] frame) {
        from.deliverProposals(engine.leader());
        switch (from.propose(frame, engine.leader())) {
            case PASS -> from.deliver(frame);
            case HELD, LATE -> LOG.debug("a proposal of bftserver {}, which does not lead", from.peer());
            case REFUSED -> meter.refuse(RefusalReason.ALLOWANCE);
        }
    }
}
