package org.aspas.appserver.net;

import akka.actor.ActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.Adapter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectChange;
import org.aspas.appserver.core.state.ObjectPage;
import org.aspas.appserver.core.state.ObjectQueries;
import org.aspas.appserver.core.state.ObjectView;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.ClientPort;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.port.ObjectPort;
import org.aspas.appserver.port.PeerTransport;
import org.aspas.appserver.trace.AppServerSpans;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.lag.StepDurations;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.jspecify.annotations.Nullable;

/** The running core, as everybody else sees it. Thread-safe. */
public final class CoreHandle implements ClientPort, ObjectPort {
    /** The dispatcher that the actor system must define: one thread for each core. */
    public static final String DISPATCHER = "aspas.core-dispatcher";

    private static final long STATUS_TIMEOUT_SECONDS = 5;

    private final ActorRef<CoreCommand> actor;
    private final AtomicLong connections = new AtomicLong();
    private final AppServerLag lag;
    private final ObjectPrefetcher ahead;
    private final CompletableFuture<Object> ended;
    /** Whether it was told to stop. */
    private final AtomicBoolean told = new AtomicBoolean();

    private CoreHandle(
            ActorRef<CoreCommand> actor, AppServerLag lag, ObjectPrefetcher ahead, CompletableFuture<Object> ended) {
        this.actor = actor;
        this.lag = lag;
        this.ahead = ahead;
        this.ended = ended;
    }

    /**
     * Starts the actor.
     *
     * @param system defines {@value #DISPATCHER}
     * @param core not used by anybody else from now on
     * @param spans follows the certification of entries; null without tracing
     */
    public static CoreHandle start(
            ActorSystem system,
            AppServerMachine core,
            CoreSettings settings,
            EntryStore store,
            PeerTransport peers,
            Duration tick,
            @Nullable AppServerSpans spans) {
        AppServerLag lag =
                new AppServerLag(settings.index(), settings.quorums(), spans == null ? null : spans.certifications());
        CompletableFuture<Object> ended = new CompletableFuture<>();
        ActorRef<CoreCommand> actor = Adapter.spawnAnonymous(
                system,
                CoreActor.of(core, store, peers, tick, () -> ended.complete("ended"), lag),
                DispatcherSelector.fromConfig(DISPATCHER));
        ObjectPrefetcher ahead = new ObjectPrefetcher(store.resting(), "ahead-" + settings.index());
        ended.thenRun(ahead::close);
        return new CoreHandle(actor, lag, ahead, ended);
    }

    /**
     * Gives the core an event; where that needs resting objects, after they were read.
     *
     * @return done when the core has handled it; fails when the core has stopped before
     */
    public CompletionStage<?> happened(Event event) {
        return ahead.before(
                NeededObjects.source(event),
                () -> NeededObjects.of(event),
                () -> this.<Object>ask(done -> new CoreCommand.Happened(event, done)));
    }

    @Override
    public ConnectionId open(ClientOutlet outlet) {
        ConnectionId connection = new ConnectionId(connections.incrementAndGet());
        if (isStopped()) {
            outlet.close();
        } else {
            actor.tell(new CoreCommand.Open(connection, outlet));
        }
        return connection;
    }

    @Override
    public CompletionStage<?> receive(ConnectionId connection, Frame frame) {
        return happened(new Event.ClientFrame(connection, frame));
    }

    @Override
    public void close(ConnectionId connection) {
        happened(new Event.ClientGone(connection));
    }

    @Override
    public CompletionStage<CoreStatus> status() {
        return ask(CoreCommand.Ask::new)
                .orTimeout(STATUS_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .thenApply(status -> status.with(new TreeMap<>(Map.of("objects_read_ahead", ahead.count()))));
    }

    @Override
    public void watch(Set<String> keys, Consumer<List<ObjectChange>> watcher) {
        actor.tell(new CoreCommand.Watch(keys, watcher));
    }

    @Override
    public CompletionStage<?> pictures(List<String> keys, Consumer<Optional<List<ObjectView>>> shown) {
        return ahead.before(
                null,
                () -> keys,
                () -> query(objects -> {
                    shown.accept(objects.pictures(keys));
                    return keys;
                }));
    }

    @Override
    public CompletionStage<Optional<ObjectPage>> page(CertificateNumber number, Hash from) {
        return query(objects -> objects.page(number, from));
    }

    private <T> CompletionStage<T> query(Function<ObjectQueries, T> question) {
        return this.<T>ask(reply -> new CoreCommand.Query<>(question, reply));
    }

    private <T> CompletableFuture<T> ask(Function<CompletableFuture<T>, CoreCommand> command) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        if (isStopped()) {
            reply.completeExceptionally(new IllegalStateException("the core has stopped"));
        } else {
            actor.tell(command.apply(reply));
        }
        return reply;
    }

    /** How long the steps of the certification of own entries took; a copy. */
    public StepDurations lag() {
        return lag.durations();
    }

    /** Whether the core runs no more, because it was told to stop or because of a bug. */
    public boolean isStopped() {
        return ended.isDone();
    }

    /** Completes, with a reason for people, when the core runs no more though nobody told it to stop. */
    public CompletionStage<String> failure() {
        CompletableFuture<String> failure = new CompletableFuture<>();
        ended.thenRun(() -> {
            if (!told.get()) {
                failure.complete("its core cannot go on, for the reason in the log");
            }
        });
        return failure;
    }

    /** Ends the core after what it was told before; what waits for the disk still fails then. Closes the clients' outlets. */
    public CompletionStage<?> stop() {
        told.set(true);
        if (!isStopped()) {
            actor.tell(CoreCommand.Order.STOP);
        }
        return ended;
    }
}
