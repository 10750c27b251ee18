package org.aspas.emulab.testbed.deployment;

/** Runs the power cuts of a range of seeds, for config/mutants: exit code 1 and the property when one is broken. */
public final class DeploymentPowerCutMain {
    private DeploymentPowerCutMain() {}

    /**
     * Runs them.
     *
     * @param arguments the first seed and the number of runs
     */
    public static void main(String[] arguments) {
        long first = Long.parseLong(arguments[0]);
        int runs = Integer.parseInt(arguments[1]);
        int returned = 0;
        for (long seed = first; seed < first + runs; seed++) {
            try {
                returned += new DeploymentPowerCutRun(seed).run().returned() ? 1 : 0;
            } catch (DeploymentPowerCutRun.Violation broken) {
                System.out.println(
                        "seed " + seed + " " + broken.getMessage() + ", after " + (seed - first + 1) + " runs");
                System.exit(1);
            }
        }
        System.out.println(runs + " runs, " + returned + " ended after the making had returned");
    }
}
