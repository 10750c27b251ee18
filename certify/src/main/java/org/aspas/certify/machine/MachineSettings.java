package org.aspas.certify.machine;

/**
 * The ordered times of the certification machine, equal at all replicas of a deployment.
 *
 * @param epochTicks how many ticks lie at least between the beginnings of two epochs, 1 to 1,000,000
 * @param roundTicks after how many ticks a first round without a decision ends, 1 to 1,000,000; each further round without
 *     a decision doubles it, up to 32 times
 */
public record MachineSettings(int epochTicks, int roundTicks) {
    private static final int MOST_TICKS = 1_000_000;

    /** Checks the ranges. */
    public MachineSettings {
        check("epochTicks", epochTicks);
        check("roundTicks", roundTicks);
    }

    private static void check(String name, int value) {
        if (value < 1 || value > MOST_TICKS) {
            throw new IllegalArgumentException(name + " = " + value + " is outside 1.." + MOST_TICKS);
        }
    }
}
