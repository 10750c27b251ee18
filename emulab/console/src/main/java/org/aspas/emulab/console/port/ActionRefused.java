package org.aspas.emulab.console.port;

/** An action is not done; the message is one sentence for people. */
public final class ActionRefused extends Exception {
    private static final long serialVersionUID = 1L;

    public enum Why {
        /** The console may only look. */
        READ_ONLY(403),
        /** There is no such action here. */
        NOT_AVAILABLE(403),
        /** There is no such node, class or site. */
        NOT_FOUND(404),
        /** Not in this state. */
        CONFLICT(409),
        /** A field is unknown, missing or wrong. */
        BAD_FIELD(422);

        private final int status;

        Why(int status) {
            this.status = status;
        }

        public int status() {
            return status;
        }
    }

    private final Why why;

    public ActionRefused(Why why, String message) {
        super(message);
        this.why = why;
    }

    public Why why() {
        return why;
    }
}
