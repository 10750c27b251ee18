package org.aspas.bftcluster.node;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.lag.StepDurations;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Share;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the steps from a question to the own signature take at one bftserver, by what the order asks of its core and
 * what the core then does. Not thread-safe.
 *
 * <p>A question that is asked again in a later round is one with the first; in a later epoch it is another one. A step whose
 * beginning was not seen, as after a state transfer, is not measured.
 */
final class BftServerLag {
    private static final long NEVER = Long.MIN_VALUE;
    private static final long ABANDONED_NANOS = 1_000_000_000L;

    private final @Nullable CertificateSpans spans;
    private final StepDurations durations = new StepDurations();
    private CertificateNumber number = CertificateNumber.NONE;
    private long epoch;
    private long askedAt = NEVER;
    private long decidedAt = NEVER;
    private long acceptedAt = NEVER;
    private long committedAt = NEVER;
    /** What is accepted here, and not signed yet. */
    private @Nullable CertificateNumber unsigned;

    private long unsignedSince;

    private CertificateNumber signed = CertificateNumber.NONE;

    /** The command that is followed through the order. */
    private byte @Nullable [] submitted;

    private long submittedAt;

    /** Tells {@code spans} what it sees; null without tracing. */
    BftServerLag(@Nullable CertificateSpans spans) {
        this.spans = spans;
    }

    /** A copy of what was measured. Any thread may ask for it. */
    StepDurations durations() {
        synchronized (durations) {
            return durations.copy();
        }
    }

    private void measured(LagStep step, long now, long nanos) {
        synchronized (durations) {
            durations.add(step, now, nanos);
        }
    }

    /** A command came out ordered, and made these outcomes due. */
    void ordered(byte[] command, List<Outcome> due, long now) {
        if (submitted != null && Arrays.equals(submitted, command)) {
            measured(LagStep.ORDERED, now, now - submittedAt);
            submitted = null;
        }
        due.forEach(outcome -> comes(outcome, now));
    }

    private void comes(Outcome outcome, long now) {
        if (outcome instanceof Outcome.Ask ask) {
            if (spans != null) {
                spans.asked(ask.number(), ask.epoch().value());
            }
            asked(ask, now);
        } else if (outcome instanceof Outcome.Decided decided) {
            ends(LagStep.DECIDED, decided.content().number(), askedAt, now);
            step(decided.content().number(), "decided");
            acceptedAt = NEVER;
            decidedAt = now;
        } else if (outcome instanceof Outcome.Accepted accepted) {
            ends(LagStep.ACCEPTED, accepted.proven().number(), decidedAt, now);
            step(accepted.proven().number(), "accepted");
            acceptedAt = now;
        } else if (outcome instanceof Outcome.ReadyToSign ready) {
            ends(LagStep.COMMITTED, ready.number(), acceptedAt, now);
            step(ready.number(), "committed");
            number = ready.number();
            committedAt = now;
        }
    }

    private void step(CertificateNumber of, String name) {
        if (spans != null) {
            spans.step(of, name);
        }
    }

    private void asked(Outcome.Ask ask, long now) {
        if (ask.number().equals(number) && ask.epoch().value() == epoch) {
            return;
        }
        if (committedAt != NEVER && ask.number().isAfter(number)) {
            measured(LagStep.QUESTION, now, now - committedAt);
        }
        number = ask.number();
        epoch = ask.epoch().value();
        askedAt = now;
        decidedAt = NEVER;
        acceptedAt = NEVER;
    }

    private void ends(LagStep step, CertificateNumber of, long beganAt, long now) {
        if (beganAt != NEVER && of.equals(number)) {
            measured(step, now, now - beganAt);
        }
    }

    /** The core has asked for these. */
    void follows(List<Effect> effects, long now) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.Submit own) {
                submits(own.command(), now);
            } else if (unsigned != null && effect instanceof Effect.ToAppservers sent && isShare(sent.frame())) {
                measured(LagStep.SIGNED, now, now - unsignedSince);
                signed = unsigned;
                if (spans != null) {
                    spans.signed(signed);
                }
                unsigned = null;
            }
        }
    }

    /** One command at a time is followed; one that does not come out is given up. */
    private void submits(byte[] command, long now) {
        if (submitted == null || now - submittedAt > ABANDONED_NANOS) {
            submitted = command;
            submittedAt = now;
        }
        accepted(command) // One that is said again begins nothing.
                .filter(number -> number.isAfter(signed) && !number.equals(unsigned))
                .ifPresent(number -> {
                    unsigned = number;
                    unsignedSince = now;
                    step(number, "own accept");
                });
    }

    /** The number that an ACCEPT is about; empty for any other command. */
    private static Optional<CertificateNumber> accepted(byte[] command) {
        return Codec.decode(command) instanceof Decoded.Accepted<Frame> decoded
                        && decoded.value() instanceof Frame.Sealed sealed
                ? sealed.signed()
                        .as(Accept.class)
                        .map(accept -> accept.message().number())
                : Optional.empty();
    }

    private boolean isShare(byte[] frame) {
        return Codec.decode(frame) instanceof Decoded.Accepted<Frame> decoded
                && decoded.value() instanceof Frame.Plain plain
                && plain.message() instanceof Share share
                && share.content().message().number().equals(unsigned);
    }
}
