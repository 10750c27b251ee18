package org.aspas.emulab.experiments;

import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;

/**
 * What a command prints to. On a terminal the progress line is rewritten in place and titles are bold, unless the
 * environment has NO_COLOR; anywhere else there are plain lines only.
 */
public final class Terminal {
    private final PrintWriter out;
    private final boolean interactive;
    private final boolean styled;
    private boolean lineOpen;

    Terminal(PrintWriter out, boolean interactive, boolean styled) {
        this.out = out;
        this.interactive = interactive;
        this.styled = styled;
    }

    /** The terminal of this process, printing through a command's writer. */
    public static Terminal of(PrintWriter out) {
        boolean interactive = isTerminal(System.console());
        String noColor = System.getenv("NO_COLOR");
        boolean plain = (noColor != null && !noColor.isEmpty()) || "dumb".equals(System.getenv("TERM"));
        return new Terminal(out, interactive, interactive && !plain);
    }

    /** Since JDK 22 there is a console also where there is no terminal, and a method that tells. */
    private static boolean isTerminal(@org.jspecify.annotations.Nullable Console console) {
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException olderJdk) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException unexpected) {
            return false;
        }
    }

    public boolean isInteractive() {
        return interactive;
    }

    public synchronized void line(String text) {
        closeLine();
        out.println(text);
        out.flush();
    }

    public synchronized void title(String text) {
        closeLine();
        command(styled ? "\u001b[1m" : "");
        out.print(text);
        command(styled ? "\u001b[0m" : "");
        out.println();
        out.flush();
    }

    /** Clears the screen; does nothing where the terminal is not interactive. */
    public synchronized void clear() {
        command(interactive ? "\u001b[H\u001b[2J" : "");
    }

    private void command(String command) {
        TerminalWriter.command(out, command);
    }

    /** Shows a line that the next one replaces; where lines cannot be replaced it is an ordinary line. */
    public synchronized void live(String text) {
        if (!interactive) {
            line(text);
            return;
        }
        command("\r");
        out.print(text);
        command("\u001b[K");
        out.flush();
        lineOpen = true;
    }

    private void closeLine() {
        if (lineOpen) {
            out.println();
            lineOpen = false;
        }
    }
}
