package org.aspas.emulab.experiments.growth;

import java.util.Map;
import java.util.TreeMap;

/**
 * What all nodes take at a moment.
 *
 * @param seconds since the load began
 * @param updates how many entries all origins have entered, sessions among them
 * @param nodes by name
 */
public record GrowthSample(double seconds, long updates, Map<String, NodeUse> nodes) {
    /** Copies the map, and sorts it. */
    public GrowthSample {
        nodes = new TreeMap<>(nodes);
    }
}
