package org.aspas.appserver.core.complaint;

import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.PublicKey;

/** How often clients may make the server work for them beside their updates and reads. For one thread. */
public final class ClientRates {
    private static final int REMEMBERED_CLIENTS = 10_000;

    private static final class Rate {
        final TokenBucket bucket;
        long servedAt = Long.MIN_VALUE / 2;

        Rate(TokenBucket bucket) {
            this.bucket = bucket;
        }
    }

    private final long burst;
    private final long perSecond;
    private final long rareMillis;
    private final TokenBucket all;
    private final BoundedMap<PublicKey, Rate> rates = new BoundedMap<>(REMEMBERED_CLIENTS);

    /**
     * Rates without an allowance for clients who ask rarely.
     *
     * @param burst how many at once for one client
     * @param perSecond how many each second for one client
     * @param clients for how many clients at that rate the server works at all
     */
    public ClientRates(long burst, long perSecond, long clients) {
        this(burst, perSecond, clients, Long.MAX_VALUE / 2);
    }

    /**
     * Rates that clients who ask often do not use up for those who do not: for what is cheap, since strangers may have any
     * number of keys.
     *
     * @param burst how many at once for one client
     * @param perSecond how many each second for one client
     * @param clients for how many clients at that rate the server works at all
     * @param rareMillis one for each client in this time is beside the rate of all
     */
    ClientRates(long burst, long perSecond, long clients, long rareMillis) {
        this.burst = burst;
        this.perSecond = perSecond;
        this.rareMillis = rareMillis;
        this.all = new TokenBucket(burst * clients, perSecond * clients, Long.MIN_VALUE / 2);
    }

    boolean take(ClientId client, long now) {
        return take(client, 1, now);
    }

    public boolean take(ClientId client, long amount, long now) {
        Rate rate = rates.computeIfAbsent(client.key(), any -> new Rate(new TokenBucket(burst, perSecond, now)));
        if (!rate.bucket.take(amount, now)) {
            return false;
        }
        if (rare(rate, now)) {
            rate.servedAt = now;
            return true;
        }
        return all.take(amount, now);
    }

    private boolean rare(Rate rate, long now) {
        return rareMillis < Long.MAX_VALUE / 2 && now - rate.servedAt >= rareMillis;
    }
}
