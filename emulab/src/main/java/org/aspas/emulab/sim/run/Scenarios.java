package org.aspas.emulab.sim.run;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.fault.Fault;
import org.aspas.emulab.sim.network.Conditions;

/**
 * Schedules by name: those that broke earlier drafts of the protocol (the protocol page, docs/protocol.md §11) as far as the
 * code has what they need, and those that stress one guarantee. Each is a family: the seed fills in the rest.
 */
public final class Scenarios {
    private static final Map<String, LongFunction<Settings>> ALL = new TreeMap<>();

    static {
        ALL.put("acknowledge-and-drop", seed -> liar(seed, "silent-to-peers"));
        ALL.put("high-reporter-without-stable", seed -> liar(seed, "high-reports-no-stable"));
        ALL.put("fork-with-differing-dependencies", seed -> liar(seed, "forking"));
        ALL.put("undeliverable-entries-under-a-shared-head", seed -> liar(seed, "ghost-dependencies"));
        ALL.put("replayed-requests-under-other-origins", seed -> liar(seed, "replayed-requests"));
        ALL.put("all-down-before-the-disks-have-it", Scenarios::allDown);
        ALL.put("cluster-stopped-for-a-minute", Scenarios::clusterStopped);
        ALL.put("one-appserver-alone", Scenarios::alone);
        ALL.put(
                "partitions-of-any-shape",
                seed -> Settings.of(seed)
                        .withMicros(30 * Timeline.SECOND)
                        .withFaults(
                                EnumSet.of(Fault.Kind.PARTITION, Fault.Kind.ONE_WAY, Fault.Kind.CLUSTER_STOP),
                                1_500_000));
        ALL.put("honest", Settings::of);
        ALL.put("paper-scale", Scenarios::paperScale);
    }

    private Scenarios() {}

    /** The scenarios' names. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /**
     * A scenario: settings by seed.
     *
     * @throws IllegalArgumentException when there is none of this name
     */
    public static LongFunction<Settings> named(String name) {
        LongFunction<Settings> scenario = ALL.get(name);
        if (scenario == null) {
            throw new IllegalArgumentException("there is no scenario '" + name + "': there are " + names());
        }
        return scenario;
    }

    private static Settings liar(long seed, String role) {
        return Settings.of(seed).withRoles(List.of(role));
    }

    private static Fault fault(
            int place, Fault.Kind kind, long begins, long ends, List<NodeId> some, List<NodeId> others) {
        return new Fault(-1 - place, kind, begins, ends, some, others, 0, Conditions.CALM);
    }

    private static List<NodeId> appservers(Settings settings) {
        List<NodeId> all = new ArrayList<>();
        for (int i = 0; i < settings.quorums().appservers(); i++) {
            all.add(NodeId.appserver(i));
        }
        return all;
    }

    private static List<NodeId> bftservers(Settings settings) {
        List<NodeId> all = new ArrayList<>();
        for (int i = 0; i < settings.quorums().bftservers(); i++) {
            all.add(NodeId.bftserver(i));
        }
        return all;
    }

    /** All appservers crash at once, again and again, most with writes on their way to the disk. */
    private static Settings allDown(long seed) {
        Settings settings = Settings.of(seed)
                .withFaults(EnumSet.of(Fault.Kind.LINK_BREAK), 3_000_000)
                .withClients(8, 150_000);
        List<Fault> script = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            long begins = (i + 1) * 1_300_000L + seed % 97 * 1_000;
            script.add(fault(i, Fault.Kind.CRASH_ALL, begins, begins + 300_000, appservers(settings), List.of()));
        }
        return settings.withScript(script);
    }

    /** Nobody orders anything for a minute while clients go on. */
    private static Settings clusterStopped(long seed) {
        Settings settings = Settings.of(seed).withFaults(Set.of(), 1_000_000).withMicros(75 * Timeline.SECOND);
        return settings.withScript(List.of(fault(
                0,
                Fault.Kind.CLUSTER_STOP,
                5 * Timeline.SECOND,
                65 * Timeline.SECOND,
                bftservers(settings),
                List.of())));
    }

    /** One appserver reaches neither the other appservers nor the BFT cluster, and serves its clients. */
    private static Settings alone(long seed) {
        Settings settings = Settings.of(seed).withFaults(Set.of(), 1_000_000).withMicros(20 * Timeline.SECOND);
        List<NodeId> others = new ArrayList<>(appservers(settings));
        NodeId lonely = others.remove((int) Math.floorMod(seed, others.size()));
        others.addAll(bftservers(settings));
        return settings.withScript(List.of(
                fault(0, Fault.Kind.PARTITION, Timeline.SECOND, 19 * Timeline.SECOND, List.of(lonely), others)));
    }

    /** The paper's scale (§5): ten appservers, four bftservers, a thousand clients, 70 ms between any two sites. */
    private static Settings paperScale(long seed) {
        return Settings.of(seed)
                .withFaultBounds(3, 1)
                .withClients(1_000, 1_000_000)
                .withMicros(10 * Timeline.SECOND)
                .withFaults(Set.of(), 1_000_000)
                .withRoundTrip(70 * Timeline.MILLI);
    }
}
