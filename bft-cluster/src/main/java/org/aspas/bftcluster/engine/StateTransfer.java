package org.aspas.bftcluster.engine;

import bftsmart.statemanagement.ApplicationState;
import bftsmart.statemanagement.SMMessage;
import bftsmart.statemanagement.StateManager;
import bftsmart.tom.core.DeliveryThread;
import bftsmart.tom.core.TOMLayer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a replica learns where the order stands, at its start and whenever it has fallen behind. It takes the place of the
 * library's own state transfer, which needs three equal positions at one moment, compares a snapshot's hash with a single
 * other reply and the commands with none, and waits 80 seconds before it tries again for the same position.
 *
 * <p>{@link CatchUp} decides; {@link OrderingLayer} talks to the library; this class is what the library calls. After the
 * start the replica keeps asking now and then: one that stands still while b+1 others went on fetches the state again, and
 * one that b+1 others left behind in an earlier incarnation of the order tells its owner (see {@link IncarnationCheck}).
 *
 * <p>Thread-safe: the library calls it on its message thread, the owner's timer calls {@link #watch}. Calls nobody while it
 * holds its lock.
 */
final class StateTransfer implements StateManager {
    /** Between two steps; in milliseconds. */
    static final long STEP_MILLIS = 200;

    private static final Logger LOG = LoggerFactory.getLogger(StateTransfer.class);

    private final OrderLog log;
    private final Listener listener;
    private final CatchUp catchUp;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile @Nullable OrderingLayer layer;

    /** What the owner of a replica is told. */
    interface Listener {
        /** The library has made its ordering layer; called on the thread that makes it. */
        void onMade(TOMLayer made);

        /** All of the library is made, and the replica is about to ask where the order stands. */
        void onStarting(TOMLayer made);

        /** The replica must be made anew, for this reason: the others began the order anew. */
        void onStale(String reason);
    }

    StateTransfer(OrderLog log, Quorums quorums, Listener listener) {
        this.log = log;
        this.listener = listener;
        this.catchUp = new CatchUp(quorums);
    }

    @Override
    public void init(TOMLayer tomLayer, DeliveryThread deliveryThread) {
        layer = new OrderingLayer(tomLayer, deliveryThread);
        listener.onMade(tomLayer);
    }

    /** The library's ordering layer; null before the replica has made it. */
    @Nullable
    TOMLayer layer() {
        OrderingLayer known = layer;
        return known == null ? null : known.library();
    }

    private OrderingLayer ordering() {
        OrderingLayer known = layer;
        if (known == null) {
            throw new IllegalStateException("the ordering layer calls before it exists");
        }
        return known;
    }

    void cancel() {
        cancelled.countDown();
    }

    /** Waits; true when waiting for anything is given up, also because the thread is interrupted. */
    boolean awaitCancelled(long millis) {
        try {
            return cancelled.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Asks until the replica has a position from which it can take part, or until {@link #cancel}. */
    @Override
    public void askCurrentConsensusId() {
        listener.onStarting(ordering().library());
        while (started.getCount() > 0 && cancelled.getCount() > 0) {
            step();
            try {
                started.await(STEP_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Looks after a replica that has started; its owner calls this every {@link #STEP_MILLIS}. */
    void watch() {
        if (started.getCount() == 0) {
            step();
        }
    }

    private void step() {
        List<CatchUp.Action> actions;
        synchronized (this) {
            actions = catchUp.step(log.position(), log.incarnation());
        }
        actions.forEach(this::perform);
    }

    private void perform(CatchUp.Action action) {
        if (action instanceof CatchUp.Action.AskPositions) {
            ordering().askPositions();
        } else if (action instanceof CatchUp.Action.AskState ask) {
            if (ask.first()) {
                ordering().forgetRequests();
            }
            ordering().askState(ask.instance());
        } else if (action instanceof CatchUp.Action.TakePart) {
            ordering().takePart(log, this::following);
            started.countDown();
        } else if (action instanceof CatchUp.Action.Stale) {
            listener.onStale("the others have begun the order anew, and it stands at instance " + log.position());
        }
    }

    private synchronized void following() {
        catchUp.following();
    }

    private synchronized void installed() {
        catchUp.installed();
    }

    /** A replica that has not started, or waits for a state, may still get into any incarnation. */
    @Override
    public void currentConsensusIdAsked(int sender) {
        ordering()
                .sendPosition(sender, log.position(), isRetrievingState() ? IncarnationCheck.NONE : log.incarnation());
    }

    @Override
    public synchronized void currentConsensusIdReceived(SMMessage reply) {
        catchUp.onPosition(reply.getSender(), reply.getCID(), reply.getRegency());
    }

    @Override
    public void SMRequestDeliver(SMMessage request, boolean bft) {
        ordering().sendState(request.getSender(), request.getCID());
    }

    @Override
    public void SMReplyDeliver(SMMessage reply, boolean bft) {
        ApplicationState state = reply.getState();
        byte[] encoded = state == null ? null : state.getSerializedState();
        if (state == null || encoded == null) {
            return;
        }
        synchronized (this) {
            if (!catchUp.awaits(reply.getCID())) {
                return;
            }
        }
        CatchUp.Reply said = new CatchUp.Reply(state, Hash.sha256(encoded), reply.getRegency(), reply.getLeader());
        Optional<CatchUp.Reply> agreed;
        boolean forLeaderChange;
        synchronized (this) {
            agreed = catchUp.onState(reply.getSender(), reply.getCID(), said);
            forLeaderChange = catchUp.isForLeaderChange();
        }
        agreed.ifPresent(one -> install(one, forLeaderChange));
    }

    private void install(CatchUp.Reply agreed, boolean forLeaderChange) {
        ordering().install(agreed, log, forLeaderChange, this::installed);
        LOG.info("the order was taken over at instance {}, leader {}", log.position(), agreed.leader());
        started.countDown();
        if (forLeaderChange) {
            ordering().resumeLeaderChange();
        }
    }

    /** A leader change needs the state up to an instance before it can go on. */
    @Override
    public void requestAppState(int instance) {
        List<CatchUp.Action> actions;
        synchronized (this) {
            actions = catchUp.onLeaderChange(instance);
        }
        actions.forEach(this::perform);
    }

    /** Messages beyond what this replica can place: the next {@link #watch} finds out whether it is behind. */
    @Override
    public void analyzeState(int instance) {
        LOG.debug("a message of instance {} at position {}", instance, log.position());
    }

    @Override
    public void stateTimeout() {
        // Deadlines are kept by step().
    }

    @Override
    public synchronized boolean isRetrievingState() {
        return !catchUp.isFollowing();
    }

    @Override
    public void setLastCID(int instance) {
        // The log knows it.
    }

    @Override
    public int getLastCID() {
        return log.position();
    }

    @Override
    public synchronized String toString() {
        return catchUp + " at " + log.position();
    }
}
