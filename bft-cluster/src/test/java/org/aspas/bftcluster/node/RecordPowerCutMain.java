package org.aspas.bftcluster.node;

/** Runs the power cuts of a range of seeds, for config/mutants: exit code 1 and the property when one is broken. */
public final class RecordPowerCutMain {
    private RecordPowerCutMain() {}

    /**
     * Runs them.
     *
     * @param arguments the first seed and the number of runs
     */
    public static void main(String[] arguments) {
        long first = Long.parseLong(arguments[0]);
        int runs = Integer.parseInt(arguments[1]);
        int cuts = 0;
        for (long seed = first; seed < first + runs; seed++) {
            try {
                cuts += new RecordPowerCutRun(seed).run().cuts();
            } catch (RecordPowerCutRun.Violation broken) {
                System.out.println(
                        "seed " + seed + " " + broken.getMessage() + ", after " + (seed - first + 1) + " runs");
                System.exit(1);
            }
        }
        System.out.println(runs + " runs, " + cuts + " stops");
    }
}
