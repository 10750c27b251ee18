package org.aspas.emulab.cli;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import org.aspas.crdt.value.Printable;

/** What Logback's configuration prints of an event: with the texts of others escaped, as everything on a terminal. */
public final class PrintableLog {
    private PrintableLog() {}

    /** The message, on one line. */
    public static final class Message extends MessageConverter {
        @Override
        public String convert(ILoggingEvent event) {
            return Printable.text(super.convert(event));
        }
    }

    /** The stack trace, on its lines. */
    public static final class Failure extends ThrowableProxyConverter {
        @Override
        public String convert(ILoggingEvent event) {
            return Printable.lines(super.convert(event));
        }
    }
}
