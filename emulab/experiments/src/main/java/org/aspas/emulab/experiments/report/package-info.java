/**
 * What a run has shown: {@link org.aspas.emulab.experiments.report.RunReport} builds one tree of its figures and writes it as JSON,
 * {@link org.aspas.emulab.experiments.report.ClosingTable} prints some of them for people. Times are in milliseconds.
 *
 * <h2>Usage</h2>
 *
 * What a run costs, by counters: public-key operations, packets, slices of the scheduler and processor time by party. {@link
 * org.aspas.emulab.experiments.report.CostMeter} reads them before and after, and the differences are the figures.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.experiments.report;
