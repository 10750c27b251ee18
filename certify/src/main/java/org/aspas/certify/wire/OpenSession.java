package org.aspas.certify.wire;

import java.util.Objects;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.jspecify.annotations.Nullable;

/**
 * A client's session at an appserver with its tolerance (paper §3.4, §3.6), signed by the client and spread as an entry,
 * so that every appserver learns τ. A change of τ is another one with a higher number.
 *
 * @param number rises with every session record of the client, from 1
 * @param tolerance τ: how many of the client's updates may be unconfirmed at once, from 1; 0 stands for unbounded
 * @param share by which appservers know the tags of this session (docs/tags.md); null for a session without tags
 */
public record OpenSession(
        ClientId client,
        long number,
        long tolerance,
        @Nullable Share share) implements ClientSigned {
    static final Schema<OpenSession> SCHEMA = items -> new OpenSession(
            items.client(OpenSession::client),
            items.positive(OpenSession::number),
            items.natural(OpenSession::tolerance),
            items.more(open -> open.share() != null)
                    ? new Share(
                            items.of(Item.AGREEMENT, open -> open.shared().key()),
                            items.index(open -> open.shared().home()))
                    : null);

    public static final long UNBOUNDED = 0;

    /**
     * What a session has tags by.
     *
     * @param key the public half of a key that the client made for this session
     * @param home the index of the appserver that it is opened at: the tags count in the log of that one alone
     */
    public record Share(AgreementShare key, int home) {}

    private Share shared() {
        return Objects.requireNonNull(share);
    }

    public OpenSession(ClientId client, long number, long tolerance) {
        this(client, number, tolerance, null);
    }
}
