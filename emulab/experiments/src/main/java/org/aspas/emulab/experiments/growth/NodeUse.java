package org.aspas.emulab.experiments.growth;

/**
 * What a node takes at a moment.
 *
 * @param heapBytes the live objects, right after a collection
 * @param diskBytes the lengths of the files in its data directory
 * @param descriptors open file descriptors of its processes
 */
public record NodeUse(long heapBytes, long diskBytes, long threads, long descriptors) {
    NodeUse plus(NodeUse other) {
        return new NodeUse(
                heapBytes + other.heapBytes,
                diskBytes + other.diskBytes,
                threads + other.threads,
                descriptors + other.descriptors);
    }
}
