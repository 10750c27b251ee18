package org.aspas.appserver.core.complaint;

import org.aspas.appserver.core.step.CoreTime;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.PublicKey;

/** Refuses for a while the clients whose complaints were false. For one thread. */
final class FalseComplaints {
    private static final int TOLERATED = 3;
    private static final long REFUSED_MILLIS = 60_000;
    private static final int REMEMBERED_CLIENTS = 10_000;

    private static final class Complainant {
        int complaints;
        long refusedUntil = Long.MIN_VALUE;
    }

    private final CoreTime time;
    private final BoundedMap<PublicKey, Complainant> complainants = new BoundedMap<>(REMEMBERED_CLIENTS);

    FalseComplaints(CoreTime time) {
        this.time = time;
    }

    void count(ClientId client) {
        Complainant one = complainants.computeIfAbsent(client.key(), any -> new Complainant());
        if (++one.complaints % TOLERATED == 0) {
            one.refusedUntil = time.now() + REFUSED_MILLIS;
        }
    }

    boolean refuses(ClientId client) {
        Complainant one = complainants.get(client.key());
        return one != null && time.now() < one.refusedUntil;
    }
}
