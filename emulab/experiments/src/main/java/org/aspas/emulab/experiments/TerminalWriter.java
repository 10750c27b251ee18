package org.aspas.emulab.experiments;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.aspas.crdt.value.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Standard output or standard error of a command, in UTF-8. Characters that a terminal would take as commands are escaped as {@link
 * Printable#lines} says, whoever wrote them; what a command itself does to the terminal goes by {@link #commanding}. It remembers why
 * nothing could be written. Thread-safe, as every {@link PrintWriter}.
 */
public final class TerminalWriter extends PrintWriter {
    private final Watched target;
    private boolean commanding;

    /** Remembers the first failure, which a {@link PrintWriter} keeps to itself. */
    private static final class Watched extends FilterOutputStream {
        volatile @Nullable IOException failure;

        Watched(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int begin, int length) throws IOException {
            try {
                out.write(bytes, begin, length);
            } catch (IOException failed) {
                failure = failure == null ? failed : failure;
                throw failed;
            }
        }
    }

    private TerminalWriter(Watched target) {
        super(new BufferedWriter(new OutputStreamWriter(target, StandardCharsets.UTF_8)), true);
        this.target = target;
    }

    public TerminalWriter(OutputStream out) {
        this(new Watched(out));
    }

    public static TerminalWriter out() {
        return new TerminalWriter(new FileOutputStream(FileDescriptor.out));
    }

    public static TerminalWriter err() {
        return new TerminalWriter(new FileOutputStream(FileDescriptor.err));
    }

    /** Runs what may print commands for the terminal, such as colours, and nothing that others wrote. */
    public <T extends @Nullable Object> T commanding(Supplier<T> step) {
        synchronized (lock) {
            boolean before = commanding;
            commanding = true;
            try {
                return step.get();
            } finally {
                commanding = before;
            }
        }
    }

    static void command(PrintWriter out, String command) {
        if (out instanceof TerminalWriter terminal) {
            terminal.commanding(() -> {
                terminal.print(command);
                return terminal;
            });
        } else {
            out.print(command);
        }
    }

    /** Writes what is left, and says why something could not be written, in a few words; empty when all could. */
    public Optional<String> trouble() {
        if (!checkError()) {
            return Optional.empty();
        }
        IOException failure = target.failure;
        return Optional.of(failure == null ? "it is closed" : String.valueOf(failure.getMessage()));
    }

    /** Whether nobody reads any more: the other end of a pipe is closed. */
    public boolean isUnread() {
        return checkError() && trouble().orElse("").toLowerCase(Locale.ROOT).contains("broken pipe");
    }

    @Override
    public void write(int character) {
        write(new char[] {(char) character}, 0, 1);
    }

    @Override
    public void write(char[] characters, int begin, int length) {
        write(new String(characters, begin, length));
    }

    @Override
    public void write(String text, int begin, int length) {
        synchronized (lock) {
            String part = text.substring(begin, begin + length);
            String shown = commanding ? part : Printable.lines(part);
            super.write(shown, 0, shown.length());
        }
    }
}
