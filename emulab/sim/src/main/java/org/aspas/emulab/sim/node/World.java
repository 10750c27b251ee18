package org.aspas.emulab.sim.node;

import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.engine.Trace;
import org.aspas.emulab.sim.invariant.Monitor;
import org.jspecify.annotations.Nullable;

/**
 * What all parties of a run share.
 *
 * @param chance the root of all randomness
 * @param network the links between servers
 * @param lines the clients' connections
 * @param processors the machines and what work costs on them; null when work takes no time
 */
public record World(
        Timeline timeline,
        SeededRandom chance,
        Trace trace,
        Network network,
        ClientLines lines,
        Monitor monitor,
        @Nullable Processors processors) {}
