package org.aspas.bftcluster.engine;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what the ordering library prints to the log. The library writes with {@code System.out}, {@code System.err},
 * {@code printStackTrace} and java.util.logging; a program's own main may install this once, before the first replica,
 * so that its terminal stays its own. Every write whose call stack passes through the library goes to the logger
 * {@code bftsmart} at debug level; every other write goes where it went before.
 */
public final class PrintCapture {
    private static final Logger LOG = LoggerFactory.getLogger("bftsmart");
    private static final java.util.logging.Logger LIBRARY = java.util.logging.Logger.getLogger("bftsmart");
    private static final int MAX_LINE_BYTES = 8192;
    private static final StackWalker STACK = StackWalker.getInstance();
    private static boolean installed;

    private PrintCapture() {}

    /** Replaces {@code System.out} and {@code System.err} of this process; later calls do nothing. */
    public static synchronized void install() {
        if (installed) {
            return;
        }
        installed = true;
        System.setOut(new PrintStream(new Splitter(System.out), true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(new Splitter(System.err), true, StandardCharsets.UTF_8));
        LIBRARY.setUseParentHandlers(false);
        LIBRARY.addHandler(new LogHandler());
    }

    private static boolean fromLibrary() {
        return STACK.walk(
                frames -> frames.anyMatch(frame -> frame.getClassName().startsWith("bftsmart.")));
    }

    /** Sends what the library prints to the log, and all else to the terminal. */
    private static final class Splitter extends OutputStream {
        private final PrintStream terminal;
        private final ThreadLocal<ByteArrayOutputStream> line = ThreadLocal.withInitial(ByteArrayOutputStream::new);

        Splitter(PrintStream terminal) {
            this.terminal = terminal;
        }

        @Override
        public void write(int octet) {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            if (!fromLibrary()) {
                terminal.write(bytes, offset, length);
                return;
            }
            ByteArrayOutputStream pending = line.get();
            for (int i = offset; i < offset + length; i++) {
                if (bytes[i] == '\n' || pending.size() >= MAX_LINE_BYTES) {
                    log(pending);
                } else {
                    pending.write(bytes[i]);
                }
            }
        }

        private static void log(ByteArrayOutputStream pending) {
            String text = pending.toString(StandardCharsets.UTF_8).stripTrailing();
            pending.reset();
            if (!text.isEmpty()) {
                LOG.debug("{}", text);
            }
        }

        @Override
        public void flush() {
            terminal.flush();
        }
    }

    /** From java.util.logging. */
    private static final class LogHandler extends Handler {
        @Override
        public void publish(LogRecord event) {
            if (event.getLevel().intValue() >= Level.WARNING.intValue()) {
                LOG.warn("{}: {}", event.getLoggerName(), event.getMessage(), event.getThrown());
            } else {
                LOG.debug("{}: {}", event.getLoggerName(), event.getMessage(), event.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
