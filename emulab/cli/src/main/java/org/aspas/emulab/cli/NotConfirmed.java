package org.aspas.emulab.cli;

/** An update is answered, and no certificate covered it in the time given; the message says so in one line. Exit code 5. */
final class NotConfirmed extends Exception {
    private static final long serialVersionUID = 1L;

    NotConfirmed(String message) {
        super(message);
    }
}
