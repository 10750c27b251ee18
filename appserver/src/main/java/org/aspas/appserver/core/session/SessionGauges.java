package org.aspas.appserver.core.session;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.aspas.appserver.core.port.TauBucket;

/**
 * What a server can know of its clients' τ: what each told it, and how many of the updates that it entered for each no
 * certificate covers yet. What waits inside a client, or is on its way to another server, only the client knows.
 */
final class SessionGauges {
    private SessionGauges() {}

    /** Adds what {@link org.aspas.appserver.core.port.CoreStatus#gauges} says of the clients with a session. */
    static void measure(Map<String, Long> gauges, Collection<ClientLedger> clients) {
        TauBucket[] buckets = TauBucket.values();
        long[] sessions = new long[buckets.length];
        long[] uncertified = new long[buckets.length];
        long[] ofEach = new long[clients.size()];
        long waiting = 0;
        long bounded = 0;
        int next = 0;
        for (ClientLedger client : clients) {
            long count = client.uncertified();
            int bucket = TauBucket.of(client.tolerance).ordinal();
            sessions[bucket]++;
            uncertified[bucket] += count;
            ofEach[next++] = count;
            waiting += client.tolerance == 1 ? 1 : 0;
            bounded += client.tolerance > 1 ? 1 : 0;
        }
        gauges.put("sessions", (long) ofEach.length);
        gauges.put("sessions_tau_1", waiting);
        gauges.put("sessions_tau_bounded", bounded);
        for (TauBucket bucket : buckets) {
            gauges.put(bucket.sessionsGauge(), sessions[bucket.ordinal()]);
            gauges.put(bucket.unconfirmedGauge(), uncertified[bucket.ordinal()]);
        }
        Arrays.sort(ofEach);
        gauges.put("unconfirmed_p50", percentile(ofEach, 50));
        gauges.put("unconfirmed_p99", percentile(ofEach, 99));
        gauges.put("unconfirmed_most", percentile(ofEach, 100));
    }

    /** The smallest value that so many of a hundred do not exceed; 0 of none. */
    private static long percentile(long[] sorted, int percent) {
        int rank = (sorted.length * percent + 99) / 100;
        return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)];
    }
}
