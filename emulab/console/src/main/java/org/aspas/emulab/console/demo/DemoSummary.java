package org.aspas.emulab.console.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.aspas.emulab.testbed.attack.ByzantineReport;

/**
 * The results of a live demo's clients.
 *
 * @param operations the number of successful operations
 * @param errors the number of failed ones, including those that an attack or a stopped server left unanswered
 * @param attack the last attack; empty without one
 */
public record DemoSummary(
        double seconds,
        long operations,
        long errors,
        long verificationFailures,
        long certificate,
        Optional<ByzantineReport> attack) {
    public double perSecond() {
        return seconds <= 0 ? 0 : operations / seconds;
    }

    /** Returns whether no correct party was harmed and, without an attack, no check failed. */
    public boolean clean() {
        return attack.map(one -> one.harmed().isEmpty() && one.refusedClients() == 0)
                .orElse(verificationFailures == 0);
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d operations in %.1f s: %,.0f operations/s; newest certificate %,d",
                operations,
                seconds,
                perSecond(),
                certificate));
        lines.add(String.format(Locale.ROOT, "  %,d errors, %,d verification failures", errors, verificationFailures));
        attack.ifPresent(one -> lines.add("  " + one.server() + " attacked as " + one.role() + ": "
                + (one.excluded() == null
                        ? "not excluded"
                        : "excluded " + one.excluded().millis() + " ms after its first misdeed")));
        return lines;
    }
}
