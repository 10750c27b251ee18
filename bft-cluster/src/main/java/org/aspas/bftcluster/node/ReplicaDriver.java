package org.aspas.bftcluster.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.machine.CertificationMachine;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.message.Tick;
import org.aspas.certify.notary.Notary;
import org.aspas.certify.order.Ordering;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between the ordering library, which applies commands on its own thread, and the notary, which signs and sends on
 * another: a slow signature or link never holds back the order. It also casts this replica's votes for ordered time.
 */
final class ReplicaDriver implements OrderedMachine {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaDriver.class);

    private final int replica;
    private final CertificationMachine machine;
    private final Sealer sealer;
    private final Ordering ordering;
    private final Gateway gateway;
    private final Notary notary;
    private final Executor notaryThread;
    private volatile long tick;
    private volatile long certificate;
    private volatile boolean awaitsTime;
    private volatile boolean knowing;
    private boolean refused;

    ReplicaDriver(
            int replica,
            CertificationMachine machine,
            Sealer sealer,
            Ordering ordering,
            Gateway gateway,
            Notary notary,
            Executor notaryThread) {
        this.replica = replica;
        this.machine = machine;
        this.sealer = sealer;
        this.ordering = ordering;
        this.gateway = gateway;
        this.notary = notary;
        this.notaryThread = notaryThread;
    }

    @Override
    public synchronized byte[] apply(byte[] command) {
        byte[] result = machine.apply(gateway.ordered(command));
        List<Outcome> outcomes = machine.drain();
        publish();
        if (!outcomes.isEmpty()) {
            notaryThread.execute(() -> {
                outcomes.forEach(this::carryOut);
                knowing = notary.knowing();
            });
        }
        return result;
    }

    /** On the notary's thread; the order cannot be trusted once this happened, and the certificates can. */
    private void tellOfRefusals() {
        if (!refused && notary.refusals() > 0) {
            refused = true;
            LOG.error(
                    "bftserver-{} was asked to accept or sign another content under a number that it has signed, and refused: "
                            + "the order is broken, or more than b bftservers lie",
                    replica);
        }
    }

    private void carryOut(Outcome outcome) {
        notary.on(outcome);
        tellOfRefusals();
        if (outcome instanceof Outcome.Convicted convicted) {
            LOG.warn(
                    "appserver {} is convicted by {}",
                    convicted.server(),
                    convicted.evidence().kind());
        } else if (outcome instanceof Outcome.AssumptionBroken broken) {
            LOG.error(
                    "CERTIFICATION HAS STOPPED: appservers {} are convicted, more than the deployment tolerates",
                    broken.convicted());
        }
    }

    private void publish() {
        tick = machine.tick();
        certificate = machine.certificate();
        awaitsTime = machine.awaitsTime();
    }

    @Override
    public synchronized byte[] snapshot() {
        return machine.snapshot();
    }

    /** Takes over another replica's state, and does what this one would have done on the way there. */
    @Override
    public synchronized void restore(byte[] snapshot) {
        machine.restore(snapshot);
        publish();
        List<Outcome> missed = machine.missedSince(0);
        notaryThread.execute(() -> missed.forEach(this::carryOut));
    }

    /** Does once more what is still open, for messages and commands that were lost; first, says what the record holds. */
    void repeat() {
        List<Outcome> open = new ArrayList<>();
        synchronized (this) {
            machine.openAcceptance().ifPresent(open::add);
            machine.openCommitment().ifPresent(open::add);
        }
        notaryThread.execute(() -> {
            notary.join();
            open.forEach(this::carryOut);
            notary.askAgain();
            knowing = notary.knowing();
        });
    }

    /** Whether this replica has its record, as of the last command or repetition. */
    boolean knowing() {
        return knowing;
    }

    /** Votes for the next step of ordered time when it is due; called by one timer thread. */
    void voteForTick(TickPace pace) {
        long now = tick;
        if (pace.due(now, awaitsTime, TimeUnit.NANOSECONDS.toMillis(System.nanoTime()))) {
            ordering.submit(Codec.encode(sealer.seal(new Tick(replica, now + 1))));
        }
    }

    /** The current step of ordered time at this replica. */
    long tick() {
        return tick;
    }

    /** The number of the newest content that 2b+1 replicas committed to. */
    long certificate() {
        return certificate;
    }
}
