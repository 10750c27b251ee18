package org.aspas.emulab.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * What one command did.
 *
 * @param exit its exit code
 * @param out what it printed
 * @param errors what it printed on standard error
 */
record CommandRun(int exit, String out, String errors) {
    /** Runs a command in this process. */
    static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter errors = new StringWriter();
        int exit = Aspas.run(arguments, new PrintWriter(out, true), new PrintWriter(errors, true));
        return new CommandRun(exit, out.toString(), errors.toString());
    }

    List<String> errorLines() {
        return errors.lines().toList();
    }
}
