package org.aspas.appserver.net;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectChange;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.port.PeerTransport;
import org.aspas.certify.step.CoreLoop;
import org.aspas.certify.step.Ticket;
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
    private final AppServerLag lag;
    private final Executor background;
    private final EntryStore.Progress progress;
    private final Backlog backlog = new Backlog();
    private final LongSteps times = new LongSteps();
    private final Map<ConnectionId, ClientOutlet> clients = new HashMap<>();
    private final CoreLoop<Event, Effect> loop = new CoreLoop<>(this::take, this::carryOut);
    private @Nullable Message lastEncoded;
    private byte[] lastBytes = new byte[0];
    private Consumer<List<ObjectChange>> watcher = changes -> {};

    private CoreActor(
            ActorContext<CoreCommand> context,
            AppServerMachine core,
            EntryStore store,
            PeerTransport peers,
            Runnable ended,
            AppServerLag lag) {
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
            AppServerLag lag) {
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
        loop.take(event);
        lastEncoded = null;
        times.took(began, System.nanoTime());
    }

    private List<Effect> take(Event event) {
        lag.happens(event, System.nanoTime());
        List<Effect> effects = core.step(event);
        if (!effects.isEmpty()) {
            lag.follows(effects, System.nanoTime());
        }
        return effects;
    }

    private @Nullable Event carryOut(Effect effect) {
        if (effect instanceof Effect.Persist persist) {
            boolean durable = store.append(persist.ticket(), persist.record(), progress);
            return durable ? new Event.Persisted(persist.ticket()) : null;
        }
        perform(effect);
        return null;
    }

    private void perform(Effect effect) {
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
        } else if (effect instanceof Effect.Keep keep) {
            store.keep(keep);
        } else if (effect instanceof Effect.CloseClient close) {
            closeClient(close);
        } else if (effect instanceof Effect.BatchJudged judged) {
            judged.batch().judged(judged.outcome(), judged.size());
        } else if (effect instanceof Effect.ObjectsChanged objects) {
            watcher.accept(objects.changes());
        } else if (effect instanceof Effect.OfLeaves leaves) {
            ofLeaves(leaves);
        } else if (effect instanceof Effect.Raise raise) {
            LOG.error("ALARM: {}", raise.alarm().text());
        }
    }

    private void ofLeaves(Effect.OfLeaves effect) {
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

    private void closeClient(Effect.CloseClient close) {
        ClientOutlet outlet = clients.remove(close.connection());
        if (outlet != null) {
            LOG.debug("connection {} is closed: {}", close.connection(), close.reason());
            outlet.close();
        }
    }

    /**
     * How long events wait for a core. That grows when the core lacks processor time, whoever has it, and stays near nothing on a busy machine
     * that still has some for this core. For one thread.
     */
    static final class Backlog {
        /** A usual wait of this length counts as 100 percent. */
        private static final long FULL_NANOS = TimeUnit.MICROSECONDS.toNanos(1_500);

        private static final int WHOLE = 100;
        private static final int WEIGHT_BEFORE = 7;

        private long waited;
        private long events;
        private long usual;

        void waited(long nanos) {
            waited += Math.max(0, nanos);
            events++;
        }

        /** The usual wait of late, from 0 for none to 100; to be asked once in a while, each time of the same length. */
        int percent() {
            long mean = events == 0 ? 0 : waited / events;
            usual = (WEIGHT_BEFORE * usual + mean) / (WEIGHT_BEFORE + 1);
            waited = 0;
            events = 0;
            return (int) Math.min(WHOLE, WHOLE * usual / FULL_NANOS);
        }
    }

    /**
     * How long the core's thread is busy with one event and all that it leads to, by the clock: so long everybody else waits. Besides the
     * core's own work, it has what the machine and its collector take meanwhile. For one thread.
     */
    static final class LongSteps {
        /** The longest is that of the present period and the one before. */
        private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(30);

        private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

        private long periodBegan;
        private boolean begun;
        private long longest;
        private long longestBefore;
        private long tooLong;

        /** A step took from one moment to another, both of {@link System#nanoTime()}. */
        void took(long from, long to) {
            turn(to);
            longest = Math.max(longest, to - from);
            if (to - from > LONG_NANOS) {
                tooLong++;
            }
        }

        private void turn(long now) {
            long passed = now - periodBegan;
            if (!begun || passed >= PERIOD_NANOS) {
                longestBefore = passed < 2 * PERIOD_NANOS ? longest : 0;
                longest = 0;
                periodBegan = now;
                begun = true;
            }
        }

        /** Adds the longest step of the last 30 to 60 s in microseconds, and how many there were above 20 ms since the start. */
        void measure(SortedMap<String, Long> gauges, long now) {
            turn(now);
            gauges.put("core_step_longest_micros", TimeUnit.NANOSECONDS.toMicros(Math.max(longest, longestBefore)));
            gauges.put("core_steps_over_20_ms", tooLong);
        }
    }
}
