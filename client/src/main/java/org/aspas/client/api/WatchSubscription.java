package org.aspas.client.api;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.net.SerialExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscriber's view of an object. Servers push no values to sessions, so the subscription polls with local reads and pauses between
 * them. When an answer names a newer certificate than that of the last certified value, a certified read follows. Changes that arrive
 * while the subscriber requests nothing are skipped and counted, except for the newest. The state is confined to its own mailbox.
 */
final class WatchSubscription<T, R> implements Flow.Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(WatchSubscription.class);

    private final Flow.Subscriber<? super R> subscriber;
    private final Function<ReadLevel, CompletionStage<ReadResult<T>>> reader;
    private final Function<WatchedPair<T>, R> form;
    private final Duration interval;
    private final SerialExecutor mailbox;
    private final ScheduledExecutorService timer;
    private long demand;
    private boolean over;
    private @Nullable WatchedPair<T> told;
    private @Nullable WatchedPair<T> next;
    private @Nullable T certified;
    private CertificateNumber certificate = CertificateNumber.NONE;
    private long skipped;

    WatchSubscription(
            Flow.Subscriber<? super R> subscriber,
            Function<ReadLevel, CompletionStage<ReadResult<T>>> reader,
            Function<WatchedPair<T>, R> form,
            Duration interval,
            Executor executor,
            ScheduledExecutorService timer) {
        this.subscriber = subscriber;
        this.reader = reader;
        this.form = form;
        this.interval = interval;
        this.mailbox = new SerialExecutor(executor);
        this.timer = timer;
    }

    void start() {
        run(() -> {
            subscriber.onSubscribe(this);
            ask();
        });
    }

    /** Runs a step in the mailbox; a subscriber that throws receives nothing more. */
    private void run(Runnable step) {
        try {
            mailbox.execute(() -> {
                try {
                    step.run();
                } catch (Throwable careless) { // The application's, an Error too.
                    end(() -> subscriber.onError(careless));
                }
            });
        } catch (RejectedExecutionException closed) {
            over = true; // The shared resources are closed, so the subscriber cannot be told.
        }
    }

    private void ask() {
        if (!over) {
            var unused = reader.apply(ReadLevel.LOCAL)
                    .whenComplete((result, failure) -> run(() -> {
                        if (failure == null) {
                            local(result);
                        } else {
                            failed(failure);
                        }
                    }));
        }
    }

    private void local(ReadResult<T> result) {
        T local = result.value();
        if (!result.certificateNumber().isAfter(certificate)) {
            seen(local);
            return;
        }
        var unused = reader.apply(ReadLevel.CERTIFIED)
                .whenComplete((proved, failure) -> run(() -> {
                    if (failure == null) {
                        certified = proved.value();
                        certificate = proved.certificateNumber();
                        seen(local);
                    } else {
                        failed(failure);
                    }
                }));
    }

    private void seen(T local) {
        WatchedPair<T> now = new WatchedPair<>(local, certified, certificate, skipped);
        WatchedPair<T> waiting = next;
        if (!now.sameValues(waiting == null ? told : waiting)) {
            if (waiting != null) {
                skipped++;
            }
            next = now;
            tell();
        }
        later();
    }

    private void tell() {
        WatchedPair<T> waiting = next;
        if (!over && waiting != null && demand > 0) {
            demand -= demand == Long.MAX_VALUE ? 0 : 1;
            next = null;
            told = waiting;
            subscriber.onNext(form.apply(
                    new WatchedPair<>(waiting.local(), waiting.certified(), waiting.certificate(), skipped)));
        }
    }

    private void later() {
        if (!over) {
            try {
                timer.schedule(() -> run(this::ask), interval.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closed) {
                end(subscriber::onComplete);
            }
        }
    }

    /** Retries after a temporary failure, and otherwise ends the subscription. */
    private void failed(Throwable failure) {
        AspasException why = AspasException.in(failure).orElse(null);
        if (why instanceof AspasException.ClientClosed) {
            end(subscriber::onComplete);
        } else if (why == null || lasts(why)) {
            end(() -> subscriber.onError(why == null ? failure : why));
        } else {
            later();
        }
    }

    private static boolean lasts(AspasException why) {
        if (why instanceof AspasException.Refused refused) {
            Refusal.Reason reason = refused.reason();
            return reason == Refusal.Reason.WRONG_TYPE
                    || reason == Refusal.Reason.TOO_LARGE
                    || reason == Refusal.Reason.UNKNOWN_CLIENT
                    || reason == Refusal.Reason.EXCLUDED;
        }
        return why instanceof AspasException.InvalidCall
                || why instanceof AspasException.UnexpectedValue
                || why instanceof AspasException.Unreachable
                || why instanceof AspasException.WrongServer
                || why instanceof AspasException.ClientBroken;
    }

    private void end(Runnable word) {
        if (!over) {
            over = true;
            try {
                word.run();
            } catch (Throwable careless) {
                LOG.warn("a subscriber failed at its last word", careless);
            }
        }
    }

    @Override
    public void request(long many) {
        run(() -> {
            if (many < 1) {
                end(() -> subscriber.onError(
                        new IllegalArgumentException("a subscriber requests at least 1, not " + many)));
            } else {
                demand = demand + many < 0 ? Long.MAX_VALUE : demand + many;
                tell();
            }
        });
    }

    @Override
    public void cancel() {
        run(() -> over = true);
    }
}
