package org.aspas.appserver.core.session;

import org.aspas.appserver.core.complaint.TokenBucket;
import org.aspas.certify.identity.ClientId;
import org.jspecify.annotations.Nullable;

/** One connection: whose it is, once a session is open, and the newest certificate that was sent on it. */
final class Session {
    final long connection;

    @Nullable
    ClientId client;

    long certificate;
    /** When the last frame came, or the connection. */
    long heardAt;
    /** The reads that the connection may make before a session is open. */
    final TokenBucket strangerReads;

    Session(long connection, TokenBucket strangerReads, long now) {
        this.connection = connection;
        this.strangerReads = strangerReads;
        this.heardAt = now;
    }
}
