package org.aspas.emulab.gatling;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What Gatling measured in a run.
 *
 * @param groups updates, reads, and the parts that are not measured
 * @param requests each kind of request, by its group and name
 * @param errors how often each message came
 */
record GatlingFigures(List<Row> groups, List<Row> requests, Map<String, Integer> errors) {
    GatlingFigures {
        groups = List.copyOf(groups);
        requests = List.copyOf(requests);
        errors = Collections.unmodifiableMap(new LinkedHashMap<>(errors));
    }

    /**
     * One line of Gatling's report.
     *
     * @param ok how many succeeded
     * @param ko how many failed
     * @param p50Ms the median time of those that succeeded, in whole milliseconds, as all times of Gatling
     */
    record Row(String name, long ok, long ko, int p50Ms, int p95Ms, int p99Ms, int maxMs) {}

    /** A group; one without anything in it when the run had none of this name. */
    Row group(String name) {
        return groups.stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElse(new Row(name, 0, 0, 0, 0, 0, 0));
    }

    /** How many requests failed, in all parts of the run. */
    long failed() {
        return requests.stream().mapToLong(Row::ko).sum();
    }
}
