package org.aspas.appserver.http;

/** Ends the stream to a client that does not read, or has to make room. It is no defect and has no stack trace. */
final class SlowClientException extends Exception {
    private static final long serialVersionUID = 1;

    SlowClientException() {
        super("the connection is cut", null, false, false);
    }
}
