package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.emulab.lab.attack.ByzantineReport;
import org.aspas.emulab.lab.attack.ByzantineReport.Moment;
import org.jspecify.annotations.Nullable;

/** What became of an attack, as lines for people. */
final class AttackTable {
    private static final int MARGIN = 25;
    private static final int WIDTH = 53;

    private AttackTable() {}

    static List<String> lines(ByzantineReport report) {
        List<String> lines = new ArrayList<>();
        lines.add("  attack                 " + report.server() + " as " + report.role());
        wrapped(lines, report.description());
        lines.add(String.format(Locale.ROOT, "  misdeeds               %,d", report.misdeeds()));
        moment(lines, "detected", report.detected());
        lines.add("  proof                  " + (report.proof() == null ? "none" : report.proof()));
        moment(lines, "verdict", report.verdict());
        moment(lines, "excluded", report.excluded());
        lines.add(String.format(
                Locale.ROOT,
                "  clients switched       %d of %d%s",
                report.switched(),
                report.clients(),
                report.switched() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ", the last after %,d ms %s",
                                report.lastSwitch(),
                                report.sortedReasons())));
        lines.add(String.format(
                Locale.ROOT,
                "  updates                %,d revoked, %,d resubmitted, %,d lost",
                report.revoked(),
                report.resubmitted(),
                report.lost()));
        lines.add(String.format(Locale.ROOT, "  rolled back            to %,d certified values", report.rolledBack()));
        lines.add("  correct parties        " + harm(report));
        lines.add("  withstood              " + (report.withstood() ? "yes" : "NO"));
        return lines;
    }

    private static String harm(ByzantineReport report) {
        return report.harmed().isEmpty() && report.refusedClients() == 0
                ? "none excluded or refused"
                : "EXCLUDED " + report.harmed() + ", " + report.refusedClients() + " clients ACCUSED";
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
