package org.aspas.client.core;

import java.util.ArrayDeque;
import java.util.Deque;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.tag.RequestTags;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Signed;
import org.jspecify.annotations.Nullable;

/**
 * Puts tags beside requests (docs/tags.md). A session has a key of its own; the secrets with the appservers are made once it has had some
 * requests. For one thread.
 */
public final class SessionTagger {
    private final Tagging tagging;
    private final Hash deployment;
    private final ClientId self;
    /** The session records that no server has answered yet, in order. */
    private final Deque<Opening> openings = new ArrayDeque<>();

    private @Nullable AgreementKey offered;
    private @Nullable Opening open;
    private int sent;
    private @Nullable RequestTags tags;

    private record Opening(AgreementKey key, Hash session) {}

    /** Begins without a session; tags requests of {@code self}, and not those of earlier incarnations. */
    public SessionTagger(Tagging tagging, Hash deployment, ClientId self) {
        this.tagging = tagging;
        this.deployment = deployment;
        this.self = self;
    }

    /** Whether the deployment has tags. */
    boolean enabled() {
        return !tagging.servers().isEmpty();
    }

    /** Whether a session has had its key for so long, and was used, that it is to have a new one. Whoever is idle makes no entries. */
    boolean isOld(long millis) {
        return enabled() && sent > 0 && millis >= tagging.keyMillis();
    }

    /** The share for a session record that is to be made now; null where there are no tags. */
    OpenSession.@Nullable Share offer(int home) {
        if (!enabled()) {
            return null;
        }
        offered = AgreementKey.of(tagging.secrets().get());
        return new OpenSession.Share(offered.share(), home);
    }

    /** The session record with the last share is on its way. */
    void opening(Signed<ClientSigned> signed) {
        AgreementKey key = offered;
        if (key != null) {
            openings.add(new Opening(key, signed.identity()));
            offered = null;
        }
    }

    /** A server answered a session record: requests have its tags from now on. */
    void opened(Signed<ClientSigned> signed) {
        Opening next = openings.peek();
        if (next != null && next.session().equals(signed.identity())) {
            open = openings.remove();
            sent = 0;
            tags = null;
        }
    }

    void disconnected() {
        openings.clear();
        open = null;
        tags = null;
    }

    public Frame frame(Signed<ClientSigned> signed) {
        Opening session = open;
        if (session == null || !signed.message().client().equals(self) || ++sent < tagging.worthwhile()) {
            return new Frame.Sealed(signed);
        }
        RequestTags known = tags;
        if (known == null) {
            known = RequestTags.of(session.key(), tagging.servers(), deployment, session.session());
            tags = known;
        }
        return new Frame.Sealed(signed, known.of(signed));
    }
}
