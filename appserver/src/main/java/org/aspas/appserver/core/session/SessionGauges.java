package org.aspas.appserver.core.session;

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
        gauges.put("sessions", (long) clients.size());
        gauges.put(
                "sessions_tau_1",
                clients.stream().filter(client -> client.tolerance == 1).count());
        gauges.put(
                "sessions_tau_bounded",
                clients.stream().filter(client -> client.tolerance > 1).count());
        for (TauBucket bucket : TauBucket.values()) {
            gauges.put(bucket.sessionsGauge(), 0L);
            gauges.put(bucket.unconfirmedGauge(), 0L);
        }
        for (ClientLedger client : clients) {
            TauBucket bucket = TauBucket.of(client.tolerance);
            gauges.merge(bucket.sessionsGauge(), 1L, Long::sum);
            gauges.merge(bucket.unconfirmedGauge(), client.uncertified(), Long::sum);
        }
        long[] unconfirmed =
                clients.stream().mapToLong(ClientLedger::uncertified).sorted().toArray();
        gauges.put("unconfirmed_p50", percentile(unconfirmed, 50));
        gauges.put("unconfirmed_p99", percentile(unconfirmed, 99));
        gauges.put("unconfirmed_most", percentile(unconfirmed, 100));
    }

    /** The smallest value that so many of a hundred do not exceed; 0 of none. */
    private static long percentile(long[] sorted, int percent) {
        int rank = (sorted.length * percent + 99) / 100;
        return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)];
    }
}
