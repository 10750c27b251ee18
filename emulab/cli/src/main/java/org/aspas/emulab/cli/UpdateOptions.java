package org.aspas.emulab.cli;

import org.aspas.client.api.Tolerance;
import picocli.CommandLine.Option;

/** How an update is waited for. */
final class UpdateOptions {
    @Option(
            names = "--confirm",
            description =
                    "Return only when a verified certificate covers the update; exit code 5 when none does in time.")
    private boolean confirm;

    @Option(
            names = "--tau",
            paramLabel = "N|unbounded",
            description = "Number of updates that may be unconfirmed at once, from 1, which waits for each certificate;"
                    + " unbounded never waits (default).")
    private String tolerance = Tolerance.text(Tolerance.UNBOUNDED);

    boolean confirm() {
        return confirm;
    }

    /**
     * Reads what a user gives as {@code --tau}.
     *
     * @return from 1, or {@link Tolerance#UNBOUNDED}
     * @throws IllegalArgumentException when it is neither a number from 1 nor {@code unbounded}; the message names the option
     */
    static long tolerance(String text) {
        try {
            return Tolerance.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("--tau: " + wrong.getMessage(), wrong);
        }
    }

    OpenClient connect(ClientOption session) throws Exception {
        return session.connect(tolerance(tolerance));
    }
}
