package org.aspas.appserver.core.session;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * One connection: whose it is, once a session is open, the newest certificate that was sent on it, and which requests were
 * refused on it that may come again.
 */
final class ClientConnection {
    private static final int MOST_UNFIT = 256;
    /** Of more, the eldest is told nothing until its updates are given again. */
    private static final int MOST_FOLLOWED = 256;

    static final byte[] NO_TAGS = {};

    final ConnectionId id;

    @Nullable
    ClientId client;

    CertificateNumber certificate = CertificateNumber.NONE;
    /** The tags of the request in hand, one for each appserver; empty for none. */
    byte[] tags = NO_TAGS;
    /** When the last frame came, or the connection opened. */
    long heardAt;

    final TokenBucket sessionlessReads;
    /** The earlier clients with the key whose updates were given on it. */
    private final LinkedHashSet<ClientId> followed = new LinkedHashSet<>();
    /** The identities of the requests that were refused because they do not fit. */
    private final Set<Hash> unfit = new HashSet<>();

    ClientConnection(ConnectionId id, TokenBucket sessionlessReads, long now) {
        this.id = id;
        this.sessionlessReads = sessionlessReads;
        this.heardAt = now;
    }

    /** Whether it is told what becomes of this client's updates. */
    boolean follows(ClientId one) {
        return one.equals(client) || followed.contains(one);
    }

    /** It is told what becomes of this client's updates from now on, too. */
    void follow(ClientId one) {
        if (followed.size() >= MOST_FOLLOWED) {
            followed.remove(followed.iterator().next());
        }
        followed.add(one);
    }

    /** The clients of whose updates it is told. */
    List<ClientId> clients() {
        List<ClientId> all = new ArrayList<>(followed);
        if (client != null) {
            all.add(client);
        }
        return all;
    }

    /**
     * Whether a request that does not fit its object, or its type, was refused on this connection before and now comes again,
     * byte for byte: the client will never use the number for another content, so the request is entered. It has no effect,
     * unless there is room in the object by then.
     *
     * <p>A client has many requests on its way, and gives them again in the order of their numbers when all have come back:
     * what is refused later takes no earlier one's place here, so that some are entered each time.
     */
    boolean givenAgain(Refusal refusal, Hash identity) {
        boolean fits =
                refusal.reason() != Refusal.Reason.WRONG_TYPE && refusal.reason() != Refusal.Reason.BAD_OPERATION;
        if (fits || unfit.contains(identity)) {
            return !fits;
        }
        if (unfit.size() < MOST_UNFIT) {
            unfit.add(identity);
        }
        return false;
    }

    /** A request is in the log. */
    void entered(Hash identity) {
        unfit.remove(identity);
    }
}
