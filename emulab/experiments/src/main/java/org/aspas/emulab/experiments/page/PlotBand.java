package org.aspas.emulab.experiments.page;

/** A stretch of the horizontal axis that is shaded, such as the time of a fault. */
record PlotBand(double from, double to, String about) {}
