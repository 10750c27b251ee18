package org.aspas.emulab.experiments.plan;

import java.util.Map;

/**
 * When the operations of a step on sockets begin, and how many updates its clients let be unconfirmed.
 *
 * @param rate open loop: how many operations begin in a second over all clients; 0 for a closed loop
 * @param openUpdates closed loop: how many operations each client has open, from 1
 * @param tau the share of each class of clients in percent, by its τ; empty for those of the system
 */
public record StepLoad(double rate, int openUpdates, Map<String, Integer> tau) {
    /** Each client has one operation open, and the system's own τ. */
    public static final StepLoad USUAL = new StepLoad(0, 1, Map.of());

    public StepLoad {
        tau = Map.copyOf(tau);
    }
}
