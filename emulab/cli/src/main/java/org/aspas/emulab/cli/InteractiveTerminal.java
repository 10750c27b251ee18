package org.aspas.emulab.cli;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;

/** Whether somebody sits in front of this process. */
final class InteractiveTerminal {
    private InteractiveTerminal() {}

    /** Whether standard input and output are a terminal. From JDK 22 on there is a console without one, which says so. */
    @SuppressWarnings("SystemConsoleNull") // That is what the rest is for.
    static boolean present() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (NoSuchMethodException older) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException unknown) {
            return false;
        }
    }
}
