package org.aspas.emulab.rivals.bft;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Adds a round trip to a client's way to the replicas, half of it before and half after, by timers.
 *
 * @param timers run the halves; nothing on them blocks
 */
record DelayedOrder(OrderedSession.Order order, Duration roundTrip, ScheduledExecutorService timers)
        implements OrderedSession.Order {
    @Override
    public CompletionStage<byte[]> ask(AskedCommand question, byte[] frame) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        later(() -> order.ask(question, frame)
                .whenComplete((value, failure) -> later(() -> {
                    if (failure == null) {
                        answer.complete(value);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                })));
        return answer;
    }

    private void later(Runnable what) {
        var unused = timers.schedule(what, roundTrip.toNanos() / 2, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        order.close();
    }
}
