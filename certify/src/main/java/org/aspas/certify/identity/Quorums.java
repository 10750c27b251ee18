package org.aspas.certify.identity;

/**
 * The sizes that follow from the two fault bounds of a deployment: f Byzantine appservers among 3f+1 and b Byzantine
 * bftservers among 3b+1 (paper §3.2).
 *
 * @param f how many appservers may be Byzantine, 1 to 33
 * @param b how many bftservers may be Byzantine, 1 to 33
 */
public record Quorums(int f, int b) {
    private static final int LARGEST_FAULTS = 33;

    public Quorums {
        checkFaults("f", f);
        checkFaults("b", b);
    }

    private static void checkFaults(String name, int value) {
        if (value < 1 || value > LARGEST_FAULTS) {
            throw new IllegalArgumentException(name + " = " + value + " is outside 1.." + LARGEST_FAULTS);
        }
    }

    /** The number of appservers, N = 3f+1. */
    public int appservers() {
        return 3 * f + 1;
    }

    /** The number of bftservers, n = 3b+1. */
    public int bftservers() {
        return 3 * b + 1;
    }

    /** Among this many appservers at least one is correct: f+1. */
    public int oneCorrectAppserver() {
        return f + 1;
    }

    /** Any two sets of this many appservers share a correct one: 2f+1. */
    public int appserverQuorum() {
        return 2 * f + 1;
    }

    /** Among this many bftservers at least one is correct: b+1. */
    public int oneCorrectBftserver() {
        return b + 1;
    }

    /** Any two sets of this many bftservers share a correct one: 2b+1. */
    public int bftserverQuorum() {
        return 2 * b + 1;
    }

    /** Among this many servers of both kinds at least one is correct: f+b+1. */
    public int oneCorrectServer() {
        return f + b + 1;
    }
}
