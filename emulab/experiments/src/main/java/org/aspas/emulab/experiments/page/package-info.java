/**
 * The page of a run: one file of HTML that needs nothing else (docs/experiments.md).
 *
 * <p>{@link org.aspas.emulab.experiments.page.ReportPage} puts it together: what is repeated, then plots, then what it was
 * measured on. {@link org.aspas.emulab.experiments.page.ResultPlots} makes the plots of one load. They are SVG, drawn here:
 * every plot also gives its numbers as CSV and as a table.
 */
@NullMarked
package org.aspas.emulab.experiments.page;

import org.jspecify.annotations.NullMarked;
