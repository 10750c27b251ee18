package org.aspas.certify.machine;

/**
 * The ordered times of the certification machine, equal at all replicas of a deployment.
 *
 * @param epochTicks how many ticks lie at least between the beginnings of two epochs, 0 to 1,000,000; with 0 one begins as soon as
 *     the content of the last is committed to, and there is something new
 * @param roundTicks after how many ticks a first round without a decision ends, 1 to 1,000,000; each further round without
 *     a decision doubles it, up to 32 times
 */
public record MachineSettings(int epochTicks, int roundTicks) {
    private static final int MOST_TICKS = 1_000_000;

    public MachineSettings {
        check("epochTicks", epochTicks, 0);
        check("roundTicks", roundTicks, 1);
    }

    private static void check(String name, int value, int least) {
        if (value < least || value > MOST_TICKS) {
            throw new IllegalArgumentException(name + " = " + value + " is outside " + least + ".." + MOST_TICKS);
        }
    }
}
