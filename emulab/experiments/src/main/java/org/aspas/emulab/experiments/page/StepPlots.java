package org.aspas.emulab.experiments.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.experiments.result.MeasuredStep;
import org.aspas.emulab.sim.world.WorldFault;

/** The plots of one step: how its latencies are spread, by τ of the clients, and how it went over time. */
final class StepPlots {
    private static final double MICROS = 1e6;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final int SHARES = 200;

    private final String id;
    private final MeasuredStep measured;

    StepPlots(String id, MeasuredStep measured) {
        this.id = id;
        this.measured = measured;
    }

    /**
     * Plots the share of operations that took no longer, for each histogram whose name begins with {@code kind}.
     *
     * @param histograms by name, in microseconds
     * @param kind the beginning of the names, such as {@code update}
     */
    Optional<PlotFigure> distribution(Map<String, Histogram> histograms, String kind) {
        List<PlotSeries> series = new ArrayList<>();
        List<Double> millis = new ArrayList<>();
        new TreeMap<>(histograms).forEach((name, histogram) -> {
            if (name.startsWith(kind) && histogram.getTotalCount() > 0) {
                List<PlotSeries.Point> points = new ArrayList<>();
                for (int share = 0; share <= SHARES; share++) {
                    double part = (double) share / SHARES;
                    double value = Math.max(1, histogram.getValueAtPercentile(100 * part)) / MICROS_PER_MILLI;
                    points.add(PlotSeries.Point.of(value, part, ""));
                    millis.add(value);
                }
                String clients = name.length() > kind.length() ? name.substring(kind.length() + 1) : name;
                series.add(new PlotSeries(
                        String.format(Locale.ROOT, "%s (%,d)", clients, histogram.getTotalCount()), points, false));
            }
        });
        if (series.isEmpty()) {
            return Optional.empty();
        }
        LinePlot plot = new LinePlot(
                id + "-" + kind + "-distribution",
                "Latency of every " + kind + ", by τ",
                PlotAxis.logarithmic("ms", millis),
                new PlotAxis("share that took no longer", false, 0, 1),
                series,
                List.of());
        return Optional.of(PlotFigure.of(plot, about()));
    }

    /** Operations per second and the median latency over time, with the faults of the world behind them. */
    List<PlotFigure> overTime(List<WorldFault> faults) {
        List<PlotFigure> figures = new ArrayList<>();
        if (measured.timeline().size() < 2) {
            return figures;
        }
        List<PlotBand> bands = bands(faults);
        figures.add(PlotFigure.of(
                timeline("operations", "operations/s", bands, List.of(curve("operations/s", moment ->
                        (double) moment.operations()))),
                about()));
        figures.add(PlotFigure.of(
                timeline(
                        "latency",
                        "update latency, ms",
                        bands,
                        List.of(
                                curve("p50", MeasuredStep.Moment::updateP50Millis),
                                curve("p99", MeasuredStep.Moment::updateP99Millis))),
                about()));
        figures.add(PlotFigure.of(
                timeline("unconfirmed", "unconfirmed updates", bands, List.of(curve("all clients", moment ->
                        (double) moment.unconfirmed()))),
                about()));
        return figures;
    }

    private String about() {
        return String.format(
                Locale.ROOT,
                "%s, %,d clients, repetition %d",
                measured.step().system(),
                measured.step().clients(),
                measured.step().repetition());
    }

    private interface Reading {
        double of(MeasuredStep.Moment moment);
    }

    private PlotSeries curve(String name, Reading reading) {
        return new PlotSeries(
                name,
                measured.timeline().stream()
                        .map(moment -> PlotSeries.Point.of(moment.second(), reading.of(moment), ""))
                        .toList(),
                false);
    }

    private LinePlot timeline(String name, String label, List<PlotBand> bands, List<PlotSeries> series) {
        double end = measured.timeline().get(measured.timeline().size() - 1).second();
        List<Double> values = series.stream()
                .flatMap(one -> one.points().stream())
                .map(PlotSeries.Point::y)
                .toList();
        return new LinePlot(
                id + "-" + name + "-over-time",
                Character.toUpperCase(label.charAt(0)) + label.substring(1) + ", over time",
                new PlotAxis("seconds since the measurement began", false, 0, Math.max(1, end)),
                PlotAxis.fromZero(label, values),
                series,
                bands);
    }

    private List<PlotBand> bands(List<WorldFault> faults) {
        double end = measured.timeline().get(measured.timeline().size() - 1).second();
        return faults.stream()
                .map(fault -> new PlotBand(
                        fault.begins() / MICROS, Math.min(end, fault.ends() / MICROS), FaultSentence.of(fault)))
                .filter(band -> band.from() < end)
                .toList();
    }
}
