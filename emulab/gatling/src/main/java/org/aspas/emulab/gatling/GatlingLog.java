package org.aspas.emulab.gatling;

import io.gatling.charts.stats.GeneralStats;
import io.gatling.charts.stats.Group;
import io.gatling.charts.stats.GroupStatsPath;
import io.gatling.charts.stats.LogFileData;
import io.gatling.charts.stats.LogFileReader;
import io.gatling.charts.stats.RequestStatsPath;
import io.gatling.charts.stats.StatsPath;
import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.commons.stats.Status;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.stats.ErrorStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.emulab.gatling.GatlingFigures.Row;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.OptionConverters;

/**
 * The figures of a run from the log that Gatling wrote, by the reader that Gatling makes its page with: since version 3.14 it
 * writes no {@code stats.json} any more.
 */
final class GatlingLog {
    private static final double P50 = 50;
    private static final double P95 = 95;
    private static final double P99 = 99;

    private final LogFileData data;

    private GatlingLog(LogFileData data) {
        this.data = data;
    }

    /**
     * Reads the log of a run.
     *
     * @param results the folder that Gatling was given
     * @param run the folder in it that Gatling made
     */
    static GatlingFigures read(Path results, String run) {
        LogFileReader reader = LogFileReader.apply(run, results, GatlingConfiguration.load());
        return new GatlingLog(reader.read()).figures();
    }

    private GatlingFigures figures() {
        List<Row> groups = new ArrayList<>();
        List<Row> requests = new ArrayList<>();
        for (StatsPath path : CollectionConverters.asJava(data.statsPaths())) {
            if (path instanceof GroupStatsPath group) {
                groups.add(group(group.group()));
            } else if (path instanceof RequestStatsPath request) {
                requests.add(request(request));
            }
        }
        Map<String, Integer> errors = new LinkedHashMap<>();
        for (ErrorStats error : CollectionConverters.asJava(data.errors(Option.empty(), Option.empty()))) {
            errors.merge(error.message(), error.count(), Integer::sum);
        }
        return new GatlingFigures(groups, requests, errors);
    }

    /** A group's time is from its begin to its end. */
    private Row group(Group group) {
        return row(
                name(group),
                OptionConverters.toJava(data.groupDurationGeneralStats(group, status(OK$.MODULE$))),
                OptionConverters.toJava(data.groupDurationGeneralStats(group, status(KO$.MODULE$))));
    }

    private Row request(RequestStatsPath path) {
        Option<String> request = Option.apply(path.request());
        String name = path.group().isDefined() ? name(path.group().get()) + " / " + path.request() : path.request();
        return row(
                name,
                OptionConverters.toJava(data.requestGeneralStats(request, path.group(), status(OK$.MODULE$))),
                OptionConverters.toJava(data.requestGeneralStats(request, path.group(), status(KO$.MODULE$))));
    }

    private static Option<Status> status(Status status) {
        return Option.apply(status);
    }

    private static String name(Group group) {
        return String.join(" / ", CollectionConverters.asJava(group.hierarchy()));
    }

    private static Row row(String name, Optional<GeneralStats> good, Optional<GeneralStats> bad) {
        long failed = bad.map(GeneralStats::count).orElse(0L);
        return good.map(stats -> new Row(
                        name,
                        stats.count(),
                        failed,
                        percentile(stats, P50),
                        percentile(stats, P95),
                        percentile(stats, P99),
                        stats.max()))
                .orElseGet(() -> new Row(name, 0, failed, 0, 0, 0, 0));
    }

    private static int percentile(GeneralStats stats, double rank) {
        return (Integer) stats.percentile().apply(rank);
    }
}
