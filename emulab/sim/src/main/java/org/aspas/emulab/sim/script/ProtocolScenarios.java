package org.aspas.emulab.sim.script;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.aspas.emulab.sim.engine.Timeline;

/** The exact schedules that broke earlier drafts of the protocol (docs/protocol.md §11). */
final class ProtocolScenarios {
    private ProtocolScenarios() {}

    /** The scenarios by name, settings by seed. */
    static Map<String, LongFunction<Settings>> all() {
        Map<String, LongFunction<Settings>> all = new TreeMap<>();
        all.put(
                "add-switch-remove-late-dot",
                seed -> calm(seed, "add-switch-remove-late-dot").withWary(true));
        all.put(
                "acknowledge-and-drop-tolerance-1",
                seed -> calm(seed, "acknowledge-and-drop-tolerance-1").withRoles(List.of("silent-to-peers")));
        all.put(
                "acknowledge-and-drop-unbounded",
                seed -> calm(seed, "acknowledge-and-drop-unbounded").withRoles(List.of("silent-to-peers")));
        all.put(
                "fork-seen-by-all",
                seed -> calm(seed, "fork-seen-by-all")
                        .withClients(40, 1_200_000)
                        .withRoles(List.of("forking")));
        all.put(
                "fork-inspected-by-a-colluder",
                seed -> calm(seed, "fork-inspected-by-a-colluder")
                        .withClients(40, 1_200_000)
                        .withRoles(List.of("forking", "client-inspecting")));
        all.put(
                "exclusion-beyond-the-cut",
                seed -> calm(seed, "exclusion-beyond-the-cut")
                        .withClients(12, 100_000)
                        .withMicros(18 * Timeline.SECOND)
                        .withRoles(List.of("wrong-stable")));
        all.put("cold-start-with-two-of-four-signed", seed -> calm(seed, "cold-start-with-two-of-four-signed"));
        all.put(
                "all-down-at-the-first-signature",
                seed -> Settings.of(seed)
                        .withFaults(EnumSet.of(Fault.Kind.LINK_BREAK), 3_000_000)
                        .withClients(8, 100_000)
                        .withSchedule("all-down-at-the-first-signature"));
        all.put(
                "high-report-and-no-stable",
                seed -> calm(seed, "high-report-and-no-stable").withRoles(List.of("high-reports-no-stable")));
        all.put(
                "old-proof-beside-a-signature",
                seed -> calm(seed, "old-proof-beside-a-signature")
                        .withClients(12, 100_000)
                        .withRoles(List.of("replica-hidden-proof")));
        all.put("honest-and-watchful", seed -> Settings.of(seed).withWary(true).withSchedule("honest-and-watchful"));
        return all;
    }

    /** Nothing goes wrong but what the schedule directs. */
    private static Settings calm(long seed, String schedule) {
        return Settings.of(seed).withFaults(Set.of(), 1_000_000).withSchedule(schedule);
    }
}
