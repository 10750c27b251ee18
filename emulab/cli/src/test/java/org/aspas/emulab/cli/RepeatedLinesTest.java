package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A flood of lines of one kind is a few lines and a number. */
class RepeatedLinesTest {
    private final LoggerContext context = new LoggerContext();
    private final RepeatedLines filter = new RepeatedLines();
    private final ListAppender<ILoggingEvent> written = new ListAppender<>();
    private final Logger log = context.getLogger("org.aspas.Some");

    @BeforeEach
    void start() {
        filter.setContext(context);
        filter.start();
        context.addTurboFilter(filter);
        written.setContext(context);
        written.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(written);
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.INFO);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private List<String> lines() {
        return written.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    @Test
    void aFloodIsSummarizedEachMinute() {
        for (int i = 0; i < 1_000; i++) {
            log.warn("{} sends noise", "node " + i);
        }
        assertThat(lines()).hasSize(RepeatedLines.PER_MINUTE).contains("WARN node 0 sends noise");
        filter.summarize();
        assertThat(lines())
                .hasSize(RepeatedLines.PER_MINUTE + 1)
                .last()
                .isEqualTo("WARN 990 more lines like this in a minute: {} sends noise");
        log.warn("{} sends noise", "node");
        filter.summarize();
        assertThat(lines()).hasSize(RepeatedLines.PER_MINUTE + 2).last().isEqualTo("WARN node sends noise");
    }

    @Test
    void otherKindsAreNotHeldBack() {
        for (int i = 0; i < 1_000; i++) {
            log.warn("noise {}", i);
        }
        log.warn("something else");
        log.error("noise {}", -1);
        context.getLogger("org.aspas.Other").warn("noise {}", -2);
        assertThat(lines()).contains("WARN something else", "ERROR noise -1", "WARN noise -2");
    }

    @Test
    void whoAsksForDetailsGetsAll() {
        log.setLevel(Level.DEBUG);
        for (int i = 0; i < 100; i++) {
            log.debug("detail {}", i);
        }
        assertThat(lines()).hasSize(100);
    }

    @Test
    void linesThatAreNotWrittenDoNotCount() {
        log.setLevel(Level.WARN);
        for (int i = 0; i < 100; i++) {
            log.info("quiet {}", i);
        }
        log.setLevel(Level.INFO);
        log.info("quiet {}", "no more");
        assertThat(lines()).containsExactly("INFO quiet no more");
    }

    /** Texts that are made up anew take no more room than a thousand kinds, and are held back together. */
    @Test
    void thereIsAMostOfKinds() {
        IntStream.range(0, 5_000).forEach(i -> log.warn("made up " + i));
        assertThat(lines()).hasSizeLessThan(1_100);
        filter.summarize();
        assertThat(lines()).last().asString().startsWith("WARN 3").contains("lines of many kinds");
    }
}
