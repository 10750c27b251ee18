/**
 * What a run has shown: {@link org.aspas.emulab.experiments.report.RunReport} holds the figures,
 * {@link org.aspas.emulab.experiments.report.ClosingTable} prints them for people and {@link org.aspas.emulab.experiments.report.RunJson} for
 * programs. Times are in milliseconds.
 */
@NullMarked
package org.aspas.emulab.experiments.report;

import org.jspecify.annotations.NullMarked;
