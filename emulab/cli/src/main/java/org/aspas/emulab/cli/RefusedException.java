package org.aspas.emulab.cli;

import java.util.Optional;

/** An update does not fit its object: f+1 servers refused it, and it has no effect. Exit code 1. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String request;

    /**
     * Says what is wrong, and under which name the client's record keeps the request, if it does.
     *
     * @param detail what is wrong, such as {@code k is a set, not a counter}
     * @param request the name of the request, where no certificate covered it in time and the client's record keeps it
     */
    RefusedException(String detail, Optional<String> request, String client) {
        super(detail
                + request.map(name -> "; it is kept as request " + name
                                + " until a certificate covers it, and changes nothing"
                                + " (aspas pending list|drop, client " + client + ")")
                        .orElse(""));
        this.request = request.orElse("");
    }

    /** The name of the request in the client's record; empty when none is left. */
    String request() {
        return request;
    }
}
