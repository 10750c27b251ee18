package org.aspas.client.core;

import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Confirmation;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.jspecify.annotations.Nullable;

/** One unconfirmed update: the signed request, its verified answer, and what the application knows already. */
final class PendingUpdate {
    /** Stands for an update of an earlier run, for which no call waits. */
    static final long NO_TICKET = -1;

    final long ticket;
    long number;
    Signed<ClientSigned> body;
    /** The verified answer; kept as evidence until the update is confirmed. */
    @Nullable
    Signed<Response> answer;
    /** Whether the application has been told the answer. */
    boolean told;
    /** Whether the call has failed; the request stays until it is confirmed. */
    boolean failed;
    /** A confirmation that came before the answer, whose leaf it proves. */
    @Nullable
    Early early;

    PendingUpdate(long ticket, long number, Signed<ClientSigned> body) {
        this.ticket = ticket;
        this.number = number;
        this.body = body;
        this.failed = ticket == NO_TICKET;
    }

    /** A confirmation without an answer. */
    record Early(Certificate certificate, Confirmation.Covered covered) {}
}
