package org.aspas.certify.wire;

import org.aspas.certify.identity.ClientId;

/** What a client signs and asks of any appserver, without a session. */
public sealed interface ClientQuestion extends Message permits AskStanding, Inspect, Complain {
    ClientId client();

    /** The client's number for the question, which the answer names. */
    long nonce();
}
