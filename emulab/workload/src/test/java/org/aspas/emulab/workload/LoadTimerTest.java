package org.aspas.emulab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** {@link LoadTimer} by what becomes of the futures and tasks that it is given. */
class LoadTimerTest {
    @Test
    void whatDoesNotEndInTimeFails() {
        CompletableFuture<String> never = new CompletableFuture<>();
        assertThatThrownBy(() -> LoadTimer.within(0, never).get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void whatEndsInTimeKeepsItsValueAndItsFailure() {
        CompletableFuture<String> value = new CompletableFuture<>();
        assertThat(LoadTimer.within(3600, value)).isSameAs(value);
        value.complete("answer");
        assertThat(value).isCompletedWithValue("answer");
        CompletableFuture<String> failure = LoadTimer.within(3600, new CompletableFuture<>());
        failure.completeExceptionally(new IllegalStateException("refused"));
        assertThat(failure)
                .failsWithin(60, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void aTaskRunsWhereItIsToRun() throws Exception {
        CompletableFuture<Runnable> given = new CompletableFuture<>();
        AtomicBoolean ran = new AtomicBoolean();
        LoadTimer.after(0, given::complete, () -> ran.set(true));
        Runnable task = given.get(60, TimeUnit.SECONDS);
        assertThat(ran).isFalse();
        task.run();
        assertThat(ran).isTrue();
    }
}
