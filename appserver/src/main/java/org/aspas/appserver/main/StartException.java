package org.aspas.appserver.main;

/** An appserver cannot start; the message says in one line why. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
