package org.aspas.emulab.cli;

/** A command did its work and the outcome is a failure; the message is one line for the user. Exit code 1. */
final class CommandFailed extends Exception {
    private static final long serialVersionUID = 1L;

    CommandFailed(String message) {
        super(message);
    }
}
