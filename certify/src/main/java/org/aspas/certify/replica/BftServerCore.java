package org.aspas.certify.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.machine.CertificationMachine;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Tick;
import org.jspecify.annotations.Nullable;

/**
 * One bftserver (paper §3.5) as a state machine: an event in, effects out. To the order it is the {@link OrderedMachine};
 * after each {@link #apply} and {@link #restore} its shell gives it {@link Event.Advanced}, before any other event. One thread at a
 * time calls it.
 * Nothing that comes in a command makes it throw; an {@link IllegalStateException} is a bug of this program.
 */
public final class BftServerCore implements OrderedMachine {
    /** How often what is still open is done again, for messages and commands that were lost. */
    private static final long REPEAT_MILLIS = 1000;

    private final ReplicaSettings settings;
    private final CommandAdmission admission;
    private final CertificationMachine machine;
    private final RecordState record;
    private final ReplicaOutbox outbox = new ReplicaOutbox();
    private final Gateway gateway;
    private final CertificateSigner signer;
    private final TickPace pace;
    private final List<Outcome> due = new ArrayList<>();
    /** The newest answer of each appserver. */
    private final Map<Integer, Stable> answers = new TreeMap<>();
    /** The question of which it is foreseen what it decides. */
    private @Nullable Ask foreseen;
    /** The question that this bftserver has told the order the content of. */
    private @Nullable Ask toldOf;

    /** The first moment that it was told; all times here are counted from it. */
    private @Nullable Long first;

    private long now;
    private long repeatedAt;
    private boolean takesPart;
    private boolean orderBroken;

    /**
     * A bftserver at the start of its process, before its first command.
     *
     * @param record what its durable record holds; from here on the core changes it
     * @param start random and fresh for this start of the process
     */
    public BftServerCore(ReplicaSettings settings, RecordState record, Hash start) {
        this.settings = settings;
        this.admission = new CommandAdmission(settings);
        this.machine = new CertificationMachine(settings.members(), settings.machine());
        this.record = record;
        this.gateway = new Gateway(settings, outbox);
        this.signer = new CertificateSigner(
                settings.replica(), settings.sealer(), settings.members(), record, start, new SignerOutlet());
        this.pace = new TickPace(settings.replica(), settings.members().quorums(), settings.stepMillis());
    }

    /** What the signer says leaves when what it rests on is durable. */
    private final class SignerOutlet implements CertificateSigner.Outlet {
        @Override
        public void persist(RecordItem item) {
            outbox.persist(item);
        }

        @Override
        public void submit(byte[] command) {
            outbox.promise(new Effect.Submit(command));
        }

        @Override
        public void toAppservers(byte[] frame) {
            outbox.promise(new Effect.ToAppservers(frame));
        }
    }

    // ---- The replicated state ----

    @Override
    public byte[] apply(byte[] command) {
        return apply(new Command(command));
    }

    /** Executes the next command as {@link #apply(byte[])} does; it may have been decoded before. */
    public byte[] apply(Command command) {
        Command known = gateway.ordered(command);
        if (known.frame().orElse(null) instanceof Frame.Sealed sealed) {
            signer.recall(sealed.signed());
        }
        byte[] answer = machine.apply(known.frame());
        due.addAll(machine.drain());
        return answer;
    }

    @Override
    public byte[] snapshot() {
        return machine.snapshot();
    }

    /** {@inheritDoc} What this bftserver would have done on the way there it does at the next {@link Event.Advanced}. */
    @Override
    public void restore(byte[] snapshot) {
        machine.restore(snapshot);
        due.addAll(machine.missedSince(CertificateNumber.NONE));
    }

    /** What the order asks this bftserver to do at the next {@link Event.Advanced}; for whoever measures. */
    public List<Outcome> due() {
        return List.copyOf(due);
    }

    // ---- Events ----

    /** Takes one event, and returns what the shell must do, in order. */
    public List<Effect> step(Event event) {
        if (event instanceof Event.Received received) {
            if (gateway.receive(received.from(), received.command(), now)) {
                admitted(received.command());
            }
        } else if (event instanceof Event.Heard heard) {
            admission.word(heard.from(), heard.word()).ifPresent(signer::hear);
        } else if (event instanceof Event.Advanced) {
            due.forEach(this::carryOut);
            due.clear();
            lookAhead();
        } else if (event instanceof Event.Connected connected) {
            signer.greet(frame -> outbox.promise(new Effect.ToAppserver(connected.appserver(), frame)));
        } else if (event instanceof Event.Persisted persisted) {
            outbox.persisted(persisted.ticket());
        } else if (event instanceof Event.RecordFailed) {
            outbox.fail();
        } else if (event instanceof Event.Tick tick) {
            tick(tick);
        }
        return outbox.take();
    }

    /** Of what appservers bring, an answer is of use before it is ordered. */
    private void admitted(Command command) {
        if (command.frame().orElse(null) instanceof Frame.Sealed sealed
                && sealed.signed().message() instanceof Stable answer) {
            // The first answer to a question counts in the order, too.
            answers.merge(answer.server(), answer, (old, fresh) -> sameQuestion(old, fresh) ? old : fresh);
            lookAhead();
        }
    }

    private static boolean sameQuestion(Stable one, Stable other) {
        return one.epoch().equals(other.epoch()) && one.round() == other.round();
    }

    /**
     * Goes on with what the open question will decide, once 2f+1 appservers have given this bftserver answers that decide. Reports that
     * were kept back for the end of the question can go then, for they are ordered with that.
     */
    private void lookAhead() {
        Optional<Ask> open = machine.openQuestion();
        open.ifPresent(this::foresee);
        gateway.asks(open.filter(ask -> !ask.equals(foreseen)).isPresent(), now);
    }

    private void foresee(Ask open) {
        if (!open.equals(foreseen)) {
            machine.foreseen(answers.values()).ifPresent(decided -> {
                foreseen = open;
                signer.foresee(decided);
            });
        }
        boolean decides = open.equals(foreseen) && !machine.answeredInVain();
        // An earlier question may have decided it, or this one cannot any more:
        // whoever has the certificate answers it no more.
        if (!decides && !open.equals(toldOf) && signer.show(open.number())) {
            toldOf = open;
        }
    }

    private void carryOut(Outcome outcome) {
        signer.on(outcome);
        if (!orderBroken && signer.refusals() > 0) {
            orderBroken = true;
            outbox.now(new Effect.TellBrokenOrder());
        }
        if (outcome instanceof Outcome.Convicted convicted) {
            outbox.now(new Effect.TellConviction(
                    convicted.server(), convicted.evidence().kind()));
        } else if (outcome instanceof Outcome.AssumptionBroken broken) {
            outbox.now(new Effect.TellStop(broken.convicted()));
        }
    }

    private void tick(Event.Tick tick) {
        if (first == null) {
            first = tick.nowMillis();
        }
        now = tick.nowMillis() - first;
        gateway.tick(now, tick.leads());
        boolean joins = tick.takesPart() && !takesPart;
        takesPart = tick.takesPart();
        if (!takesPart) {
            return;
        }
        if (joins || now - repeatedAt >= REPEAT_MILLIS) {
            repeat();
        }
        if (pace.due(machine.tick(), machine.awaitsTime(), now)) {
            Tick vote = new Tick(settings.replica(), machine.tick() + 1);
            outbox.now(new Effect.Submit(Codec.encode(settings.sealer().seal(vote))));
        }
    }

    /** Does once more what is still open; first, says what the record holds. What waits for the disk is not repeated. */
    private void repeat() {
        repeatedAt = now;
        if (!outbox.waits()) {
            signer.join();
            machine.openAcceptance().ifPresent(this::carryOut);
            machine.openCommitment().ifPresent(this::carryOut);
            signer.askAgain();
            remind();
        }
    }

    private void remind() {
        if (machine.isOpen()) {
            signer.remind(machine.openAcceptance()
                    .map(pending -> pending.content().number())
                    .orElse(machine.certificate()));
        }
    }

    // ---- Status ----

    /** How often {@link Event.Tick} is to come, in milliseconds. */
    public long tickMillis() {
        return pace.pollMillis();
    }

    /** The current step of ordered time at this bftserver. */
    public long orderedTime() {
        return machine.tick();
    }

    /** The number of the newest content that 2b+1 bftservers committed to. */
    public CertificateNumber certificate() {
        return machine.certificate();
    }

    /** Whether it has its complete record and can write it: without, it accepts and signs nothing. */
    public boolean signs() {
        return record.knowing() && !outbox.failed();
    }

    /** What it is doing, for whoever has to explain it. */
    @Override
    public String toString() {
        return "tick " + machine.tick() + ", certificate " + machine.certificate() + ", question "
                + machine.openQuestion() + ", acceptance "
                + machine.openAcceptance().map(Outcome.Decided::content) + ", open " + machine.isOpen() + ", record "
                + record.knowing() + (outbox.failed() ? " failed" : "") + ", rejections " + machine.rejections();
    }

    /**
     * When one replica votes for the next step of ordered time (the protocol page, §5.2). It votes a full step after it saw
     * the last one pass, so that time never runs ahead of the fastest correct replica's clock, whatever b others vote. Of each
     * step only b+1 replicas, in turn, vote at that moment, as many as a step takes; the others follow half a step later, and
     * so vote only when one of the first did not. While the machine waits for nothing, votes come more seldom: they then only
     * show to the ordering library that its leader still works. Not thread-safe.
     */
    static final class TickPace {
        /** How many steps long a step is while nothing waits for time. */
        static final int IDLE_STEPS = 10;

        /** After how many steps without a sign of its vote a replica votes again. */
        static final int REPEAT_STEPS = 20;

        private final int replica;
        private final Quorums quorums;
        private final long stepMillis;
        private long tick = -1;
        private boolean awaited;
        private long since;
        private long voted = -1;
        private long votedAt;

        /** Makes the pace of a replica that votes; a step lasts {@code stepMillis} milliseconds, from 1. */
        TickPace(int replica, Quorums quorums, long stepMillis) {
            this.replica = replica;
            this.quorums = quorums;
            this.stepMillis = stepMillis;
        }

        /** How often {@link #due} is to be asked, in milliseconds. */
        long pollMillis() {
            return Math.max(1, stepMillis / 5);
        }

        /**
         * Whether to vote now for the step after the given one; when so, the vote counts as cast.
         *
         * @param now the current step at this replica
         * @param wanted whether the machine waits for time
         * @param millis a clock that never goes back, in milliseconds
         */
        boolean due(long now, boolean wanted, long millis) {
            if (now != tick || (wanted && !awaited)) {
                tick = now;
                since = millis;
            }
            awaited = wanted;
            boolean repeated = voted == now + 1;
            long waited = repeated ? millis - votedAt : millis - since;
            // Half a poll early on the average hits the moment better than always late.
            if (waited + pollMillis() / 2 < (repeated ? REPEAT_STEPS * stepMillis : patience(now + 1, wanted))) {
                return false;
            }
            voted = now + 1;
            votedAt = millis;
            return true;
        }

        private long patience(long step, boolean wanted) {
            long whole = wanted ? stepMillis : IDLE_STEPS * stepMillis;
            boolean first = Math.floorMod(replica - step, quorums.bftservers()) < quorums.oneCorrectBftserver();
            return first ? whole : whole + stepMillis / 2;
        }
    }
}
