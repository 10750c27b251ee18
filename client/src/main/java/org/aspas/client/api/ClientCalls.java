package org.aspas.client.api;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.KeyRule;
import org.aspas.certify.wire.ReadPart;
import org.aspas.client.core.CallCheck;
import org.aspas.client.core.CallId;
import org.aspas.client.core.Event;
import org.aspas.client.core.Failure;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Printable;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** Puts the calls of all threads into a client's mailbox, up to a bound. Thread-safe. */
final class ClientCalls {
    final ClientShell shell;
    final LongAdder updates = new LongAdder();
    final LongAdder reads = new LongAdder();
    private final int bound;
    private final int keyBytes;
    private final AtomicInteger queued = new AtomicInteger();

    /** {@code bound}: the most calls that may be queued; {@code keyBytes}: the longest key in bytes. */
    ClientCalls(ClientShell shell, int bound, int keyBytes) {
        this.shell = shell;
        this.bound = bound;
        this.keyBytes = keyBytes;
    }

    /**
     * Returns the key if an object can have it.
     *
     * @throws AspasException.InvalidCall otherwise
     */
    String checkedKey(@Nullable String key) {
        KeyRule.fault(key, keyBytes).ifPresent(fault -> {
            throw AspasException.invalid("an object", fault);
        });
        return AspasException.given(key, "an object", "the key");
    }

    private static void check(String call, Optional<String> fault) {
        if (fault.isPresent()) {
            throw AspasException.invalid(call, fault.get());
        }
    }

    /** Updates an object; the deadlines count from the call, zero means none. */
    Update update(String key, DataType type, Operation operation, Duration answer, Duration confirmation) {
        checkedKey(key);
        String what = "update of " + Printable.text(key);
        String typeName = AspasException.given(type, what, "the datatype").name();
        check(what, CallCheck.update(key, typeName, operation, keyBytes));
        updates.increment();
        Update update = new Update();
        long started = System.nanoTime();
        boolean taken = take(() -> {
            CallId call = shell.calls.update(update, key, type.name(), started);
            shell.deadlines.add(call, Deadlines.Part.ANSWER, answer, started);
            shell.deadlines.add(call, Deadlines.Part.CONFIRMATION, confirmation, started);
            shell.process(new Event.Update(call, key, typeName, operation));
        });
        if (!taken) {
            update.fail(refused());
        }
        return update;
    }

    /** Reads an object or a part of it; the deadline comes in addition to the timeout of all reads, zero means none. */
    CompletionStage<ReadResult<Value>> read(
            String key, DataType type, ReadLevel level, @Nullable ReadPart part, Duration deadline) {
        checkedKey(key);
        String what = "read of " + Printable.text(key);
        String typeName = AspasException.given(type, what, "the datatype").name();
        boolean certified = AspasException.given(level, what, "the level") == ReadLevel.CERTIFIED;
        check(what, CallCheck.read(key, typeName, certified, part, keyBytes));
        reads.increment();
        CompletableFuture<ReadResult<Value>> result = new CompletableFuture<>();
        long started = System.nanoTime();
        boolean taken = take(() -> {
            CallId call = shell.calls.read(level, result, key, type.name(), started);
            shell.deadlines.add(call, Deadlines.Part.ANSWER, deadline, started);
            shell.process(new Event.ReadAsked(call, key, typeName, certified, part));
        });
        if (!taken) {
            result.completeExceptionally(refused());
        }
        return result.minimalCompletionStage();
    }

    CompletionStage<Optional<Certificate>> certificate(CertificateNumber number) {
        check("question for a certificate", CallCheck.certificate(number));
        CompletableFuture<Optional<Certificate>> result = new CompletableFuture<>();
        long started = System.nanoTime();
        boolean taken =
                take(() -> shell.process(new Event.CertificateAsked(shell.calls.certificate(result, started), number)));
        if (!taken) {
            result.completeExceptionally(refused());
        }
        return result.minimalCompletionStage();
    }

    private boolean take(Runnable step) {
        if (shell.ended.isDone()) {
            return false;
        }
        if (queued.incrementAndGet() > bound) {
            queued.decrementAndGet();
            return false;
        }
        shell.mailbox.execute(() -> {
            queued.decrementAndGet();
            step.run();
        });
        return true;
    }

    private AspasException refused() {
        return shell.ended.isDone()
                ? shell.failure()
                : AspasException.of(
                        new Failure.Overflow("more than " + bound + " calls are queued: no more are taken"), null);
    }
}
