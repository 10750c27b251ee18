package org.aspas.emulab.sim.run;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.fault.Fault;
import org.aspas.emulab.sim.fault.Fault.Kind;
import org.aspas.emulab.sim.invariant.Violation;
import org.aspas.emulab.sim.network.Conditions;

/**
 * Scenarios that this version cannot survive, each with the guarantees of which it breaks one, and why. They hold the
 * simulator to the truth: whoever cures one finds that it passes, and moves it to the others.
 */
public final class ExpectedFailures {
    /** A short retention: a second and a half of certificates. */
    private static final int SHORT = 8;

    private static final Map<String, ExpectedFailure> ALL = new TreeMap<>();

    static {
        add(
                "appserver-disk-lost",
                Set.of("G5", "G6"),
                "an appserver that has lost its log issues nothing any more, and nobody can readmit it",
                seed -> strict(seed, Kind.DISK_LOST, 3, 5));
        add(
                "appserver-disk-lost-and-alone",
                Set.of("G5", "G6"),
                "an appserver that has lost its log, and reaches nobody who could tell it, gives dots to a second"
                        + " entry",
                ExpectedFailures::lostAndAlone);
        add(
                "appserver-disk-old",
                Set.of("G5", "G6"),
                "an appserver on an older copy of its log issues nothing any more, and nobody can readmit it",
                seed -> strict(seed, Kind.DISK_OLD, 2, 6));
        add(
                "appserver-disk-damaged",
                Set.of("G5", "G6"),
                "an appserver whose log cannot be read is as one that has lost it",
                seed -> strict(seed, Kind.DISK_DAMAGED, 3, 5));
        add(
                "away-longer-than-retention",
                Set.of("G5"),
                "there is no catching up by a snapshot: who needs a certificate that nobody keeps any more stays"
                        + " behind",
                seed -> Scenarios.named("one-appserver-alone").apply(seed).withRetained(SHORT));
        add(
                "late-joiner-after-retention",
                Set.of("G5"),
                "there is no catching up by a snapshot: who was never there needs the first certificate",
                seed -> strict(seed, Kind.LATE_JOIN, 0, 8).withRetained(SHORT / 4));
        add(
                "client-record-lost",
                Set.of("G5", "G6", "G7"),
                "a client that has lost its record signs a second request under a number, and is refused for good",
                seed -> forgetfulClient(seed, Kind.DISK_LOST));
        add(
                "client-record-old",
                Set.of("G5", "G6", "G7"),
                "a client on an older copy of its record signs a second request under a number, and is refused for"
                        + " good",
                seed -> forgetfulClient(seed, Kind.DISK_OLD));
    }

    private ExpectedFailures() {}

    /**
     * A scenario that fails.
     *
     * @param guarantees the names of the guarantees of which every run breaks one, and none besides
     * @param why what is missing
     * @param settings the scenario
     */
    public record ExpectedFailure(Set<String> guarantees, String why, LongFunction<Settings> settings) {
        /** Copies the names. */
        public ExpectedFailure {
            guarantees = Set.copyOf(guarantees);
        }

        /** Whether a run failed as it was expected to. */
        public boolean isShownBy(RunResult result) {
            Set<String> violated =
                    result.violations().stream().map(Violation::guarantee).collect(Collectors.toSet());
            return !violated.isEmpty() && guarantees.containsAll(violated);
        }

        /** One line for people. */
        public String sentence() {
            return "expected to fail: " + String.join(" or ", new TreeSet<>(guarantees)) + ": " + why;
        }
    }

    private static void add(String name, Set<String> guarantees, String why, LongFunction<Settings> settings) {
        ALL.put(name, new ExpectedFailure(guarantees, why, settings));
    }

    /** The names. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** A scenario that is expected to fail, if there is one of this name. */
    public static Optional<ExpectedFailure> named(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    private static Fault fault(int place, Kind kind, long from, long to, List<NodeId> some, List<NodeId> others) {
        return new Fault(
                -1 - place, kind, from * Timeline.SECOND, to * Timeline.SECOND, some, others, 0, Conditions.CALM);
    }

    /** One fault of one appserver, which is held to every guarantee all the same. */
    private static Settings strict(long seed, Kind kind, long from, long to) {
        Settings settings = Settings.of(seed).withFaults(Set.of(), 1_000_000).withStrictDisks(true);
        return settings.withScript(List.of(fault(0, kind, from, to, List.of(unlucky(settings)), List.of())));
    }

    private static NodeId unlucky(Settings settings) {
        return NodeId.appserver(
                (int) Math.floorMod(settings.seed(), (long) settings.quorums().appservers()));
    }

    private static Settings lostAndAlone(long seed) {
        Settings settings = strict(seed, Kind.DISK_LOST, 3, 4);
        NodeId lonely = unlucky(settings);
        List<NodeId> others = Scenarios.allServers(settings).stream()
                .filter(server -> !server.equals(lonely))
                .toList();
        return settings.withScript(
                List.of(settings.script().get(0), fault(1, Kind.PARTITION, 3, 8, List.of(lonely), others)));
    }

    private static Settings forgetfulClient(long seed, Kind kind) {
        Settings settings = Settings.of(seed).withFaults(EnumSet.of(Kind.LINK_BREAK), 3_000_000);
        return settings.withScript(List.of(fault(0, kind, 3, 7, List.of(), List.of())));
    }
}
