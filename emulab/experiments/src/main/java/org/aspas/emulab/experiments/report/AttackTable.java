package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.emulab.sim.script.FigureTree;
import org.aspas.emulab.testbed.attack.ByzantineReport;
import org.aspas.emulab.testbed.attack.ByzantineReport.Moment;
import org.jspecify.annotations.Nullable;

/** What became of an attack, as figures and as lines for people. */
final class AttackTable {
    private static final int MARGIN = 25;
    private static final int WIDTH = 53;

    private AttackTable() {}

    /** Moments that did not come are null. */
    static FigureTree figures(ByzantineReport report) {
        Moment first = report.firstMisdeed();
        FigureTree figures = new FigureTree()
                .with("role", report.role())
                .with("description", report.description())
                .with("server", report.server())
                .with("misdeeds", report.misdeeds())
                .with("first_misdeed_ms", first == null ? null : first.millis())
                .with("first_misdeed", first == null ? null : first.what());
        moment(figures, "detected", report.detected()).with("proof", report.proof());
        moment(figures, "verdict", report.verdict());
        return moment(figures, "excluded", report.excluded())
                .with("clients", report.clients())
                .with("switched_clients", report.switched())
                .with("last_switch_ms", report.switched() == 0 ? null : report.lastSwitch())
                .with("switch_reasons", report.sortedReasons())
                .with("revoked_updates", report.revoked())
                .with("rolled_back_values", report.rolledBack())
                .with("resubmitted_updates", report.resubmitted())
                .with("lost_updates", report.lost())
                .with("correct_servers_excluded", report.harmed().size())
                .with("correct_clients_accused", report.refusedClients())
                .with("withstood", report.withstood());
    }

    private static FigureTree moment(FigureTree figures, String name, @Nullable Moment moment) {
        return figures.with(name + "_ms", moment == null ? null : moment.millis())
                .with(name + "_by", moment == null ? null : moment.by())
                .with(name + "_what", moment == null ? null : moment.what());
    }

    static List<String> lines(ByzantineReport report) {
        FigureTree figures = figures(report);
        List<String> lines = new ArrayList<>();
        lines.add(figures.line("  attack                 {server} as {role}"));
        wrapped(lines, report.description());
        lines.add(figures.line("  misdeeds               {misdeeds|%,d}"));
        moment(lines, "detected", report.detected());
        lines.add("  proof                  " + (report.proof() == null ? "none" : report.proof()));
        moment(lines, "verdict", report.verdict());
        moment(lines, "excluded", report.excluded());
        lines.add(figures.line("  clients switched       {switched_clients} of {clients}")
                + (report.switched() == 0
                        ? ""
                        : figures.line(", the last after {last_switch_ms|%,d} ms {}", report.sortedReasons())));
        lines.add(figures.line(
                "  updates                {revoked_updates|%,d} revoked, {resubmitted_updates|%,d} resubmitted,"
                        + " {lost_updates|%,d} lost"));
        lines.add(figures.line("  rolled back            to {rolled_back_values|%,d} certified values"));
        lines.add("  correct parties        "
                + (report.harmed().isEmpty() && report.refusedClients() == 0
                        ? "none excluded or refused"
                        : "EXCLUDED " + report.harmed() + ", " + report.refusedClients() + " clients ACCUSED"));
        lines.add("  withstood              " + (report.withstood() ? "yes" : "NO"));
        return lines;
    }

    private static void moment(List<String> lines, String name, @Nullable Moment moment) {
        if (moment == null) {
            lines.add(String.format(Locale.ROOT, "  %-22s no", name));
        } else {
            lines.add(String.format(Locale.ROOT, "  %-22s after %,d ms by %s", name, moment.millis(), moment.by()));
            wrapped(lines, moment.what());
        }
    }

    /** A text under the second column, in as many lines as it takes. */
    private static void wrapped(List<String> lines, String text) {
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > WIDTH) {
                lines.add(" ".repeat(MARGIN) + line);
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(" ".repeat(MARGIN) + line);
    }
}
