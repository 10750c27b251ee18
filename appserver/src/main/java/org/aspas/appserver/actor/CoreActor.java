package org.aspas.appserver.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.appserver.core.port.AppServerMachine;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.core.port.Effect;
import org.aspas.appserver.core.port.Event;
import org.aspas.appserver.core.port.ObjectChange;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.port.PeerTransport;
import org.aspas.certify.durable.Ticket;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owns the core: one event at a time in, its effects carried out in order. */
final class CoreActor extends AbstractBehavior<CoreCommand> {
    private static final Logger LOG = LoggerFactory.getLogger(CoreActor.class);

    private final AppServerMachine core;
    private final EntryStore store;
    private final PeerTransport peers;
    private final Runnable ended;
    private final OwnEntryLag lag;
    private final Executor background;
    private final EntryStore.Progress progress;
    private final Backlog backlog = new Backlog();
    private final LongSteps times = new LongSteps();
    private final Map<ConnectionId, ClientOutlet> clients = new HashMap<>();
    private final Deque<Event> due = new ArrayDeque<>();
    private @Nullable Ticket durable;
    private @Nullable Message lastEncoded;
    private byte[] lastBytes = new byte[0];
    private Consumer<List<ObjectChange>> watcher = changes -> {};

    private CoreActor(
            ActorContext<CoreCommand> context,
            AppServerMachine core,
            EntryStore store,
            PeerTransport peers,
            Runnable ended,
            OwnEntryLag lag) {
        super(context);
        this.core = core;
        this.store = store;
        this.peers = peers;
        this.ended = ended;
        this.lag = lag;
        this.background = context.getSystem().dispatchers().lookup(DispatcherSelector.defaultDispatcher());
        this.progress = new Progress(context.getSelf());
    }

    /** Turns the store's reports into messages to the actor. */
    private record Progress(ActorRef<CoreCommand> actor) implements EntryStore.Progress {
        @Override
        public void written(Ticket ticket) {
            actor.tell(new CoreCommand.Written(ticket));
        }

        @Override
        public void durable(Ticket ticket) {
            actor.tell(new CoreCommand.Durable(ticket));
        }
    }

    static Behavior<CoreCommand> of(
            AppServerMachine core,
            EntryStore store,
            PeerTransport peers,
            Duration tick,
            Runnable ended,
            OwnEntryLag lag) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            Duration resolution = context.getSystem().settings().config().getDuration("akka.scheduler.tick-duration");
            timers.startTimerWithFixedDelay(CoreCommand.Order.TICK, Duration.ZERO, delayFor(tick, resolution));
            return new CoreActor(context, core, store, peers, ended, lag);
        }));
    }

    /** The delay that makes a timer of Akka's fire each tick: Akka ends every delay one step of its own scheduler late. */
    private static Duration delayFor(Duration tick, Duration resolution) {
        Duration shorter = tick.minus(resolution);
        return shorter.isNegative() || shorter.isZero() ? tick : shorter;
    }

    @Override
    public Receive<CoreCommand> createReceive() {
        return newReceiveBuilder()
                .onMessage(CoreCommand.Happened.class, this::onHappened)
                .onMessage(CoreCommand.Open.class, this::onOpen)
                .onMessage(CoreCommand.Durable.class, this::onDurable)
                .onMessage(CoreCommand.Written.class, this::onWritten)
                .onMessage(CoreCommand.Loaded.class, this::onLoaded)
                .onMessageEquals(CoreCommand.Order.TICK, this::onTick)
                .onMessage(CoreCommand.Ask.class, this::onAsk)
                .onMessage(CoreCommand.Watch.class, this::onWatch)
                .onMessage(CoreCommand.Query.class, this::onQuery)
                .onMessageEquals(CoreCommand.Order.STOP, Behaviors::stopped)
                .onSignal(PostStop.class, this::onEnd)
                .build();
    }

    private Behavior<CoreCommand> onHappened(CoreCommand.Happened happened) {
        if (happened.event() instanceof Event.ClientGone gone) {
            clients.remove(gone.connection());
        }
        backlog.waited(System.nanoTime() - happened.nanos());
        step(happened.event());
        happened.done().complete("done");
        return this;
    }

    private Behavior<CoreCommand> onOpen(CoreCommand.Open open) {
        clients.put(open.connection(), open.outlet());
        step(new Event.ClientOpened(open.connection()));
        return this;
    }

    private Behavior<CoreCommand> onDurable(CoreCommand.Durable done) {
        step(new Event.Persisted(done.ticket()));
        return this;
    }

    private Behavior<CoreCommand> onWritten(CoreCommand.Written done) {
        step(new Event.Written(done.ticket()));
        return this;
    }

    private Behavior<CoreCommand> onLoaded(CoreCommand.Loaded loaded) {
        step(loaded.event());
        return this;
    }

    private Behavior<CoreCommand> onTick() {
        step(new Event.Tick(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), backlog.percent()));
        return this;
    }

    /** Takes what only this thread may read; another one sorts it and writes the answer, so that the core does not. */
    private Behavior<CoreCommand> onAsk(CoreCommand.Ask ask) {
        SortedMap<String, Long> measured = new TreeMap<>();
        long now = System.nanoTime();
        times.measure(measured, now);
        CoreStatus status = core.status();
        ask.reply()
                .completeAsync(
                        () -> {
                            lag.durations().measure(measured, now);
                            return status.with(measured);
                        },
                        background);
        return this;
    }

    private Behavior<CoreCommand> onWatch(CoreCommand.Watch watch) {
        watcher = watch.watcher();
        step(new Event.Watch(watch.keys()));
        return this;
    }

    private Behavior<CoreCommand> onQuery(CoreCommand.Query<?> query) {
        query.answer(core.objects());
        return this;
    }

    private Behavior<CoreCommand> onEnd(PostStop signal) {
        ended.run();
        clients.values().forEach(ClientOutlet::close);
        clients.clear();
        return this;
    }

    /** Runs the event, and in the same turn what the store finished meanwhile. */
    private void step(Event event) {
        long began = System.nanoTime();
        due.add(event);
        for (Event next = due.poll(); next != null; next = due.poll()) {
            durable = null;
            lag.happens(next, System.nanoTime());
            List<Effect> effects = core.step(next);
            if (!effects.isEmpty()) {
                lag.follows(effects, System.nanoTime());
                effects.forEach(this::carryOut);
            }
            Ticket written = durable;
            if (written != null) {
                due.addFirst(new Event.Persisted(written));
            }
        }
        lastEncoded = null;
        times.took(began, System.nanoTime());
    }

    private void carryOut(Effect effect) {
        if (effect instanceof Effect.ToClient toClient) {
            ClientOutlet outlet = clients.get(toClient.connection());
            if (outlet != null) {
                outlet.send(toClient.message());
            }
        } else if (effect instanceof Effect.ToClientSigned toClient) {
            ClientOutlet outlet = clients.get(toClient.connection());
            if (outlet != null) {
                outlet.send(toClient.signed());
            }
        } else if (effect instanceof Effect.ToNode toNode) {
            peers.send(toNode.to(), encoded(toNode.message()));
        } else if (effect instanceof Effect.ToNodeSigned toNode) {
            peers.send(toNode.to(), Codec.encode(toNode.signed()));
        } else if (effect instanceof Effect.Persist persist) {
            persist(persist);
        } else if (effect instanceof Effect.Keep keep) {
            store.keep(keep);
        } else if (effect instanceof Effect.CloseClient close) {
            closeClient(close);
        } else if (effect instanceof Effect.BatchJudged judged) {
            judged.batch().judged(judged.outcome(), judged.size());
        } else if (effect instanceof Effect.ObjectsChanged objects) {
            watcher.accept(objects.changes());
        } else if (effect instanceof Effect.OfLeaves leaves) {
            carryOut(leaves);
        } else if (effect instanceof Effect.Raise raise) {
            LOG.error("ALARM: {}", raise.alarm().text());
        }
    }

    private void carryOut(Effect.OfLeaves effect) {
        if (effect instanceof Effect.KeepLeaves keep) {
            store.leaves().keep(keep.origin(), keep.block());
        } else if (effect instanceof Effect.DropLeaves drop) {
            store.leaves().drop(drop.origin(), drop.before());
        } else if (effect instanceof Effect.LoadLeaves load) {
            ActorRef<CoreCommand> self = getContext().getSelf();
            store.leaves()
                    .load(load.origin(), load.first())
                    .thenAccept(block -> self.tell(
                            new CoreCommand.Loaded(new Event.LeavesLoaded(load.origin(), load.first(), block))));
        }
    }

    /** One message often goes to several servers in a row, and is encoded once. */
    private byte[] encoded(Message message) {
        if (message != lastEncoded) {
            lastBytes = Codec.encode(message);
            lastEncoded = message;
        }
        return lastBytes;
    }

    private void persist(Effect.Persist persist) {
        if (store.append(persist.ticket(), persist.record(), progress)) {
            durable = persist.ticket();
        }
    }

    private void closeClient(Effect.CloseClient close) {
        ClientOutlet outlet = clients.remove(close.connection());
        if (outlet != null) {
            LOG.debug("connection {} is closed: {}", close.connection(), close.reason());
            outlet.close();
        }
    }
}
