package org.aspas.emulab.sim.node;

/**
 * How bad the network is at the moment. Loss, duplication and reordering concern single frames between servers; a core is
 * not told of them.
 *
 * @param loss the probability that a frame is lost
 * @param duplication the probability that a frame comes twice
 * @param reordering the probability that a frame is overtaken by later ones
 */
public record Conditions(double loss, double duplication, double reordering) {
    public static final Conditions CALM = new Conditions(0, 0, 0);
}
