package org.aspas.emulab.lab.cluster;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.aspas.certify.identity.SignatureCounts;

/** The public-key operations of servers that have stopped, by party. Thread-safe. */
final class SignatureTotals {
    private final Map<String, SignatureCounts.Reading> stopped = new ConcurrentHashMap<>();

    void stopped(String party, SignatureCounts.Reading server) {
        stopped.merge(party, server, SignatureCounts.Reading::plus);
    }

    /** A party's total, with its servers that still run. */
    SignatureCounts.Reading with(String party, Stream<SignatureCounts.Reading> running) {
        return running.reduce(
                stopped.getOrDefault(party, SignatureCounts.Reading.NOTHING), SignatureCounts.Reading::plus);
    }
}
