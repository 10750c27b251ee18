package org.aspas.emulab.console.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.emulab.workload.OperationKind;

/** Counts the operations that ended at each server since the last tick, and samples a few of them. Thread-safe. */
final class OperationTally {
    /** The most operations that are sampled in one tick. */
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
     * One successful operation.
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

    /** Takes a successful operation; all operations of a tick have the same chance to be sampled. */
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
