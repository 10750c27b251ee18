/**
 * What a run costs, by counters: public-key operations, packets, slices of the scheduler and processor time by party. {@link
 * org.aspas.emulab.experiments.usage.CostMeter} reads them before and after, and the differences are the figures.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.experiments.usage;
