package org.aspas.emulab.console.feed;

/** Thrown when an action is refused. The message is one sentence for people. */
public final class ActionRefused extends Exception {
    private static final long serialVersionUID = 1L;

    public enum Why {
        /** The console is read-only. */
        READ_ONLY(403),
        /** The console does not have this action. */
        NOT_AVAILABLE(403),
        /** There is no such node, class or site. */
        NOT_FOUND(404),
        /** The node's state does not allow the action. */
        CONFLICT(409),
        /** A field is unknown, missing or invalid. */
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
