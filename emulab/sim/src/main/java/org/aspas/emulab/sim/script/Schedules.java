package org.aspas.emulab.sim.script;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The schedules by name. */
final class Schedules {
    private static final Map<String, Supplier<Schedule>> ALL = new TreeMap<>();

    static {
        ALL.put("", Schedule.None::new);
        ALL.put("add-switch-remove-late-dot", LateAlias::new);
        ALL.put("copied-removal", CopiedRemoval::new);
        ALL.put("acknowledge-and-drop-tolerance-1", () -> new AcknowledgedAndDropped(1));
        ALL.put("acknowledge-and-drop-unbounded", () -> new AcknowledgedAndDropped(0));
        ALL.put("fork-seen-by-all", () -> new Forked(Forked.Also.NOTHING));
        ALL.put("fork-inspected-by-a-colluder", () -> new Forked(Forked.Also.INSPECTIONS));
        ALL.put("exclusion-beyond-the-cut", () -> new Forked(Forked.Also.WRITES_BEYOND_THE_CUT));
        ALL.put("cold-start-with-two-of-four-signed", TwoSigned::new);
        ALL.put("all-down-at-the-first-signature", AllDown::new);
        ALL.put("high-report-and-no-stable", HighReporter::new);
        ALL.put("old-proof-beside-a-signature", OldProofShown::new);
        ALL.put("honest-and-watchful", NobodyBlamed::new);
        ALL.put("crashes-in-a-repair", Repaired::new);
        ALL.put("forged-snapshots", SnapshotForged::new);
        ALL.put("two-processes", () -> new OneKey("two-processes", OneKey.Copies.NONE));
        ALL.put("copied-record", () -> new OneKey("copied-record", OneKey.Copies.SHOWN));
        ALL.put(Settings.ONE_KEY, () -> new OneKey(Settings.ONE_KEY, OneKey.Copies.ANY));
        ALL.put("clock-ahead", ClockAhead::new);
        ALL.put("duplicate-after-a-snapshot", () -> new GivenAgain("duplicate-after-a-snapshot", true));
        ALL.put("replay-after-pruning", () -> new GivenAgain("replay-after-pruning", false));
        ALL.put("certificate-back-after-a-lost-disk", () -> wentBack("certificate-back-after-a-lost-disk"));
        ALL.put(
                "certificate-back-after-an-old-disk",
                () -> new WentBack("certificate-back-after-an-old-disk", true, false));
        ALL.put("os-and-a-power-cut", () -> new WentBack("os-and-a-power-cut", false, true));
        ALL.put("os-and-kills", OsAndKills::new);
        ALL.put("exclusion-before-its-certificate", ExclusionFirst::new);
    }

    private static Schedule wentBack(String name) {
        return new WentBack(name, false, false);
    }

    private Schedules() {}

    /**
     * A schedule for one run.
     *
     * @throws IllegalArgumentException when there is none of this name
     */
    static Schedule named(String name) {
        Supplier<Schedule> maker = ALL.get(name);
        if (maker == null) {
            throw new IllegalArgumentException("there is no schedule '" + name + "'");
        }
        return maker.get();
    }
}
