package org.aspas.emulab.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Keeps floods out of the log: of each kind of line, {@value #PER_MINUTE} a minute are written, and at its end one line says
 * how many more there were. A kind is a logger, a level and a text before its values are filled in: programmers write those,
 * so that there are few, whoever fills them. Lines below INFO pass: who asks for them wants all. Thread-safe.
 */
public final class RepeatedLines extends TurboFilter {
    static final int PER_MINUTE = 10;

    /** Should somebody log texts that are made up anew each time, they do not fill the memory either. */
    private static final int MOST_KINDS = 1_000;

    private static final Kind OTHERS = new Kind(Logger.ROOT_LOGGER_NAME, Level.WARN, "lines of many kinds");

    private final ConcurrentMap<Kind, Integer> counts = new ConcurrentHashMap<>();
    private @Nullable ScheduledFuture<?> minutes;

    private record Kind(String logger, Level level, String text) {}

    /** For Logback, which makes one for its configuration. */
    public RepeatedLines() {
        super();
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String text,
            Object @Nullable [] values,
            @Nullable Throwable thrown) {
        if (text == null
                || !level.isGreaterOrEqual(Level.INFO)
                || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
            return FilterReply.NEUTRAL;
        }
        return count(new Kind(logger.getName(), level, text)) > PER_MINUTE ? FilterReply.DENY : FilterReply.NEUTRAL;
    }

    private int count(Kind kind) {
        Kind counted = counts.size() < MOST_KINDS || counts.containsKey(kind) ? kind : OTHERS;
        return counts.merge(counted, 1, Integer::sum);
    }

    @Override
    public void start() {
        minutes =
                getContext().getScheduledExecutorService().scheduleAtFixedRate(this::summarize, 1, 1, TimeUnit.MINUTES);
        super.start();
    }

    @Override
    public void stop() {
        super.stop();
        ScheduledFuture<?> running = minutes;
        if (running != null) {
            running.cancel(false);
        }
    }

    /** A minute is over. */
    void summarize() {
        for (Kind kind : List.copyOf(counts.keySet())) {
            Integer count = counts.remove(kind);
            if (count != null && count > PER_MINUTE) {
                write(kind, count - PER_MINUTE);
            }
        }
    }

    private void write(Kind kind, int more) {
        Logger logger = ((LoggerContext) getContext()).getLogger(kind.logger());
        logger.callAppenders(new LoggingEvent(
                RepeatedLines.class.getName(),
                logger,
                kind.level(),
                "{} more lines like this in a minute: {}",
                null,
                new Object[] {more, kind.text()}));
    }
}
