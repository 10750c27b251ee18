package org.aspas.bftcluster.replica;

import bftsmart.statemanagement.strategy.StandardSMMessage;
import bftsmart.statemanagement.strategy.StandardStateManager;
import bftsmart.tom.core.DeliveryThread;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.util.TOMUtil;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The library's state transfer, with two differences: waiting for the other replicas at start can be given up, and the
 * ordering layer, which the library keeps private, can be reached.
 */
final class CancellableStateManager extends StandardStateManager {
    private static final long ASK_AGAIN_MILLIS = 300;

    private final CountDownLatch cancelled = new CountDownLatch(1);
    private volatile @Nullable TOMLayer layer;

    @Override
    public void init(TOMLayer tomLayer, DeliveryThread deliveryThread) {
        layer = tomLayer;
        super.init(tomLayer, deliveryThread);
    }

    /** The ordering layer; null before the replica has made it. */
    @Nullable
    TOMLayer layer() {
        return layer;
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

    @Override
    public void askCurrentConsensusId() {
        int self = SVController.getStaticConf().getProcessId();
        StandardSMMessage question = new StandardSMMessage(self, -1, TOMUtil.SM_ASK_INITIAL, 0, null, null, 0, 0);
        tomLayer.getCommunication().send(SVController.getCurrentViewAcceptors(), question);
        int[] others = SVController.getCurrentViewOtherAcceptors();
        while (isInitializing && cancelled.getCount() > 0) {
            tomLayer.getCommunication().send(others, question);
            if (awaitCancelled(ASK_AGAIN_MILLIS)) {
                return;
            }
        }
    }
}
