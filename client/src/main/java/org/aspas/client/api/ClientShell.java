package org.aspas.client.api;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.certify.step.CoreLoop;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Codec;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Event;
import org.aspas.client.core.Failure;
import org.aspas.client.core.InspectionCounts;
import org.aspas.client.core.Notice;
import org.aspas.client.net.SerialExecutor;
import org.aspas.client.net.Transport;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one core in its mailbox: turns bytes and timers into events, and carries out the effects. */
final class ClientShell {
    private static final Logger LOG = LoggerFactory.getLogger(ClientShell.class);
    private static final long TICK_MILLIS = 250;

    final OpenCalls calls = new OpenCalls(System::nanoTime);
    final CompletableFuture<Long> ready = new CompletableFuture<>();
    final CompletableFuture<Void> ended = new CompletableFuture<>();
    final List<Consumer<Notice>> listeners = new CopyOnWriteArrayList<>();
    final List<Consumer<ClientEvent>> eventListeners = new CopyOnWriteArrayList<>();
    private final ClientCore core;
    private final CoreLoop<Event, Effect> loop = new CoreLoop<>(this::take, this::carryOut);
    private final ClientOptions options;
    final ClientResources resources;
    final SessionConnection connection;
    private final QueryConnections side;
    final SerialExecutor mailbox;
    private final ScheduledFuture<?> ticks;
    final Deadlines deadlines;
    private boolean over;
    private volatile Failure reason = new Failure.Closed();
    private volatile @Nullable Throwable cause;

    volatile int unconfirmed;
    volatile int waiting;
    volatile int exposure;
    volatile long waited;
    volatile long tolerance;
    volatile long verificationFailures;
    volatile long inspections;
    volatile InspectionCounts inspected = InspectionCounts.NONE;
    volatile @Nullable Certificate newest;

    ClientShell(ClientCore core, ClientOptions options, ClientResources resources, List<Transport> transports) {
        this.core = core;
        this.tolerance = core.tolerance();
        this.options = options;
        this.resources = resources;
        this.mailbox = new SerialExecutor(task -> run(task, resources.executor()));
        List<Transport> all = List.copyOf(transports);
        this.connection = new SessionConnection(core.server(), all, options, resources, mailbox, this::process);
        this.deadlines =
                new Deadlines(resources.scheduler(), mailbox, due -> calls.awaits(due.call(), due.part()), this::late);
        this.side = new QueryConnections(all, mailbox, (from, frame) -> process(new Event.FromServer(from, frame)));
        // The core's clock starts at 0, so calls before the first tick must not look overdue at it.
        long started = System.nanoTime();
        this.ticks = resources
                .scheduler()
                .scheduleAtFixedRate(
                        () -> mailbox.execute(() -> tick(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started))),
                        0,
                        TICK_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    static AspasException unexpected(Value value) {
        return AspasException.unexpected("a verified value has another kind than its type: " + value);
    }

    private void tick(long millis) {
        process(new Event.Tick(millis));
        side.tick(millis);
    }

    /** Handles an expired deadline of a call. Only an update that still waits for room is withdrawn. */
    private void late(Deadlines.Deadline due) {
        long millis = due.limit().toMillis();
        if (due.part() == Deadlines.Part.ANSWER) {
            Failure why = new Failure.TimedOut(millis);
            process(new Event.Withdrawn(due.call(), why));
            calls.late(due.call(), due.part(), why);
        } else {
            calls.late(due.call(), due.part(), new Failure.Unconfirmed(millis));
        }
    }

    void start() {
        mailbox.execute(connection::connect);
    }

    void post(Event event) {
        mailbox.execute(() -> process(event));
    }

    /** Runs a task on the shared executor; if the shared resources are closed already, the client ends at once. */
    private void run(Runnable task, Executor shared) {
        try {
            shared.execute(task);
        } catch (RejectedExecutionException closed) {
            over = true;
            ticks.cancel(false);
            connection.abandon();
            calls.failAll(reason, null);
            ready.completeExceptionally(failure());
            release();
            ended.complete(null);
            task.run(); // Nothing else runs this mailbox any more, so its queued calls fail here.
        }
    }

    /** Steps the core. A defect in the library ends this client only. */
    void process(Event event) {
        if (over) {
            calls.failAll(reason, cause);
            return;
        }
        try {
            loop.take(event);
        } catch (UncheckedIOException disk) {
            broken(String.valueOf(disk.getMessage()), disk);
        } catch (Throwable defect) { // Otherwise open calls would hang.
            broken("defect at " + event.getClass().getSimpleName() + ": " + defect, defect);
        }
    }

    private void broken(String what, Throwable defect) {
        LOG.error("the client ends: {}", what, defect);
        Failure failure = new Failure.Broken(what);
        cause = defect;
        calls.failAll(failure, defect);
        finish(failure);
    }

    /** Steps the core and updates the statistics before the application hears of the step. */
    private List<Effect> take(Event event) {
        List<Effect> effects = core.step(event);
        observe();
        return effects;
    }

    /** Carries out an effect. The store is durable when it returns, so the client continues at once. */
    private @Nullable Event carryOut(Effect effect) {
        if (effect instanceof Effect.Persist persist) {
            ClientStateStore store = options.state;
            if (store != null) {
                store.save(persist.record());
            }
            return new Event.Persisted(persist.ticket());
        }
        perform(effect);
        return null;
    }

    private void observe() {
        unconfirmed = core.unconfirmed();
        exposure = core.exposure();
        waiting = core.waiting();
        waited = core.waited();
        tolerance = core.tolerance();
        verificationFailures = core.verificationFailures();
        inspections = core.inspections();
        inspected = core.inspected();
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Send send) {
            connection.send(Codec.encode(send.frame()));
        } else if (effect instanceof Effect.Answered answered) {
            calls.answered(answered);
        } else if (effect instanceof Effect.Confirmed confirmed) {
            calls.confirmed(confirmed);
        } else if (effect instanceof Effect.ReadDone done) {
            calls.readDone(done);
        } else if (effect instanceof Effect.Failed failed) {
            calls.failed(failed.call(), failed.failure());
        } else if (effect instanceof Effect.MayTakeEffect doubtful) {
            calls.mayTakeEffect(doubtful.call(), doubtful.why());
        } else if (effect instanceof Effect.CertificateFound found) {
            calls.certificateFound(found);
        } else if (effect instanceof Effect.Noticed noticed) {
            notice(noticed.notice());
        } else if (effect instanceof Effect.ToServer other) {
            side.send(other.server(), Codec.encode(other.frame()));
        } else if (effect instanceof Effect.Happened happened) {
            happened(happened.event());
        } else if (effect instanceof Effect.TurnTo turn) {
            connection.turnTo(turn.server());
        } else if (effect instanceof Effect.Reconnect reconnect) {
            connection.drop(reconnect.reason());
        } else if (effect instanceof Effect.Ended end) {
            calls.failAll(end.why(), null);
            finish(end.why());
        }
    }

    private void happened(ClientEvent event) {
        if (event instanceof ClientEvent.Revoked revoked) {
            tell(options.onRevoked, revoked);
        }
        for (Consumer<ClientEvent> listener : eventListeners) {
            tell(listener, event);
        }
        if (event instanceof ClientEvent.Confirmed) {
            LOG.trace("{}", event);
        } else {
            LOG.info("{}", event);
        }
    }

    private static <T> void tell(Consumer<T> listener, T what) {
        try {
            listener.accept(what);
        } catch (Throwable careless) { // The application's, an Error or a checked exception too.
            LOG.warn("a listener failed", careless);
        }
    }

    private void notice(Notice notice) {
        if (notice instanceof Notice.SessionOpened opened) {
            connection.opened();
            ready.complete(opened.session());
        } else if (notice instanceof Notice.CertificateAdvanced advanced) {
            newest = advanced.certificate();
        } else if (notice instanceof Notice.VerificationFailed failed) {
            LOG.warn("verification failed: {}: {}", failed.check(), failed.detail());
        } else if (notice instanceof Notice.Disconnected gone) {
            LOG.debug("disconnected: {}", gone.reason());
        } else if (notice instanceof Notice.ProtocolBroken broken) {
            LOG.warn("the server broke the protocol: {}", broken.detail());
        }
        for (Consumer<Notice> listener : listeners) {
            tell(listener, notice);
        }
    }

    /** Returns why the client ended; later calls fail with the same reason. */
    AspasException failure() {
        return AspasException.of(reason, cause);
    }

    private void finish(Failure why) {
        reason = why;
        over = true;
        ticks.cancel(false);
        deadlines.close();
        side.close();
        connection.close();
        ready.completeExceptionally(failure());
        release();
        ended.complete(null);
    }

    private void release() {
        ClientStateStore store = options.state;
        if (store != null) {
            store.close();
        }
    }
}
