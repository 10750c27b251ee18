package org.aspas.emulab.experiments.page;

/**
 * A stretch of the horizontal axis that is shaded, such as the time of a fault.
 *
 * @param from where it begins
 * @param to where it ends
 * @param about what it is
 */
record PlotBand(double from, double to, String about) {}
