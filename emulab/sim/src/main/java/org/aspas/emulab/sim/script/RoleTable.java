package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.emulab.sim.invariant.Detection;

/** What became of each Byzantine role over the runs that had it alone; runs with several roles, or none, are rows too. */
final class RoleTable {
    private static final double MILLIS = 1e3;
    /** Over so many runs a role is judged by its shares. */
    private static final int ENOUGH_RUNS = 30;
    /** The least share of what correct clients confirm without the role. */
    private static final double LEAST_CONFIRMED = 0.8;
    /** The greatest share of updates that are reported. */
    private static final double MOST_REPORTED = 0.05;

    private static final String ROW = "{role|%-28s|role} {runs|%5d|runs} {parties|%8d|parties} {noticed|%9d|noticed}"
            + " {|%14s|operations} {|%16s|virtual ms} {excluded|%9d|excluded} {|%16s|after ms} {updates|%8d|updates}"
            + " {reported|%8d|reported} {lost|%5d|lost} {|%6s|share} {correct_parties_harmed|%7d|harmed}"
            + " {|%12s|certificates} {longest_gap_ms/1000|%8.1f|gap s}  {noticed_by|%s|by; proofs}{}";

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

        /** What was not counted or compared is left out. */
        FigureTree figures(String role) {
            boolean shared = compared > 0;
            return new FigureTree()
                    .with("role", role)
                    .with("runs", runs)
                    .with("parties", misdoers)
                    .with("noticed", detected)
                    .with("noticed_by", String.join(" ", by))
                    .with("proofs", String.join(" ", proofs))
                    .withAll("noticed_", times(first))
                    .with("excluded", excluded)
                    .withAll("excluded_", times(exclusions))
                    .with("updates", updates)
                    .with("reported", reported)
                    .with("lost", lost)
                    .withKnown("compared_runs", shared ? compared : null)
                    .withKnown("confirmed", shared ? confirmed : null)
                    .withKnown("confirmed_without_role", shared ? confirmedWithout : null)
                    .withKnown("share_confirmed", shared ? share() : null)
                    .with("correct_parties_harmed", harmed)
                    .with("certificates_flow", standing == 0)
                    .with("longest_gap_ms", gap / MILLIS);
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

    /** From the first misdeed on, in operations of correct clients and in milliseconds of virtual time; nothing without any. */
    private static FigureTree times(List<Detection> all) {
        long[] operations =
                all.stream().mapToLong(Detection::operations).sorted().toArray();
        long[] micros = all.stream().mapToLong(Detection::afterMicros).sorted().toArray();
        int last = all.size() - 1;
        return all.isEmpty()
                ? new FigureTree()
                : new FigureTree()
                        .with("operations_median", operations[all.size() / 2])
                        .with("operations_worst", operations[last])
                        .with("ms_median", micros[all.size() / 2] / MILLIS)
                        .with("ms_worst", micros[last] / MILLIS);
    }

    /** The rows for programs. */
    List<FigureTree> figures() {
        return rows.entrySet().stream()
                .map(row -> row.getValue().figures(row.getKey()))
                .toList();
    }

    /** The table for people: parties are Byzantine ones that did something wrong, times are median / worst. */
    List<String> lines() {
        List<String> lines = new ArrayList<>(List.of(FigureTree.head(ROW)));
        for (FigureTree row : figures()) {
            lines.add(row.line(
                    ROW,
                    known(row, "noticed_operations_median", "{noticed_operations_median} / {noticed_operations_worst}"),
                    known(row, "noticed_ms_median", "{noticed_ms_median|%.0f} / {noticed_ms_worst|%.0f}"),
                    known(row, "excluded_ms_median", "{excluded_ms_median|%.0f} / {excluded_ms_worst|%.0f}"),
                    known(row, "share_confirmed", "{share_confirmed|%.3f}"),
                    row.is("certificates_flow") ? "flow" : "STAND STILL",
                    row.line("{proofs}").isEmpty() ? "" : row.line("; {proofs}")));
        }
        return lines;
    }

    private static String known(FigureTree row, String path, String text) {
        return row.has(path) ? row.line(text) : "-";
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
}
