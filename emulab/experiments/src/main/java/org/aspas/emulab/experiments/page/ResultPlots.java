package org.aspas.emulab.experiments.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.aspas.emulab.experiments.result.MeasuredPoint;
import org.aspas.emulab.experiments.result.MeasuredStep;
import org.aspas.emulab.experiments.result.RepetitionSpread;

/**
 * The plots of one load: all systems under one workload in one world, by the number of clients. What is invalid draws
 * nothing.
 */
final class ResultPlots {
    private static final double LOGARITHMIC_FROM = 20;

    private final String id;
    private final Map<String, List<MeasuredPoint>> systems;

    /**
     * Plots of these points.
     *
     * @param id the beginning of their names
     * @param points of one part, world and workload
     */
    ResultPlots(String id, List<MeasuredPoint> points) {
        this.id = id;
        this.systems = new LinkedHashMap<>();
        points.stream()
                .filter(MeasuredPoint::valid)
                .forEach(point -> systems.computeIfAbsent(point.first().system(), any -> new ArrayList<>())
                        .add(point));
    }

    /** All that can be drawn; lines only where there are two numbers of clients. */
    List<PlotFigure> figures() {
        List<PlotFigure> figures = new ArrayList<>();
        boolean lines = systems.values().stream().anyMatch(points -> points.size() > 1);
        if (lines) {
            byClients("latency-by-clients", "Update latency by clients", "update p50, ms", "update_p50_ms")
                    .ifPresent(figures::add);
            byThroughput().ifPresent(figures::add);
            byClients("throughput-by-clients", "Throughput by clients", "operations/s", "operations_per_second")
                    .ifPresent(figures::add);
            byClients("lag-by-clients", "Certification lag by clients", "lag p50, ms", "lag_p50_ms")
                    .ifPresent(figures::add);
        }
        spread("latency-spread", "Update latency, every repetition", "update p50, ms", "update_p50_ms")
                .ifPresent(figures::add);
        spread("throughput-spread", "Throughput, every repetition", "operations/s", "operations_per_second")
                .ifPresent(figures::add);
        return figures;
    }

    private Optional<PlotFigure> byClients(String name, String title, String label, String figure) {
        List<PlotSeries> series = new ArrayList<>();
        systems.forEach((system, points) -> {
            List<PlotSeries.Point> drawn = new ArrayList<>();
            for (MeasuredPoint point : points) {
                point.figure(figure)
                        .ifPresent(value -> drawn.add(point(point, point.first().clients(), value, label)));
            }
            series.add(new PlotSeries(system, drawn, true));
        });
        if (values(series, false).isEmpty()) {
            return Optional.empty();
        }
        LinePlot plot = new LinePlot(
                id + "-" + name,
                title,
                axis("clients", values(series, true)).marking(values(series, true)),
                axis(label, values(series, false)),
                series,
                List.of());
        return Optional.of(PlotFigure.of(plot, "median of the repetitions, and from the lowest to the highest"));
    }

    private Optional<PlotFigure> byThroughput() {
        List<PlotSeries> series = new ArrayList<>();
        systems.forEach((system, points) -> {
            List<PlotSeries.Point> drawn = new ArrayList<>();
            for (MeasuredPoint point : points) {
                Optional<RepetitionSpread> rate = point.figure("operations_per_second");
                Optional<RepetitionSpread> latency = point.figure("update_p50_ms");
                if (rate.isPresent() && latency.isPresent()) {
                    drawn.add(point(point, rate.get().median(), latency.get(), "update p50, ms"));
                }
            }
            series.add(new PlotSeries(system, drawn, true));
        });
        if (values(series, false).isEmpty()) {
            return Optional.empty();
        }
        LinePlot plot = new LinePlot(
                id + "-latency-by-throughput",
                "Update latency against throughput",
                PlotAxis.fromZero("operations/s", values(series, true)),
                axis("update p50, ms", values(series, false)),
                series,
                List.of());
        return Optional.of(PlotFigure.of(plot, "a point for each number of clients"));
    }

    private static PlotSeries.Point point(MeasuredPoint point, double x, RepetitionSpread value, String label) {
        String about = point.first().system() + ", " + point.first().clients() + " clients: "
                + PlotAxis.shown(value.median()) + " " + label.replaceAll("^.*, ", "")
                + (value.count() == 1
                        ? ""
                        : " (" + PlotAxis.shown(value.low()) + " to " + PlotAxis.shown(value.high()) + ", "
                                + value.count() + " repetitions)");
        return new PlotSeries.Point(x, value.median(), value.low(), value.high(), about);
    }

    private static List<Double> values(List<PlotSeries> series, boolean across) {
        List<Double> values = new ArrayList<>();
        for (PlotSeries one : series) {
            for (PlotSeries.Point point : one.points()) {
                if (across) {
                    values.add(point.x());
                } else {
                    values.add(point.low());
                    values.add(point.high());
                }
            }
        }
        return values;
    }

    /** Logarithmic where the values are far apart. */
    private static PlotAxis axis(String label, List<Double> values) {
        double low = values.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        double high = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        return low > 0 && high / low >= LOGARITHMIC_FROM
                ? PlotAxis.logarithmic(label, values)
                : PlotAxis.fromZero(label, values);
    }

    private Optional<PlotFigure> spread(String name, String title, String label, String figure) {
        List<SpreadPlot.Row> rows = new ArrayList<>();
        int series = 0;
        for (List<MeasuredPoint> points : systems.values()) {
            for (MeasuredPoint point : points) {
                List<Double> values = point.repetitions().stream()
                        .map(MeasuredStep::figures)
                        .filter(figures -> figures.containsKey(figure))
                        .map(figures -> figures.get(figure))
                        .toList();
                Optional<RepetitionSpread> spread = point.figure(figure);
                if (spread.isPresent()) {
                    rows.add(new SpreadPlot.Row(
                            String.format(
                                    Locale.ROOT,
                                    "%s, %,d clients",
                                    point.first().system(),
                                    point.first().clients()),
                            series,
                            values,
                            spread.get().median()));
                }
            }
            series++;
        }
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<Double> all = rows.stream().flatMap(row -> row.values().stream()).toList();
        return Optional.of(PlotFigure.of(
                new SpreadPlot(id + "-" + name, title, PlotAxis.fromZero(label, all), rows),
                "a dot each; the bar is their spread, the line their median"));
    }
}
