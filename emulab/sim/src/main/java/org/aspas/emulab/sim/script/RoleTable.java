package org.aspas.emulab.sim.script;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.aspas.emulab.sim.invariant.Detection;
import org.jspecify.annotations.Nullable;

/** What became of each Byzantine role over the runs that had it alone; runs with several roles, or none, are rows too. */
final class RoleTable {
    private static final double MILLIS = 1e3;
    /** Over so many runs a role is judged by its shares. */
    private static final int ENOUGH_RUNS = 30;
    /** The least share of what correct clients confirm without the role. */
    private static final double LEAST_CONFIRMED = 0.8;
    /** The greatest share of updates that are reported. */
    private static final double MOST_REPORTED = 0.05;

    private static final Set<String> HARMS = Set.of("G6");
    private static final Set<Detection.Kind> PROOFS = Set.of(Detection.Kind.PROVED, Detection.Kind.VERDICT);

    private static final class Row {
        int runs;
        int misdoers;
        int detected;
        int excluded;
        long updates;
        long reported;
        long lost;
        /** The runs that were run without the role too, and what correct clients confirm in both. */
        int compared;

        long confirmed;
        long confirmedWithout;
        int harmed;
        int standing;
        long gap;
        final Set<String> by = new TreeSet<>();
        final Set<String> proofs = new TreeSet<>();
        final List<Detection> first = new ArrayList<>();
        final List<Detection> exclusions = new ArrayList<>();

        /** What correct clients confirm, as a share of what they confirm without the role. */
        double share() {
            return confirmedWithout == 0 ? 1 : (double) confirmed / confirmedWithout;
        }

        String shareText() {
            return compared == 0 ? "-" : String.format(Locale.ROOT, "%.3f", share());
        }
    }

    private final Map<String, Row> rows = new TreeMap<>();

    RoleTable(List<RunResult> results) {
        results.forEach(this::take);
    }

    private static String name(RunResult result) {
        List<String> roles = result.settings().roles();
        return roles.isEmpty() ? "(nobody)" : roles.size() == 1 ? roles.get(0) : "(mixes)";
    }

    private void take(RunResult result) {
        Row row = rows.computeIfAbsent(name(result), any -> new Row());
        row.runs++;
        row.misdoers += result.misdoers();
        row.gap = Math.max(row.gap, result.longestGapMicros());
        row.updates += result.accounting().updates();
        row.reported += result.accounting().reported();
        row.lost += result.accounting().lost();
        result.accounting().withoutRoles().ifPresent(without -> {
            row.compared++;
            row.confirmed += result.accounting().confirmed();
            row.confirmedWithout += without;
        });
        row.harmed += count(result, HARMS);
        row.standing += count(result, Set.of("G5")) > 0 ? 1 : 0;
        Map<String, Detection> first = new TreeMap<>();
        for (Detection detection : result.detections()) {
            first.putIfAbsent(detection.culprit(), detection);
            row.by.add(detection.by().replaceAll("-?[0-9]+$", "s"));
            if (PROOFS.contains(detection.kind())) {
                row.proofs.add(detection.what());
            }
        }
        row.detected += first.size();
        row.first.addAll(first.values());
        Set<String> out = new TreeSet<>();
        result.detections().stream()
                .filter(one -> one.kind() == Detection.Kind.EXCLUDED && out.add(one.culprit()))
                .forEach(row.exclusions::add);
        row.excluded += out.size();
    }

    private static int count(RunResult result, Set<String> guarantees) {
        return (int) result.violations().stream()
                .filter(violation -> guarantees.contains(violation.guarantee()))
                .count();
    }

    private static long at(List<Detection> all, ToLongFunction<Detection> what, boolean worst) {
        long[] sorted = all.stream().mapToLong(what).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[worst ? sorted.length - 1 : sorted.length / 2];
    }

    private static String pair(List<Detection> all, ToLongFunction<Detection> what, double unit) {
        return all.isEmpty()
                ? "-"
                : String.format(Locale.ROOT, "%.0f / %.0f", at(all, what, false) / unit, at(all, what, true) / unit);
    }

    /** The table for people: parties are Byzantine ones that did something wrong, times are median / worst. */
    String text() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-28s %5s %8s %9s %14s %16s %9s %16s %8s %8s %5s %6s %7s %12s %8s  %s%n",
                "role",
                "runs",
                "parties",
                "noticed",
                "operations",
                "virtual ms",
                "excluded",
                "after ms",
                "updates",
                "reported",
                "lost",
                "share",
                "harmed",
                "certificates",
                "gap s",
                "by; proofs"));
        rows.forEach((name, row) -> text.append(String.format(
                Locale.ROOT,
                "%-28s %5d %8d %9d %14s %16s %9d %16s %8d %8d %5d %6s %7d %12s %8.1f  %s%s%n",
                name,
                row.runs,
                row.misdoers,
                row.detected,
                pair(row.first, Detection::operations, 1),
                pair(row.first, Detection::afterMicros, MILLIS),
                row.excluded,
                pair(row.exclusions, Detection::afterMicros, MILLIS),
                row.updates,
                row.reported,
                row.lost,
                row.shareText(),
                row.harmed,
                row.standing == 0 ? "flow" : "STAND STILL",
                row.gap / 1e6,
                String.join(" ", row.by),
                row.proofs.isEmpty() ? "" : "; " + String.join(" ", row.proofs))));
        return text.toString();
    }

    /** What no role may do over enough runs, one sentence each: have updates reported, or keep them from being confirmed. */
    List<String> violations() {
        List<String> found = new ArrayList<>();
        rows.forEach((name, row) -> {
            if (row.runs >= ENOUGH_RUNS && row.reported > MOST_REPORTED * row.updates) {
                found.add(name + ": " + row.reported + " of " + row.updates + " updates are reported, in " + row.runs
                        + " runs");
            }
            if (row.compared >= ENOUGH_RUNS && row.share() < LEAST_CONFIRMED) {
                found.add(name + ": correct clients confirm " + row.confirmed + " updates, and " + row.confirmedWithout
                        + " without it, in " + row.compared + " runs");
            }
        });
        return found;
    }

    /** A row for programs: the components are the keys. What was not counted or compared is left out. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record RoleJson(
            String role,
            int runs,
            int parties,
            int noticed,
            String noticedBy,
            String proofs,
            @JsonUnwrapped(prefix = "noticed_") @Nullable Times firstNoticed,
            int excluded,
            @JsonUnwrapped(prefix = "excluded_") @Nullable Times exclusions,
            long updates,
            long reported,
            long lost,
            @Nullable Integer comparedRuns,
            @Nullable Long confirmed,
            @Nullable Long confirmedWithoutRole,
            @Nullable Double shareConfirmed,
            int correctPartiesHarmed,
            boolean certificatesFlow,
            double longestGapMs) {}

    /** From the first misdeed on, in operations of correct clients and in milliseconds of virtual time. */
    record Times(long operationsMedian, long operationsWorst, double msMedian, double msWorst) {
        private static @Nullable Times of(List<Detection> all) {
            return all.isEmpty()
                    ? null
                    : new Times(
                            at(all, Detection::operations, false),
                            at(all, Detection::operations, true),
                            at(all, Detection::afterMicros, false) / MILLIS,
                            at(all, Detection::afterMicros, true) / MILLIS);
        }
    }

    /** The same for programs. */
    List<RoleJson> json() {
        return rows.entrySet().stream()
                .map(entry -> json(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static RoleJson json(String name, Row row) {
        boolean compared = row.compared > 0;
        return new RoleJson(
                name,
                row.runs,
                row.misdoers,
                row.detected,
                String.join(" ", row.by),
                String.join(" ", row.proofs),
                Times.of(row.first),
                row.excluded,
                Times.of(row.exclusions),
                row.updates,
                row.reported,
                row.lost,
                compared ? row.compared : null,
                compared ? row.confirmed : null,
                compared ? row.confirmedWithout : null,
                compared ? row.share() : null,
                row.harmed,
                row.standing == 0,
                row.gap / MILLIS);
    }
}
