package org.aspas.emulab.testbed.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Power cuts while a deployment or a client's key is made, at {@code -Daspas.power-cuts} seeds from 1 on. */
class DeploymentPowerCutTest {
    private static final int RUNS = Integer.getInteger("aspas.power-cuts", 40);

    @Test
    void thereIsAWholeDeploymentOrNone() {
        int returned = 0;
        for (long seed = 1; seed <= RUNS; seed++) {
            try {
                returned += new DeploymentPowerCutRun(seed).run().returned() ? 1 : 0;
            } catch (RuntimeException broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
        System.out.println(
                "deployments: seeds 1 to " + RUNS + ", " + returned + " of them made when the process ended");
        assertThat(returned).isBetween(RUNS / 10, RUNS - RUNS / 10);
    }
}
