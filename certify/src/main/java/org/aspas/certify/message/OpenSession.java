package org.aspas.certify.message;

import org.aspas.certify.identity.ClientId;

/**
 * A client's session at an appserver with its tolerance (paper §3.4, §3.6), signed by the client and spread as an entry,
 * so that every appserver learns τ. A change of τ is another one with a higher number.
 *
 * @param client whose session
 * @param number rises with every session record of the client, from 1
 * @param tolerance τ: how many of the client's updates may be unconfirmed at once, from 1; 0 stands for no bound
 */
public record OpenSession(ClientId client, long number, long tolerance) implements ClientSigned {
    /** The tolerance that never waits. */
    public static final long UNBOUNDED = 0;

    @Override
    public Kind kind() {
        return Kind.OPEN_SESSION;
    }
}
