/**
 * What a run has shown: {@link org.aspas.emulab.experiments.report.RunReport} holds the figures and writes them as JSON,
 * {@link org.aspas.emulab.experiments.report.ClosingTable} prints them for people.
 * Times are in milliseconds.
 */
@NullMarked
package org.aspas.emulab.experiments.report;

import org.jspecify.annotations.NullMarked;
