package org.aspas.emulab.workload;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * The YCSB binding: one record is one object. A read is a LOCAL read, an update or insert is one update of the object;
 * there is nothing to scan and objects are not deleted. One instance belongs to one client and one thread.
 */
public final class AspasYcsbDb extends DB {
    /** How many different elements a set can have, so that its size stays bounded. */
    static final int ELEMENTS = 100;

    private static final long PATIENCE_SECONDS = 30;

    private final StoreSession session;
    private final ToleranceClass tolerance;
    private final ObjectKind kind;
    private final Measures measures;
    private final Ledger ledger;
    private final Random random;

    /**
     * A binding.
     *
     * @param session the client
     * @param tolerance its class
     * @param kind what records are
     * @param measures where times go
     * @param ledger where acknowledgments go
     * @param random chooses set elements
     */
    public AspasYcsbDb(
            StoreSession session,
            ToleranceClass tolerance,
            ObjectKind kind,
            Measures measures,
            Ledger ledger,
            Random random) {
        this.session = session;
        this.tolerance = tolerance;
        this.kind = kind;
        this.measures = measures;
        this.ledger = ledger;
        this.random = random;
    }

    @Override
    public Status read(
            String table, String key, @Nullable Set<String> fields, @Nullable Map<String, ByteIterator> result) {
        String object = kind.objectKey(key);
        long start = System.nanoTime();
        CompletionStage<?> answer = kind == ObjectKind.COUNTERS ? session.counter(object) : session.set(object);
        Timed value = await(answer.thenApply(Timed::now), "read", measures::failed);
        if (value == null) {
            return Status.ERROR;
        }
        measures.succeeded(tolerance, false, value.nanos() - start);
        if (result != null) {
            result.put("field0", new StringByteIterator(value.value().toString()));
        }
        return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        String object = kind.objectKey(key);
        return kind == ObjectKind.COUNTERS ? increment(object) : add(object);
    }

    /** The same as {@link #update}: an object comes into being with its first update. */
    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return update(table, key, values);
    }

    @Override
    public Status scan(
            String table,
            String startKey,
            int count,
            @Nullable Set<String> fields,
            @Nullable Vector<HashMap<String, ByteIterator>> result) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status delete(String table, String key) {
        return Status.NOT_IMPLEMENTED;
    }

    private Status increment(String object) {
        long start = System.nanoTime();
        return returned(session.increment(object, 1), start, () -> ledger.incremented(object, 1));
    }

    private Status add(String object) {
        String element = "e" + random.nextInt(ELEMENTS);
        long start = System.nanoTime();
        return returned(session.add(object, element), start, () -> ledger.added(object, element));
    }

    private Status returned(Write write, long start, Runnable acknowledged) {
        measures.awaiting();
        Timed answer = await(write.answered().thenApply(unused -> Timed.now("")), "update", measures::failedUpdate);
        write.confirmed().whenComplete((confirmation, failure) -> {
            if (failure != null) {
                if (answer != null) {
                    measures.failedUpdate("confirmation: " + reason(failure));
                }
            } else {
                measures.confirmed(confirmation);
            }
            measures.settled();
        });
        if (answer == null) {
            return Status.ERROR;
        }
        measures.succeeded(tolerance, true, answer.nanos() - start);
        acknowledged.run();
        return Status.OK;
    }

    /** An answer and when its stage was completed; how soon this thread wakes up after that is YCSB's affair. */
    private record Timed(Object value, long nanos) {
        static Timed now(Object value) {
            return new Timed(value, System.nanoTime());
        }
    }

    private <T> @Nullable T await(CompletionStage<T> stage, String what, Consumer<String> failure) {
        try {
            return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            failure.accept(what + ": " + reason(failed));
        } catch (TimeoutException late) {
            failure.accept(what + ": nothing came within " + PATIENCE_SECONDS + " s");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            failure.accept(what + ": interrupted");
        }
        return null;
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause();
        return String.valueOf(cause == null ? failure : cause);
    }
}
