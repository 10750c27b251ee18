package org.aspas.bftcluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.certify.identity.NodeId;
import org.junit.jupiter.api.Test;

class ThreadSupervisorTest {
    private final ThreadSupervisor supervisor = new ThreadSupervisor(NodeId.bftserver(2));

    @Test
    void aBugOnAnExecutorsThreadIsAFailure() throws Exception {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try {
            var unused = thread.schedule(
                    () -> supervisor.run(() -> {
                        throw new IllegalStateException("on purpose");
                    }),
                    0,
                    TimeUnit.MILLISECONDS);
            assertThat(supervisor.failure().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .contains("on purpose");
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void nothingIsRunAfterABug() {
        AtomicInteger runs = new AtomicInteger();
        supervisor.run(runs::incrementAndGet);
        supervisor.run(() -> {
            throw new AssertionError("on purpose");
        });
        supervisor.run(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
        assertThat(supervisor.failure().toCompletableFuture()).isCompleted();
    }

    @Test
    void whatClosingDisturbsIsNoFailure() {
        supervisor.run(() -> {
            supervisor.end();
            throw new IllegalStateException("closed meanwhile");
        });
        assertThat(supervisor.failure().toCompletableFuture()).isNotDone();
    }

    @Test
    void theFirstReasonCounts() {
        CountDownLatch told = new CountDownLatch(1);
        supervisor.failure().thenAccept(reason -> {
            assertThat(reason).isEqualTo("first");
            told.countDown();
        });
        supervisor.fail("first");
        supervisor.fail("second");
        assertThat(told.getCount()).isZero();
    }
}
