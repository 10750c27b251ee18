package org.aspas.emulab.cli;

import org.aspas.client.api.AspasException;

/** An update has no answer, and stays in its client's record: the next command of that client sends it. Exit code 7, or 1. */
final class KeptException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String request;
    private final boolean refused;

    /**
     * The update has no answer, and the record keeps it: the next command of the client sends it.
     *
     * @param request the name of the request in the client's record
     */
    KeptException(Exception failed, String request, String client) {
        super(UserErrors.sentence(failed) + "; kept as request " + request
                + ", will be sent with the next command of client " + client
                + " (aspas pending list|retry|drop); if repeated, it counts twice");
        this.request = request;
        this.refused = UserErrors.cause(failed) instanceof AspasException.MayTakeEffect;
    }

    /** A message about requests that were kept before, and stay kept. */
    KeptException(String message) {
        super(message);
        this.request = "";
        this.refused = false;
    }

    String request() {
        return request;
    }

    /** The exit code: servers that refused it will most likely do so again. */
    int code() {
        return refused ? ExitCodes.FAILED : ExitCodes.KEPT;
    }
}
