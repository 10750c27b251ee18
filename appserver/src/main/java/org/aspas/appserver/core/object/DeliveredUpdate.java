package org.aspas.appserver.core.object;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.polog.Tagged;

/**
 * A delivered request.
 *
 * @param identity the hash of what the client signed
 */
public record DeliveredUpdate(Entry entry, Request request, Hash identity) {
    public static DeliveredUpdate of(Entry entry, Request request) {
        return new DeliveredUpdate(entry, request, entry.body().identity());
    }

    public Dot dot() {
        return entry.dot();
    }

    /** This entry as the one that counts for its number. */
    public Counted counted() {
        return new Counted(request.number(), dot(), identity);
    }

    ObjectKey object() {
        return new ObjectKey(request.key(), request.type());
    }

    Tagged tagged() {
        return new Tagged(entry.dot(), entry.dependencies(), request.operation());
    }
}
