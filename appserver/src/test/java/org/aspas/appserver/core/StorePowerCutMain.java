package org.aspas.appserver.core;

import java.io.IOException;
import java.nio.file.Files;

/** Runs the power cuts of a range of seeds, for config/mutants: exit code 1 and the property when one is broken. */
public final class StorePowerCutMain {
    private StorePowerCutMain() {}

    /**
     * Runs them.
     *
     * @param arguments the first seed and the number of runs
     */
    public static void main(String[] arguments) throws IOException {
        long first = Long.parseLong(arguments[0]);
        int runs = Integer.parseInt(arguments[1]);
        StorePowerCuts done = new StorePowerCuts(Files.createTempDirectory("power-cuts"));
        for (long seed = first; seed < first + runs; seed++) {
            try {
                done.run(seed);
            } catch (StorePowerCutRun.Violation broken) {
                System.out.println(broken.getMessage() + ", after " + (seed - first + 1) + " runs");
                System.exit(1);
            }
        }
        System.out.println(done);
    }
}
