package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.Conditions;

/**
 * Schedules by name: those that broke earlier drafts of the protocol (the protocol page, docs/protocol.md §11) as far as the
 * code has what they need, and those that stress one guarantee. Each is a family: the seed fills in the rest.
 */
public final class Scenarios {
    private static final Map<String, LongFunction<Settings>> ALL = new TreeMap<>();

    /** Provable roles that {@code provable-lies} does not go through: they came when its seeds had their meaning. */
    private static final Set<String> PROVABLE_BY_NAME =
            Set.of("broken-last-entry", "heads-of-nothing", "two-stables", "tagged-forgeries", "stolen-secrets");

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
                seed -> stressed(seed)
                        .withMicros(30 * Timeline.SECOND)
                        .withFaults(
                                EnumSet.of(Fault.Kind.PARTITION, Fault.Kind.ONE_WAY, Fault.Kind.CLUSTER_STOP),
                                1_500_000));
        ALL.put("provable-lies", Scenarios::provableLies);
        ALL.put(
                "fork-and-colluding-inspections",
                seed -> Settings.of(seed).withRoles(List.of("forking", "client-inspecting")));
        ALL.put("exclusion-then-a-thousand-writes", Scenarios::manyWrites);
        ALL.put("cold-starts", Scenarios::coldStarts);
        ALL.put("stopped-and-partitioned", Scenarios::stoppedAndPartitioned);
        ALL.put("honest", Settings::of);
        ALL.putAll(ProtocolScenarios.all());
        ALL.put("paper-scale", Scenarios::paperScale);
        DiskScenarios.addTo(ALL);
        KeyScenarios.addTo(ALL);
        ALL.put("slow-but-correct", SlowSystem::settings);
        ALL.put("slow-but-correct-many-clients", SlowSystem::manyClients);
        ALL.put("slow-but-correct-full-workload", SlowSystem::fullWorkload);
    }

    private Scenarios() {}

    /** The names of the scenarios that keep every guarantee; {@link ExpectedFailures} has others. */
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
            return ExpectedFailures.named(name)
                    .orElseThrow(() -> new IllegalArgumentException("there is no scenario '" + name + "': there are "
                            + names() + ", and " + ExpectedFailures.names() + ", which are expected to fail"))
                    .settings();
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

    static List<NodeId> allServers(Settings settings) {
        List<NodeId> all = new ArrayList<>(appservers(settings));
        all.addAll(bftservers(settings));
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
        Settings settings = stressed(seed).withFaults(Set.of(), 1_000_000).withMicros(75 * Timeline.SECOND);
        return settings.withScript(List.of(minuteWithoutCluster(settings)));
    }

    private static Fault minuteWithoutCluster(Settings settings) {
        return fault(
                0, Fault.Kind.CLUSTER_STOP, 5 * Timeline.SECOND, 65 * Timeline.SECOND, bftservers(settings), List.of());
    }

    /** Nobody is Byzantine, and every client may leave its server, inspect it, and complain; f = 1, 2, 3 by the seed. */
    private static Settings stressed(long seed) {
        return Settings.of(seed)
                .withFaultBounds(1 + (int) Math.floorMod(seed - 1, 3L), 1)
                .withWary(true);
    }

    /** Nobody orders anything for a minute, and before, meanwhile and after the network falls apart in any shape. */
    private static Settings stoppedAndPartitioned(long seed) {
        Settings settings = stressed(seed)
                .withClients(5, 800_000)
                .withFaults(EnumSet.of(Fault.Kind.PARTITION, Fault.Kind.ONE_WAY), 4_000_000)
                .withMicros(75 * Timeline.SECOND);
        return settings.withScript(List.of(minuteWithoutCluster(settings)));
    }

    /** All bftservers crash at once, again and again, mostly in the middle of a certificate. */
    private static Settings coldStarts(long seed) {
        Settings settings = Settings.of(seed).withFaults(EnumSet.of(Fault.Kind.LINK_BREAK), 3_000_000);
        List<Fault> script = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            long begins = (i + 1) * 1_700_000L + seed % 89 * 5_000;
            script.add(
                    fault(i, Fault.Kind.CLUSTER_COLD_START, begins, begins + 400_000, bftservers(settings), List.of()));
        }
        return settings.withScript(script);
    }

    /** Lies that are proof by themselves, in a network that works: each must end in an exclusion. */
    private static Settings provableLies(long seed) {
        List<String> roles = Roles.servers().stream()
                .filter(role -> Roles.isProvable(role) && !PROVABLE_BY_NAME.contains(role))
                .toList();
        Settings settings = liar(seed, roles.get((int) Math.floorMod(seed, (long) roles.size())));
        return settings.withClients(3 * settings.quorums().appservers(), 300_000)
                .withFaults(Set.of(), 1_000_000);
    }

    /** A server is excluded early, others depend on what it wrote beyond its cut, and more than a thousand writes follow. */
    private static Settings manyWrites(long seed) {
        return liar(seed, seed % 2 == 0 ? "forking" : "wrong-stable")
                .withClients(12, 150_000)
                .withMicros(15 * Timeline.SECOND)
                .withFaults(EnumSet.of(Fault.Kind.LINK_BREAK, Fault.Kind.WEATHER), 3_000_000);
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
