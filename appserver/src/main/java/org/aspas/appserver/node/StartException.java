package org.aspas.appserver.node;

/** An appserver cannot start; the message says in one line why. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean mayPass;

    StartException(String message, Throwable cause) {
        this(message, cause, false);
    }

    StartException(String message, Throwable cause, boolean mayPass) {
        super(message, cause);
        this.mayPass = mayPass;
    }

    /** Whether another start may succeed without anybody's help, as when a disk was full. */
    public boolean mayPass() {
        return mayPass;
    }
}
