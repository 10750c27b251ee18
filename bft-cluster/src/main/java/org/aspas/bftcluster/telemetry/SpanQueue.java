package org.aspas.bftcluster.telemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The spans that ended and are not sent yet. A thread of its own sends them in batches; those that find no room are dropped, and so
 * are batches that the receiver does not take. Both are counted; the first lost batch is told, and then nothing until one arrives. Thread-safe.
 */
final class SpanQueue implements SpanProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(SpanQueue.class);
    private static final int PLACES = 2048;
    private static final int BATCH = 512;
    private static final Duration WAIT = Duration.ofSeconds(1);
    /** The library tells of each lost batch itself. Held here, since loggers that nobody holds forget their level. */
    private static final java.util.logging.Logger LIBRARY =
            java.util.logging.Logger.getLogger("io.opentelemetry.exporter");

    private final BatchSpanProcessor batches;
    private final String told;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong exported = new AtomicLong();
    private final AtomicLong overflowed = new AtomicLong();
    private final AtomicLong undelivered = new AtomicLong();
    private final AtomicBoolean failing = new AtomicBoolean();

    /**
     * Makes an empty queue.
     *
     * @param told what the log says is done, such as {@code appserver-0 sends traces to http://...}
     */
    SpanQueue(SpanExporter exporter, String told) {
        LIBRARY.setLevel(Level.OFF);
        this.told = told;
        this.batches = BatchSpanProcessor.builder(new Counted(exporter))
                .setMaxQueueSize(PLACES)
                .setMaxExportBatchSize(BATCH)
                .setScheduleDelay(WAIT)
                .build();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        batches.onStart(parent, span);
    }

    @Override
    public boolean isStartRequired() {
        return batches.isStartRequired();
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (waiting.incrementAndGet() > PLACES) {
            waiting.decrementAndGet();
            overflowed.incrementAndGet();
        } else {
            batches.onEnd(span);
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public CompletableResultCode shutdown() {
        return batches.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
        return batches.forceFlush();
    }

    TracingCounts counts() {
        return new TracingCounts(exported.get(), overflowed.get(), undelivered.get());
    }

    private void sent(int spans, boolean taken) {
        (taken ? exported : undelivered).addAndGet(spans);
        if (failing.compareAndSet(taken, !taken)) {
            if (taken) {
                LOG.info("{}, which takes them again", told);
            } else {
                LOG.warn("{}, which does not take them: they are lost until it does, and counted", told);
            }
        }
    }

    /** Sees what becomes of each batch. */
    private final class Counted implements SpanExporter {
        private final SpanExporter exporter;

        Counted(SpanExporter exporter) {
            this.exporter = exporter;
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            int size = spans.size();
            waiting.addAndGet(-size);
            CompletableResultCode result = exporter.export(spans);
            return result.whenComplete(() -> sent(size, result.isSuccess()));
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }
}
