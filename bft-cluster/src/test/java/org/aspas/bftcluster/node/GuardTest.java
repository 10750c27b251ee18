package org.aspas.bftcluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.certify.identity.NodeId;
import org.junit.jupiter.api.Test;

class GuardTest {
    private final Guard guard = new Guard(NodeId.bftserver(2));

    @Test
    void aBugOnAnExecutorsThreadIsAFailure() throws Exception {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try {
            var unused = thread.schedule(
                    () -> guard.run(() -> {
                        throw new IllegalStateException("on purpose");
                    }),
                    0,
                    TimeUnit.MILLISECONDS);
            assertThat(guard.failure().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .contains("on purpose");
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void nothingIsRunAfterABug() {
        AtomicInteger runs = new AtomicInteger();
        guard.run(runs::incrementAndGet);
        guard.run(() -> {
            throw new AssertionError("on purpose");
        });
        guard.run(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
        assertThat(guard.failure().toCompletableFuture()).isCompleted();
    }

    @Test
    void whatClosingDisturbsIsNoFailure() {
        guard.run(() -> {
            guard.end();
            throw new IllegalStateException("closed meanwhile");
        });
        assertThat(guard.failure().toCompletableFuture()).isNotDone();
    }

    @Test
    void theFirstReasonCounts() {
        CountDownLatch told = new CountDownLatch(1);
        guard.failure().thenAccept(reason -> {
            assertThat(reason).isEqualTo("first");
            told.countDown();
        });
        guard.fail("first");
        guard.fail("second");
        assertThat(told.getCount()).isZero();
    }
}
