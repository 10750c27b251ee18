package org.aspas.emulab.testbed.cluster;

import java.util.List;

/**
 * What delays were asked for and what they were. Times are milliseconds.
 *
 * @param networks each network between two tiers that carried frames
 * @param emulatorCpuSeconds the processor time of the thread that says when frames are due; 0 where it is not known. What the
 *     I/O threads do for delays is not in it
 * @param promptThreads how many threads the system runs as soon as they wake; 0 where it does not do that
 */
public record DelayReport(String world, List<Network> networks, double emulatorCpuSeconds, int promptThreads) {
    /** Later than this at the 95th percentile, a run says nothing about latency; at the 99th, nothing about its tails. */
    public static final double MOST_LATE_MS = 1;

    public DelayReport {
        networks = List.copyOf(networks);
    }

    /**
     * One network.
     *
     * @param name the two tiers, as a world's file calls them
     * @param frames how many frames it carried, each direction counted
     * @param askedMs the delay asked for, one way, on average; what a frame waited in a partition is in it
     * @param measuredMs what it really was, on average
     */
    public record Network(
            String name,
            long frames,
            double askedMs,
            double measuredMs,
            double lateP50Ms,
            double lateP95Ms,
            double lateP99Ms,
            double lateMaxMs) {
        /** Whether its delays were held: medians, means and throughput mean something. */
        public boolean valid() {
            return lateP95Ms <= MOST_LATE_MS;
        }

        /** Whether even its rare delays were held: the 99th percentiles of latencies mean something too. */
        public boolean tailsHeld() {
            return lateP99Ms <= MOST_LATE_MS;
        }
    }

    /** Whether the delays of all networks were held. */
    public boolean valid() {
        return networks.stream().allMatch(Network::valid);
    }

    /** Whether the rare delays of all networks were held. */
    public boolean tailsHeld() {
        return networks.stream().allMatch(Network::tailsHeld);
    }
}
