package org.aspas.emulab.cli;

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
            paramLabel = "N",
            description = "How many updates may be unconfirmed at once: from 1, 1 waits for the certificate of each; "
                    + "0 for no bound (default).")
    private long tolerance;

    boolean confirm() {
        return confirm;
    }

    /** A client that updates under this τ. */
    OpenClient connect(ClientOption session) throws Exception {
        if (tolerance < 0) {
            throw new IllegalArgumentException("--tau " + tolerance + " is less than 0");
        }
        return session.connect(tolerance);
    }
}
