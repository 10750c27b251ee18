package org.aspas.client.api;

import static org.aspas.client.api.LoopbackDeployment.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.wire.CertificateNumber;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A watched counter tells both values as they meet, at the pace of whoever listens. */
class WatchTest {
    private static final Duration OFTEN = Duration.ofMillis(10);

    private LoopbackDeployment deployment;
    private AspasClient client;

    @BeforeEach
    void deploy() throws Exception {
        deployment = new LoopbackDeployment();
        client = deployment.client(deployment.options());
        get(client.ready());
    }

    @AfterEach
    void stop() {
        client.close();
        deployment.close();
    }

    private static final class Listener<T> implements Flow.Subscriber<T> {
        final CompletableFuture<Flow.Subscription> subscribed = new CompletableFuture<>();
        final LinkedBlockingQueue<T> values = new LinkedBlockingQueue<>();
        final CompletableFuture<String> end = new CompletableFuture<>();

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscribed.complete(subscription);
        }

        @Override
        public void onNext(T value) {
            values.add(value);
        }

        @Override
        public void onError(Throwable failure) {
            end.complete(failure.getClass().getSimpleName());
        }

        @Override
        public void onComplete() {
            end.complete("complete");
        }

        T next() throws InterruptedException {
            return values.poll(300, TimeUnit.SECONDS);
        }
    }

    private Listener<CounterValue> listener(long many) throws Exception {
        Listener<CounterValue> listener = new Listener<>();
        client.counter("c").watch(OFTEN).subscribe(listener);
        get(listener.subscribed).request(many);
        return listener;
    }

    @Test
    void bothValuesAreToldAsTheyChange() throws Exception {
        Listener<CounterValue> listener = listener(Long.MAX_VALUE);
        assertThat(listener.next()).isEqualTo(new CounterValue(0, OptionalLong.empty(), CertificateNumber.NONE, 0));
        get(client.counter("c").increment(3).answered());
        CounterValue live = listener.next();
        assertThat(live.local()).isEqualTo(3);
        assertThat(live.uncertified()).isEmpty();
        deployment.transport.certify();
        CounterValue met = listener.next();
        assertThat(met).isEqualTo(new CounterValue(3, OptionalLong.of(3), CertificateNumber.FIRST, 0));
        get(client.counter("c").increment(4).answered());
        assertThat(listener.next().uncertified()).hasValue(4);
        deployment.transport.certify();
        assertThat(listener.next().uncertified()).hasValue(0);
        client.close();
        assertThat(get(listener.end)).isEqualTo("complete");
    }

    /** Adds one, and waits until a listener has seen it. */
    private void addOne(Listener<CounterValue> witness) throws Exception {
        long now = get(client.counter("c").increment(1).answered()).counter().orElseThrow();
        CounterValue seen = witness.next();
        while (seen.local() < now) {
            seen = witness.next();
        }
    }

    @Test
    void whoeverIsSlowGetsTheNewestAndIsToldWhatItMissed() throws Exception {
        Listener<CounterValue> quick = listener(Long.MAX_VALUE);
        Listener<CounterValue> slow = listener(1);
        assertThat(slow.next().local()).isZero();
        CounterValue newest;
        int told = 1;
        do {
            for (int i = 0; i < 5; i++) {
                addOne(quick);
            }
            get(slow.subscribed).request(1);
            newest = slow.next();
            told++;
        } while (newest.skipped() == 0);
        assertThat(newest.local() + 1)
                .as("told, skipped or between two reads")
                .isGreaterThanOrEqualTo(told + newest.skipped());
        get(slow.subscribed).cancel();
        get(slow.subscribed).request(10);
        addOne(quick);
        assertThat(slow.values).as("nothing comes after it is cancelled").isEmpty();
    }

    @Test
    void aLostAnswerIsAskedForAgain() throws Exception {
        Listener<CounterValue> listener = listener(Long.MAX_VALUE);
        listener.next();
        deployment.transport.hold();
        deployment.transport.cut();
        get(client.counter("c").increment(1).answered());
        assertThat(listener.next().local()).isEqualTo(1);
    }

    @Test
    void aRequestOfNothingIsAnError() throws Exception {
        Listener<CounterValue> listener = listener(0);
        assertThat(get(listener.end)).isEqualTo("IllegalArgumentException");
    }

    /** The scripted server has counters alone: what it answers is no set. */
    @Test
    void anObjectOfAnotherTypeIsAnError() throws Exception {
        Listener<SetValue<String>> listener = new Listener<>();
        client.set("c", ElementType.TEXT).watch(OFTEN).subscribe(listener);
        assertThat(get(listener.end)).isEqualTo("UnexpectedValue");
    }

    @Test
    void anIntervalOutOfRangeIsRefused() {
        assertThatThrownBy(() -> client.counter("c").watch(Duration.ofMillis(1)))
                .isInstanceOf(AspasException.InvalidCall.class);
        assertThatThrownBy(() -> client.counter("c").watch(Duration.ZERO))
                .isInstanceOf(AspasException.InvalidCall.class);
    }
}
