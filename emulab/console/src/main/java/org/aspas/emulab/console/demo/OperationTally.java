package org.aspas.emulab.console.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.emulab.workload.OperationKind;

/** What ended at each server since it was last taken, and a few of these operations. Thread-safe. */
final class OperationTally {
    /** How many operations are shown of one time. */
    static final int MOST_SAMPLES = 16;

    private final List<Counts> servers = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private long seen;

    /** The counts of one server. */
    static final class Counts {
        final LongAdder updates = new LongAdder();
        final LongAdder reads = new LongAdder();
        final LongAdder confirmed = new LongAdder();
        final LongAdder failed = new LongAdder();
    }

    /**
     * One operation that went well.
     *
     * @param server the index of the server that answered
     */
    record Sample(int server, int client, OperationKind kind, String key, long nanos) {}

    OperationTally(int servers) {
        for (int server = 0; server < servers; server++) {
            this.servers.add(new Counts());
        }
    }

    Counts at(int server) {
        return servers.get(server);
    }

    /** An operation has ended well: each has the same chance to be shown. */
    synchronized void ended(Sample sample) {
        seen++;
        if (samples.size() < MOST_SAMPLES) {
            samples.add(sample);
        } else {
            long place = ThreadLocalRandom.current().nextLong(seen);
            if (place < MOST_SAMPLES) {
                samples.set((int) place, sample);
            }
        }
    }

    synchronized List<Sample> takeSamples() {
        List<Sample> taken = List.copyOf(samples);
        samples.clear();
        seen = 0;
        return taken;
    }
}
