package org.aspas.client.api;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Decoded;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.message.Certificate;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Event;
import org.aspas.client.core.Failure;
import org.aspas.client.core.Notice;
import org.aspas.client.transport.SerialExecutor;
import org.aspas.client.transport.Transport;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one core in its mailbox: turns bytes and timers into events, and effects into deeds. */
final class ClientShell {
    private static final Logger LOG = LoggerFactory.getLogger(ClientShell.class);
    private static final long TICK_MILLIS = 250;
    private static final long LEAST_PAUSE_MILLIS = 100;
    private static final long MOST_PAUSE_MILLIS = 5_000;

    final Tickets tickets = new Tickets(System::nanoTime);
    final CompletableFuture<Long> ready = new CompletableFuture<>();
    final CompletableFuture<Void> ended = new CompletableFuture<>();
    final List<Consumer<Notice>> listeners = new CopyOnWriteArrayList<>();
    final List<Consumer<ClientEvent>> eventListeners = new CopyOnWriteArrayList<>();
    private final ClientCore core;
    private final ClientOptions options;
    private final ClientResources resources;
    private final List<Transport> transports;
    private final SideConnections side;
    private final SerialExecutor mailbox;
    private final ScheduledFuture<?> ticks;
    private Transport.@Nullable Connection connection;
    private long generation;
    private int failedAttempts;
    private boolean over;
    private volatile Failure reason = new Failure.Closed();

    volatile int unconfirmed;
    volatile int waiting;
    volatile int highestUnconfirmed;
    volatile long verificationFailures;
    volatile long connections;
    volatile long inspections;
    volatile long switches;
    volatile int server;
    volatile @Nullable Certificate newest;

    ClientShell(ClientCore core, ClientOptions options, ClientResources resources, List<Transport> transports) {
        this.core = core;
        this.options = options;
        this.resources = resources;
        this.transports = List.copyOf(transports);
        this.server = core.server();
        this.mailbox = new SerialExecutor(resources.executor());
        this.side = new SideConnections(
                this.transports, this::execute, (from, frame) -> process(new Event.FromServer(from, frame)));
        // The core's clock starts at 0 with the core: what is asked before the first tick must not look overdue at it.
        long started = System.nanoTime();
        this.ticks = resources
                .scheduler()
                .scheduleAtFixedRate(
                        () -> execute(() -> tick(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started))),
                        0,
                        TICK_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /** The exception for a value of another kind than its datatype has. */
    static AspasException unexpected(Value value) {
        return AspasException.of(new Failure.Broken("a verified value has another kind than its type: " + value));
    }

    private void tick(long millis) {
        process(new Event.Tick(millis));
        side.tick(millis);
    }

    void start() {
        mailbox.execute(this::connect);
    }

    /** Whether the calling thread runs this client, so that it must not wait for it. */
    boolean isCurrent() {
        return mailbox.isCurrent();
    }

    void post(Event event) {
        execute(() -> process(event));
    }

    /** Queues a step; when the shared resources are closed already, the client ends here and now. */
    void execute(Runnable step) {
        try {
            mailbox.execute(step);
        } catch (RejectedExecutionException closed) {
            resourcesClosed();
        }
    }

    /** Runs a step on the transport's thread, which is one of the shared ones, if the client is idle; else queues it. */
    private void executeHere(Runnable step) {
        try {
            mailbox.executeHere(step);
        } catch (RejectedExecutionException closed) {
            resourcesClosed();
        }
    }

    private void resourcesClosed() {
        ticks.cancel(false);
        ready.completeExceptionally(AspasException.of(new Failure.Closed()));
        ended.complete(null);
    }

    /** Steps the core; a defect of ours ends this client and no other. */
    void process(Event event) {
        if (over) {
            tickets.failAll(reason);
            return;
        }
        try {
            core.step(event).forEach(this::perform);
            observe();
        } catch (UncheckedIOException disk) {
            broken(String.valueOf(disk.getMessage()), disk);
        } catch (RuntimeException defect) {
            broken("defect at " + event.getClass().getSimpleName() + ": " + defect, defect);
        }
    }

    private void broken(String what, RuntimeException cause) {
        LOG.error("the client ends: {}", what, cause);
        Failure failure = new Failure.Broken(what);
        tickets.failAll(failure);
        finish(failure);
    }

    private void observe() {
        int now = core.unconfirmed();
        unconfirmed = now;
        highestUnconfirmed = Math.max(highestUnconfirmed, now);
        waiting = core.waiting();
        verificationFailures = core.verificationFailures();
        inspections = core.inspections();
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Send send) {
            send(send.frame());
        } else if (effect instanceof Effect.Answered answered) {
            tickets.answered(answered);
        } else if (effect instanceof Effect.Confirmed confirmed) {
            tickets.confirmed(confirmed);
        } else if (effect instanceof Effect.ReadDone done) {
            tickets.readDone(done);
        } else if (effect instanceof Effect.Failed failed) {
            tickets.failed(failed.ticket(), failed.failure());
        } else if (effect instanceof Effect.MayTakeEffect doubtful) {
            tickets.mayTakeEffect(doubtful.ticket(), doubtful.why());
        } else if (effect instanceof Effect.CertificateFound found) {
            tickets.certificateFound(found);
        } else if (effect instanceof Effect.Noticed noticed) {
            notice(noticed.notice());
        } else if (effect instanceof Effect.Persist persist) {
            ClientStateStore store = options.state();
            if (store != null) {
                store.save(persist.record());
            }
        } else if (effect instanceof Effect.ToServer other) {
            side.send(other.server(), bytes(other.frame()));
        } else if (effect instanceof Effect.Happened happened) {
            happened(happened.event());
        } else if (effect instanceof Effect.TurnTo turn) {
            turnTo(turn.server());
        } else if (effect instanceof Effect.Reconnect reconnect) {
            drop(reconnect.reason());
        } else if (effect instanceof Effect.Ended end) {
            tickets.failAll(end.why());
            finish(end.why());
        }
    }

    private void send(Frame frame) {
        Transport.Connection open = connection;
        if (open != null) {
            open.send(bytes(frame));
        }
    }

    private static byte[] bytes(Frame frame) {
        return frame instanceof Frame.Sealed sealed
                ? Codec.encode(sealed.signed())
                : Codec.encode(((Frame.Plain) frame).message());
    }

    private void happened(ClientEvent event) {
        if (event instanceof ClientEvent.Revoked revoked) {
            tell(options.onRevoked(), revoked);
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
        } catch (RuntimeException careless) {
            LOG.warn("a listener failed", careless);
        }
    }

    private void turnTo(int next) {
        Transport.Connection open = connection;
        generation++;
        connection = null;
        server = next;
        switches++;
        if (open != null) {
            open.close();
        }
        execute(this::connect);
    }

    private void notice(Notice notice) {
        if (notice instanceof Notice.SessionOpened opened) {
            failedAttempts = 0;
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

    private void connect() {
        if (over || connection != null) {
            return;
        }
        long mine = ++generation;
        connection = transports.get(server).connect(new Transport.Listener() {
            @Override
            public void connected() {
                execute(() -> ifCurrent(mine, ClientShell.this::connected));
            }

            @Override
            public void received(byte[] frame, Runnable consumed) {
                executeHere(() -> {
                    ifCurrent(mine, () -> receive(frame));
                    consumed.run();
                });
            }

            @Override
            public void closed(String reason) {
                execute(() -> ifCurrent(mine, () -> lost(reason)));
            }
        });
    }

    private void ifCurrent(long mine, Runnable step) {
        if (mine == generation && !over) {
            step.run();
        }
    }

    private void connected() {
        connections++;
        process(new Event.Connected());
    }

    private void receive(byte[] bytes) {
        Decoded<Frame> decoded = Codec.decode(bytes);
        if (decoded instanceof Decoded.Accepted<Frame> accepted) {
            process(new Event.FrameReceived(accepted.value()));
        } else if (decoded instanceof Decoded.Rejected<Frame> rejected) {
            process(new Event.FrameRejected(rejected.reason()));
        }
    }

    private void drop(String reason) {
        Transport.Connection open = connection;
        long mine = generation;
        if (open != null) {
            open.close();
        }
        execute(() -> ifCurrent(mine, () -> lost(reason)));
    }

    private void lost(String reason) {
        generation++;
        connection = null;
        failedAttempts++;
        process(new Event.Disconnected(reason));
        if (options.connectAttempts() > 0 && failedAttempts >= options.connectAttempts()) {
            process(new Event.End(new Failure.Unreachable(reason)));
            return;
        }
        long pause = Math.min(MOST_PAUSE_MILLIS, LEAST_PAUSE_MILLIS << Math.min(failedAttempts - 1, 6));
        var unused = resources.scheduler().schedule(() -> execute(this::connect), pause, TimeUnit.MILLISECONDS);
    }

    /** Why it ended, once it has: also calls that come later fail with it. */
    Failure reason() {
        return reason;
    }

    private void finish(Failure why) {
        reason = why;
        over = true;
        generation++;
        ticks.cancel(false);
        side.close();
        Transport.Connection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
        ready.completeExceptionally(AspasException.of(why));
        ended.complete(null);
    }
}
