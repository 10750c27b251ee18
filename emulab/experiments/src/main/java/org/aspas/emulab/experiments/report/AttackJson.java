package org.aspas.emulab.experiments.report;

import java.util.Map;
import java.util.function.Function;
import org.aspas.emulab.lab.attack.ByzantineReport;
import org.aspas.emulab.lab.attack.ByzantineReport.Moment;
import org.jspecify.annotations.Nullable;

/** What became of an attack, as JSON: the components are the keys. Moments that did not come are null. */
record AttackJson(
        String role,
        String description,
        String server,
        long misdeeds,
        @Nullable Long firstMisdeedMs,
        @Nullable String firstMisdeed,
        @Nullable Long detectedMs,
        @Nullable String detectedBy,
        @Nullable String detectedWhat,
        @Nullable String proof,
        @Nullable Long verdictMs,
        @Nullable String verdictBy,
        @Nullable String verdictWhat,
        @Nullable Long excludedMs,
        @Nullable String excludedBy,
        @Nullable String excludedWhat,
        int clients,
        int switchedClients,
        @Nullable Long lastSwitchMs,
        Map<String, Integer> switchReasons,
        long revokedUpdates,
        long rolledBackValues,
        long resubmittedUpdates,
        long lostUpdates,
        int correctServersExcluded,
        int correctClientsAccused,
        boolean withstood) {

    static AttackJson of(ByzantineReport report) {
        return new AttackJson(
                report.role(),
                report.description(),
                report.server(),
                report.misdeeds(),
                of(report.firstMisdeed(), Moment::millis),
                of(report.firstMisdeed(), Moment::what),
                of(report.detected(), Moment::millis),
                of(report.detected(), Moment::by),
                of(report.detected(), Moment::what),
                report.proof(),
                of(report.verdict(), Moment::millis),
                of(report.verdict(), Moment::by),
                of(report.verdict(), Moment::what),
                of(report.excluded(), Moment::millis),
                of(report.excluded(), Moment::by),
                of(report.excluded(), Moment::what),
                report.clients(),
                report.switched(),
                report.switched() == 0 ? null : report.lastSwitch(),
                report.sortedReasons(),
                report.revoked(),
                report.rolledBack(),
                report.resubmitted(),
                report.lost(),
                report.harmed().size(),
                report.refusedClients(),
                report.withstood());
    }

    private static <T> @Nullable T of(@Nullable Moment moment, Function<Moment, T> part) {
        return moment == null ? null : part.apply(moment);
    }
}
