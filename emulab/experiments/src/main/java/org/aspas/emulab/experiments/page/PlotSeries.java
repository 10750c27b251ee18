package org.aspas.emulab.experiments.page;

import java.util.List;

/**
 * Points that belong together, in the order in which a line joins them.
 *
 * @param name for the legend
 * @param marked whether each point has a mark of its own; a curve of many points has none
 */
record PlotSeries(String name, List<Point> points, boolean marked) {
    PlotSeries {
        points = List.copyOf(points);
    }

    /**
     * One point and its spread over the repetitions.
     *
     * @param about what a reader sees who points at it
     */
    record Point(double x, double y, double low, double high, String about) {
        static Point of(double x, double y, String about) {
            return new Point(x, y, y, y, about);
        }
    }
}
