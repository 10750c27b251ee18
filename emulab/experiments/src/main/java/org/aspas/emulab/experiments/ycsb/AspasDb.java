package org.aspas.emulab.experiments.ycsb;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.client.api.AspasClient;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Elements;
import org.aspas.emulab.workload.ObjectKind;
import org.aspas.emulab.workload.RecordDb;
import org.aspas.emulab.workload.Write;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;
import site.ycsb.measurements.Measurements;

/**
 * The binding that a stock YCSB loads by name ({@code -db org.aspas.emulab.experiments.ycsb.AspasDb}) and runs against any
 * deployment. Each of YCSB's threads is a client of its own, and waits for each answer; how long certificates take after the
 * answers is the measurement {@code CONFIRM}. {@link BindingProperties} has the properties.
 */
public final class AspasDb extends RecordDb {
    private static final long CONFIRMATION_SECONDS = 30;

    /** YCSB makes one instance for each thread and tells none of them which one it is. */
    private static final AtomicInteger INSTANCES = new AtomicInteger();

    private final Phaser unconfirmed = new Phaser(1);
    private @Nullable BindingProperties settings;
    private @Nullable ClientSession session;

    /** For YCSB, which calls {@link #init} next. */
    public AspasDb() {
        // Nothing is known yet.
    }

    @Override
    public void init() throws DBException {
        try {
            BindingProperties read = BindingProperties.of(getProperties());
            AspasClient client = read.connect(INSTANCES.getAndIncrement());
            settings = read;
            session = new ClientSession(client);
            client.ready().toCompletableFuture().get(read.timeoutSeconds(), TimeUnit.SECONDS);
        } catch (IllegalArgumentException wrong) {
            throw new DBException("ASPAS: " + wrong.getMessage());
        } catch (TimeoutException late) {
            throw new DBException("ASPAS: no session within the seconds of aspas.timeout; does the appserver run?");
        } catch (ExecutionException failed) {
            throw new DBException("ASPAS: no session: " + failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DBException("ASPAS: interrupted while connecting");
        }
    }

    @Override
    public Status read(
            String table, String key, @Nullable Set<String> fields, @Nullable Map<String, ByteIterator> result) {
        String object = kind().objectKey(key);
        CompletionStage<?> value = kind() == ObjectKind.COUNTERS
                ? session().counter(object)
                : session().set(object);
        Object found = await(value);
        if (found == null) {
            return Status.ERROR;
        }
        if (result != null) {
            result.put("field0", new StringByteIterator(found.toString()));
        }
        return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        String object = kind().objectKey(key);
        return await(kind() == ObjectKind.COUNTERS ? session().increment(object, 1) : add(object, values));
    }

    private Write add(String object, Map<String, ByteIterator> values) {
        int element = ThreadLocalRandom.current().nextInt(settings().elements());
        return session().add(object, Elements.padded("e" + element, (int) bytes(values)));
    }

    /** Waits for the last confirmations, so that YCSB's report has them, and ends the session. */
    @Override
    public void cleanup() throws DBException {
        if (session == null) {
            return;
        }
        try {
            unconfirmed.awaitAdvanceInterruptibly(unconfirmed.arrive(), CONFIRMATION_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new DBException("ASPAS: updates are unconfirmed after " + CONFIRMATION_SECONDS + " s");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            session().client().close();
        }
    }

    private Status await(Write write) {
        unconfirmed.register();
        write.confirmed().whenComplete((confirmation, failure) -> {
            if (failure == null) {
                Measurements.getMeasurements()
                        .measure("CONFIRM", (int) TimeUnit.NANOSECONDS.toMicros(confirmation.lagNanos()));
            }
            unconfirmed.arriveAndDeregister();
        });
        return await(write.answered()) == null ? Status.ERROR : Status.OK;
    }

    /** The stage's result; null when it fails or does not come in time, which YCSB counts as an error. */
    private @Nullable Object await(CompletionStage<?> stage) {
        CompletableFuture<?> future = stage.toCompletableFuture();
        try {
            return future.get(settings().timeoutSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            return null;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private ObjectKind kind() {
        return settings().kind();
    }

    private BindingProperties settings() {
        if (settings == null) {
            throw new IllegalStateException("YCSB asks before init");
        }
        return settings;
    }

    private ClientSession session() {
        if (session == null) {
            throw new IllegalStateException("YCSB asks before init");
        }
        return session;
    }
}
