/**
 * What a run has shown: {@link org.aspas.emulab.report.RunReport} holds the figures,
 * {@link org.aspas.emulab.report.ClosingTable} prints them for people and {@link org.aspas.emulab.report.RunJson} for
 * programs. Times are in milliseconds.
 */
@NullMarked
package org.aspas.emulab.report;

import org.jspecify.annotations.NullMarked;
