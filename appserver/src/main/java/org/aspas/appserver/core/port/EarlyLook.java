package org.aspas.appserver.core.port;

import java.util.function.Predicate;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.certify.tag.SessionTags;

/**
 * What a shell does with an entry before the core has it: a right tag spares the signature, else that is verified. It decides nothing: the core
 * asks everything again, and finds the answers remembered. Thread-safe.
 *
 * @param tags the sessions that the core knows, too
 */
public record EarlyLook(Predicate<ClientId> admits, Verifier verifier, SessionTags tags) {
    /** Looks at the entry at a place of a batch, from 0, if it is one. */
    public void at(OpenBatch open, int place) {
        open.entry(place).map(Entry::body).ifPresent(signed -> look(open, place, signed));
    }

    private void look(OpenBatch open, int place, Signed<ClientSigned> signed) {
        ClientSigned body = signed.message();
        int origin = open.batch().head().message().origin();
        if (!admits.test(body.client())) {
            return;
        }
        if (body instanceof Request
                && tags.convinces(origin, signed, open.batch().tags(), place)) {
            open.convinced(place);
        } else if (signed.verify(verifier, body.client().key(), Sealer.domainOf(body)) && body instanceof OpenSession) {
            tags.accepted(origin, signed); // The core will tell it again; the next entries are looked at before that.
        }
    }
}
