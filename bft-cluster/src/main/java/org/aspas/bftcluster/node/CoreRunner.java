package org.aspas.bftcluster.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.lag.StepDurations;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.replica.BftServerCore;
import org.aspas.certify.replica.Command;
import org.aspas.certify.replica.CommandAdmission;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.Event;
import org.aspas.certify.replica.RecordState;
import org.aspas.certify.replica.ReplicaSettings;
import org.aspas.certify.step.CoreLoop;
import org.aspas.certify.wire.CertificateNumber;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the core of a bftserver: gives it one event at a time, on whatever thread the event comes, and has its effects carried
 * out in their order on one thread, and its record written on another. Neither a slow disk nor a slow link holds back the
 * order. Thread-safe.
 */
final class CoreRunner implements OrderedMachine, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CoreRunner.class);

    /** Where effects go. Called on one thread. */
    interface Outlet {
        /** Submits this bftserver's own command. */
        void submit(byte[] command);

        /** Submits an appserver's command. */
        void relay(byte[] command);

        void send(NodeId appserver, byte[] frame);
    }

    private final NodeId self;
    private final int appservers;
    private final CommandAdmission admission;
    private final BftServerCore core;
    /** Guarded by the core's lock, as is what the loop collects. */
    private final CoreLoop<Event, Effect> loop;

    private final List<Effect> outgoing = new ArrayList<>();
    private final Optional<RecordWriter> writer;
    private final ThreadSupervisor supervisor;
    private final Outlet outlet;
    private final ScheduledExecutorService effects;
    private volatile long orderedTime;
    private volatile CertificateNumber certificate = CertificateNumber.NONE;
    private volatile boolean signs;
    private final BftServerLag lag;

    /**
     * Makes the core; time does not pass yet.
     *
     * @param start random and fresh for this start of the process
     * @param record where the core's items go; empty when they count as durable at once
     * @param firstStart without such a record, whether nothing was promised before this start
     * @param spans follows certificates; null without tracing
     */
    CoreRunner(
            ReplicaSettings settings,
            Hash start,
            Optional<DurableRecord> record,
            boolean firstStart,
            ThreadSupervisor supervisor,
            Outlet outlet,
            @Nullable CertificateSpans spans) {
        this.lag = new BftServerLag(spans);
        this.self = NodeId.bftserver(settings.replica());
        this.appservers = settings.members().quorums().appservers();
        this.admission = new CommandAdmission(settings);
        RecordState held = record.map(own -> own.state().copy())
                .orElseGet(() -> firstStart ? RecordState.ofFirstDay() : new RecordState());
        this.core = new BftServerCore(settings, held, start);
        this.loop = new CoreLoop<>(core::step, this::carryOut);
        this.supervisor = supervisor;
        this.writer = record.map(own -> new RecordWriter(self, own, supervisor, this::happened));
        this.outlet = outlet;
        this.effects = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "effects-" + self.index());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Lets time pass from here on. */
    void start(BooleanSupplier takesPart, BooleanSupplier leads) {
        long period = core.tickMillis();
        effects.scheduleWithFixedDelay(
                () -> supervisor.run(() -> happened(new Event.Tick(
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                        takesPart.getAsBoolean(),
                        leads.getAsBoolean()))),
                period,
                period,
                TimeUnit.MILLISECONDS);
    }

    /** An appserver gives a command, which is verified on the caller's thread. */
    void received(NodeId from, byte[] bytes) {
        Command command = new Command(bytes);
        if (admission.admits(from, command)) {
            happened(new Event.Received(from, command));
        } else {
            LOG.debug("a command of {} is refused", from);
        }
    }

    /**
     * Another bftserver gives a command to be ordered; its ACCEPT and its COMMIT count before they are. Returns at once: the caller carries
     * the order's frames, too. As many wait at most as the caller has requests that wait for the order.
     */
    void heard(NodeId from, byte[] bytes) {
        Command word = new Command(bytes);
        if (admission.hears(from, word)) {
            try {
                effects.execute(() -> happened(new Event.Heard(from, word)));
            } catch (RejectedExecutionException closed) {
                LOG.debug("{} hears nothing any more", self);
            }
        }
    }

    void happened(Event event) {
        supervisor.run(() -> {
            synchronized (core) {
                step(event);
            }
        });
    }

    /** A bug of the replicated machine is the same at every bftserver, and the order answers it. */
    @Override
    public byte[] apply(byte[] command) {
        synchronized (core) {
            byte[] answer = core.apply(command);
            lag.ordered(command, core.due(), System.nanoTime());
            happened(new Event.Advanced());
            return answer;
        }
    }

    @Override
    public byte[] snapshot() {
        synchronized (core) {
            return core.snapshot();
        }
    }

    @Override
    public void restore(byte[] snapshot) {
        synchronized (core) {
            core.restore(snapshot);
            happened(new Event.Advanced());
        }
    }

    private void step(Event event) {
        outgoing.clear(); // What a step left behind that failed.
        loop.take(event);
        orderedTime = core.orderedTime();
        certificate = core.certificate();
        signs = core.signs();
        if (!outgoing.isEmpty()) {
            List<Effect> all = List.copyOf(outgoing);
            lag.follows(all, System.nanoTime());
            effects.execute(() -> supervisor.run(() -> all.forEach(this::perform)));
        }
    }

    /** Hands over what is to be written; everything else is performed on the thread of effects. */
    private @Nullable Event carryOut(Effect effect) {
        if (!(effect instanceof Effect.Persist persist)) {
            outgoing.add(effect);
        } else if (writer.isPresent()) {
            writer.get().write(persist);
        } else {
            return new Event.Persisted(persist.ticket());
        }
        return null;
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Submit own) {
            outlet.submit(own.command());
        } else if (effect instanceof Effect.Relay relay) {
            outlet.relay(relay.command().bytes());
        } else if (effect instanceof Effect.ToAppserver send) {
            outlet.send(send.to(), send.frame());
        } else if (effect instanceof Effect.ToAppservers send) {
            for (int server = 0; server < appservers; server++) {
                outlet.send(NodeId.appserver(server), send.frame());
            }
        } else {
            tell(effect);
        }
    }

    private void tell(Effect effect) {
        if (effect instanceof Effect.TellConviction told) {
            LOG.warn("appserver {} is convicted by {}", told.server(), told.evidence());
        } else if (effect instanceof Effect.TellStop told) {
            LOG.error(
                    "CERTIFICATION HAS STOPPED: appservers {} are convicted, more than the deployment tolerates",
                    told.convicted());
        } else if (effect instanceof Effect.TellBrokenOrder) {
            LOG.error(
                    "{} was asked to accept or sign another content under a number that it has signed, and refused:"
                            + " the order is broken, or more than b bftservers lie",
                    self);
        }
    }

    StepDurations lag() {
        return lag.durations();
    }

    long orderedTime() {
        return orderedTime;
    }

    /** The number of the newest content that 2b+1 bftservers committed to. */
    CertificateNumber certificate() {
        return certificate;
    }

    /** Whether the bftserver has its complete record and can write it. */
    boolean signs() {
        return signs && !writer.map(RecordWriter::failing).orElse(false);
    }

    void stop() {
        effects.shutdownNow();
    }

    /** Closes the record, after what is being written. */
    @Override
    public void close() {
        writer.ifPresent(RecordWriter::close);
    }
}
