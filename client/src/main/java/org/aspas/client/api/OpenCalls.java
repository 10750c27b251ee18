package org.aspas.client.api;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.core.CallId;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Failure;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Printable;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** The calls that wait for an outcome. Confined to the client's mailbox, except for the counts. */
final class OpenCalls {
    private static final class Open {
        final Object call;
        private final String verb;
        private final String key;
        /** The datatype that the caller expects; empty for a call that concerns no object. */
        private final String type;

        final long started;
        long answered;
        /** Whether the answer has arrived or is no longer awaited. */
        boolean answerDone;
        /** Whether the confirmation is no longer awaited. */
        boolean confirmationDone;

        Open(Object call, String verb, String key, String type, long started) {
            this.call = call;
            this.verb = verb;
            this.key = key;
            this.type = type;
            this.started = started;
        }

        String what() {
            return verb + Printable.text(key);
        }

        /** Returns a failure as the application sees it; for another datatype it says, for example, {@code k is a set, not a counter}. */
        Failure told(Failure why) {
            return why instanceof Failure.Refused refused
                            && refused.reason() == Refusal.Reason.WRONG_TYPE
                            && !type.isEmpty()
                    ? new Failure.Refused(
                            refused.reason(),
                            key + " is "
                                    + Refusal.otherType(refused.detail(), type).orElse("not a " + DataTypes.noun(type)))
                    : why;
        }
    }

    private record ReadCall(ReadLevel level, CompletableFuture<ReadResult<Value>> result) {}

    private record CertificateCall(CompletableFuture<Optional<Certificate>> result) {}

    final LongAdder answered = new LongAdder();
    final LongAdder confirmed = new LongAdder();
    final LongAdder readsDone = new LongAdder();
    final LongAdder failed = new LongAdder();
    private final Map<CallId, Open> open = new HashMap<>();
    private final LongSupplier nanos;
    private long last;

    OpenCalls(LongSupplier nanos) {
        this.nanos = nanos;
    }

    CallId update(Update update, String key, String type, long started) {
        return open(update, "update of ", key, type, started);
    }

    CallId read(ReadLevel level, CompletableFuture<ReadResult<Value>> result, String key, String type, long started) {
        return open(new ReadCall(level, result), "read of ", key, type, started);
    }

    CallId certificate(CompletableFuture<Optional<Certificate>> result, long started) {
        return open(new CertificateCall(result), "question for a certificate", "", "", started);
    }

    private CallId open(Object call, String verb, String key, String type, long started) {
        CallId id = new CallId(++last);
        open.put(id, new Open(call, verb, key, type, started));
        return id;
    }

    boolean awaits(CallId call, Deadlines.Part part) {
        Open one = open.get(call);
        return one != null && !(part == Deadlines.Part.ANSWER ? one.answerDone : one.confirmationDone);
    }

    /** Fails the part of a call whose deadline has expired; an update itself continues. */
    void late(CallId call, Deadlines.Part part, Failure why) {
        Open one = open.get(call);
        if (one == null || !(one.call instanceof Update update)) {
            failed(call, why);
        } else if (part == Deadlines.Part.ANSWER) {
            mayTakeEffect(call, why);
        } else {
            one.confirmationDone = true;
            update.unconfirmed(AspasException.mayTakeEffect(one.what(), why));
        }
    }

    void answered(Effect.Answered effect) {
        Open one = open.get(effect.call());
        if (one != null && one.call instanceof Update update) {
            one.answered = nanos.getAsLong();
            if (!one.answerDone) {
                answered.increment();
            }
            one.answerDone = true;
            var response = effect.response().message();
            update.answer(new UpdateAnswer(
                    effect.number(),
                    response.result(),
                    effect.dot(),
                    response.version(),
                    one.answered - one.started,
                    effect.response()));
        }
    }

    void confirmed(Effect.Confirmed effect) {
        Open one = open.remove(effect.call());
        if (one != null && one.call instanceof Update update) {
            long now = nanos.getAsLong();
            confirmed.increment();
            update.confirm(new UpdateConfirmation(
                    effect.number(),
                    effect.dot(),
                    effect.certificate().number(),
                    effect.certificate(),
                    effect.proof(),
                    now - one.started,
                    now - one.answered));
        }
    }

    void readDone(Effect.ReadDone effect) {
        Open one = open.remove(effect.call());
        if (one != null && one.call instanceof ReadCall read) {
            readsDone.increment();
            read.result()
                    .complete(new ReadResult<>(
                            effect.value(),
                            read.level(),
                            effect.version(),
                            effect.certificateNumber(),
                            effect.certificate(),
                            effect.elements(),
                            effect.proof(),
                            nanos.getAsLong() - one.started));
        }
    }

    void certificateFound(Effect.CertificateFound effect) {
        Open one = open.remove(effect.call());
        if (one != null && one.call instanceof CertificateCall asked) {
            asked.result().complete(Optional.ofNullable(effect.certificate()));
        }
    }

    /** Stops waiting for the answer only; the call stays open. */
    void mayTakeEffect(CallId call, Failure why) {
        Open one = open.get(call);
        if (one != null && one.call instanceof Update update) {
            one.answerDone = true;
            update.mayTakeEffect(AspasException.mayTakeEffect(one.what(), one.told(why)));
        }
    }

    void failed(CallId call, Failure failure) {
        Open one = open.remove(call);
        if (one != null) {
            failed.increment();
            fail(one.call, AspasException.of(one.what(), one.told(failure)));
        }
    }

    private static void fail(Object call, AspasException failure) {
        if (call instanceof Update update) {
            update.fail(failure);
        } else if (call instanceof ReadCall read) {
            read.result().completeExceptionally(failure);
        } else if (call instanceof CertificateCall asked) {
            asked.result().completeExceptionally(failure);
        }
    }

    /** Fails every open call, because the core itself can no longer do so. */
    void failAll(Failure failure, @Nullable Throwable cause) {
        open.values().forEach(one -> fail(one.call, AspasException.of(one.what(), failure, cause)));
        failed.add(open.size());
        open.clear();
    }
}
