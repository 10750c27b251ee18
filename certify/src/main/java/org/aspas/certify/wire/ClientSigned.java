package org.aspas.certify.wire;

import org.aspas.certify.identity.ClientId;

/** What a client signs and an entry can carry: an update or a session record. */
public sealed interface ClientSigned extends Message permits Request, OpenSession {
    ClientId client();
}
