package org.aspas.bftcluster.engine;

import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.statemanagement.ApplicationState;
import bftsmart.statemanagement.strategy.StandardSMMessage;
import bftsmart.tom.core.DeliveryThread;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.leaderchange.LCManager;
import bftsmart.tom.util.TOMUtil;
import org.jspecify.annotations.Nullable;

/**
 * The library's ordering layer, as far as state transfer talks through it and changes it. Positions and states travel in
 * the library's own messages. Thread-safe as far as the library is.
 */
final class OrderingLayer {
    private final TOMLayer layer;
    private final DeliveryThread delivery;

    OrderingLayer(TOMLayer layer, DeliveryThread delivery) {
        this.layer = layer;
        this.delivery = delivery;
    }

    TOMLayer library() {
        return layer;
    }

    private int self() {
        return layer.controller.getStaticConf().getProcessId();
    }

    private int[] others() {
        return layer.controller.getCurrentViewOtherAcceptors();
    }

    private void send(int[] to, int instance, int type, @Nullable ApplicationState state, int regency, int leader) {
        layer.getCommunication()
                .send(to, new StandardSMMessage(self(), instance, type, self(), state, null, regency, leader));
    }

    void askPositions() {
        send(others(), 0, TOMUtil.SM_ASK_INITIAL, null, 0, 0);
    }

    /** In a reply about a position the library has no use for the place of the regency: it holds the incarnation's name. */
    void sendPosition(int to, int position, int incarnation) {
        send(new int[] {to}, position, TOMUtil.SM_REPLY_INITIAL, null, incarnation, 0);
    }

    /** Asks each other replica for the state up to an instance. */
    void askState(int instance) {
        for (int other : others()) {
            layer.getCommunication()
                    .send(
                            new int[] {other},
                            new StandardSMMessage(self(), instance, TOMUtil.SM_REQUEST, other, null, null, 0, 0));
        }
    }

    /** Sends a replica the state up to an instance, or says that there is none. */
    void sendState(int to, int instance) {
        ApplicationState state = delivery.getRecoverer().getState(instance, true);
        int regency = layer.getSynchronizer().getLCManager().getLastReg();
        send(new int[] {to}, instance, TOMUtil.SM_REPLY, state, regency, layer.execManager.getCurrentLeader());
    }

    /** Has the library wait for no request: what waits here may be ordered within the state. */
    void forgetRequests() {
        if (layer.requestsTimer != null) {
            layer.requestsTimer.clearAll();
        }
    }

    /**
     * Has the library deliver what follows the replica's position.
     *
     * @param following called before the first delivery
     */
    void takePart(OrderLog log, Runnable following) {
        delivery.deliverLock();
        try {
            following.run();
            layer.setLastExec(log.position());
            delivery.canDeliver();
        } finally {
            delivery.deliverUnlock();
        }
    }

    /**
     * Has the library go on after a state that other replicas sent.
     *
     * @param log where the state brings the replica
     * @param forLeaderChange whether a leader change waits for the state; it goes on at {@link #resumeLeaderChange}
     * @param installed called before the first delivery
     */
    void install(CatchUp.Reply agreed, OrderLog log, boolean forLeaderChange, Runnable installed) {
        if (!forLeaderChange) {
            follow(agreed.regency(), agreed.leader());
        }
        delivery.deliverLock();
        try {
            delivery.update(agreed.state());
            if (!forLeaderChange) {
                if (log.position() > OrderLog.START) {
                    LibraryInternals.setDecided(layer, log.position());
                }
                resumeStopped(log.position());
            }
            installed.run();
            layer.processOutOfContext();
            delivery.canDeliver();
        } finally {
            delivery.deliverUnlock();
        }
        restartTimer(forLeaderChange);
    }

    private void follow(int regency, int leader) {
        LCManager leaders = layer.getSynchronizer().getLCManager();
        leaders.setLastReg(regency);
        leaders.setNextReg(regency);
        leaders.setNewLeader(leader);
        layer.execManager.setNewLeader(leader);
        if (regency > 0) {
            layer.getSynchronizer().removeSTOPretransmissions(regency - 1);
        }
    }

    /** Messages that a leader change held back belong after the state, where they count. */
    private void resumeStopped(int position) {
        if (!layer.execManager.stopped()) {
            return;
        }
        for (ConsensusMessage message : layer.execManager.getStoppedMsgs()) {
            if (message.getNumber() > position) {
                layer.execManager.addOutOfContextMessage(message);
            }
        }
        layer.execManager.clearStopped();
        layer.execManager.restart();
    }

    private void restartTimer(boolean forLeaderChange) {
        if (layer.requestsTimer != null) {
            // What waited here may have been ordered within the state; the other replicas watch what was not.
            layer.requestsTimer.clearAll();
            if (!forLeaderChange) {
                layer.requestsTimer.stopAllSTOPs();
            }
            layer.requestsTimer.Enabled(true);
            layer.requestsTimer.startTimer();
        }
    }

    void resumeLeaderChange() {
        layer.getSynchronizer().resumeLC();
    }
}
