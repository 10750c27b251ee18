package org.aspas.emulab.baselines.obft.core;

/**
 * What one replica has to know of the group. Times are in ticks, whose length the shell chooses.
 *
 * @param self its index, from 0
 * @param f how many of the 3f+1 replicas may be Byzantine, from 1
 * @param interval after how many logged operations the replicas synchronise, from 1
 * @param patienceTicks how long a replica waits for the last f of its peers where 2f+1 suffice
 * @param roundTicks how long the first round of the agreement may take; the next ones take as much more each
 * @param repeatTicks how often a replica says what it has, so that what was lost is sent again
 */
public record ObftSettings(int self, int f, int interval, int patienceTicks, int roundTicks, int repeatTicks) {
    /** Every 1000 requests, as the paper of ASPAS says (§4.4). */
    public static final int USUAL_INTERVAL = 1000;

    public ObftSettings {
        check("f", f, 1, 33);
        check("self", self, 0, 3 * f);
        check("interval", interval, 1, 100_000);
        check("patienceTicks", patienceTicks, 1, Integer.MAX_VALUE);
        check("roundTicks", roundTicks, 1, 1 << 20);
        check("repeatTicks", repeatTicks, 1, Integer.MAX_VALUE);
    }

    private static void check(String key, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(key + " = " + value + " is not in " + low + ".." + high);
        }
    }

    /** The usual times for ticks of 50 ms: half a second of patience, 2 s for a round, repeats every second. */
    public static ObftSettings usual(int self, int f, int interval) {
        return new ObftSettings(self, f, interval, 10, 40, 20);
    }

    /** The number of replicas, N = 3f+1. */
    public int replicas() {
        return 3 * f + 1;
    }

    /** Any two sets of this many replicas share a correct one: 2f+1. */
    public int quorum() {
        return 2 * f + 1;
    }

    /** Among this many replicas at least one is correct: f+1. */
    public int oneCorrect() {
        return f + 1;
    }

    /** How many operations of one origin an epoch may have; a replica that sends more is not heard. */
    int mostPerOrigin() {
        return 4 * interval + 1000;
    }
}
