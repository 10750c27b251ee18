package org.aspas.appserver.core.complaint;

import java.util.LinkedHashMap;
import java.util.Map;
import org.aspas.certify.identity.ClientId;

/** How often clients may make the server work for them without a session. For one thread. */
final class ClientRates {
    private static final int REMEMBERED_CLIENTS = 10_000;

    private final long burst;
    private final long perSecond;
    private final TokenBucket all;
    private final LinkedHashMap<ClientId, TokenBucket> buckets = new LinkedHashMap<>();

    /**
     * Rates.
     *
     * @param burst how many at once for one client
     * @param perSecond how many each second for one client
     * @param clients for how many clients at that rate the server works at all
     */
    ClientRates(long burst, long perSecond, long clients) {
        this.burst = burst;
        this.perSecond = perSecond;
        this.all = new TokenBucket(burst * clients, perSecond * clients, Long.MIN_VALUE / 2);
    }

    /** Takes one for a client, if it may. */
    boolean take(ClientId client, long now) {
        TokenBucket bucket = buckets.computeIfAbsent(client, any -> new TokenBucket(burst, perSecond, now));
        if (buckets.size() > REMEMBERED_CLIENTS) {
            Map.Entry<ClientId, TokenBucket> eldest =
                    buckets.entrySet().iterator().next();
            buckets.remove(eldest.getKey());
        }
        return bucket.take(now) && all.take(now);
    }
}
