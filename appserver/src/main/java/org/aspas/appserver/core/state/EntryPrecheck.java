package org.aspas.appserver.core.state;

import java.util.function.Predicate;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.tag.SessionTags;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;

/**
 * What a shell does with an entry before the core has it: a right tag spares the signature, else that is verified. It decides nothing: the core
 * asks everything again, and finds the answers remembered. Thread-safe.
 *
 * @param tags the sessions that the core knows, too
 */
public record EntryPrecheck(Predicate<ClientId> admits, Verifier verifier, SessionTags tags) {
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
