package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.Conditions;
import org.aspas.emulab.sim.script.Fault.Kind;

/** Schedules about disks, recovery, retention and late parties that every guarantee has to survive. */
final class DiskScenarios {
    /** How long after a cold start certificates must come again, at the latest; they take up to three seconds. */
    private static final long RECOVERED = 8 * Timeline.SECOND;

    /** A short retention: a second and a half of certificates. */
    private static final int SHORT = 8;

    private DiskScenarios() {}

    static void addTo(Map<String, LongFunction<Settings>> all) {
        all.put("records-of-bftservers", DiskScenarios::records);
        all.put("bftserver-on-an-older-record", DiskScenarios::olderRecord);
        all.put("cold-starts-at-every-step", DiskScenarios::coldStartsAtSteps);
        all.put("crashes-in-a-repair", DiskScenarios::crashesInRepair);
        all.put("exclusion-before-its-certificate", DiskScenarios::exclusionFirst);
        all.put("full-disks", DiskScenarios::fullDisks);
        all.put("late-joiners", DiskScenarios::lateJoiners);
        all.put("short-retention", DiskScenarios::shortRetention);
        all.put("away-longer-than-retention", DiskScenarios::awayForLong);
        all.put("late-joiner-after-retention", DiskScenarios::joinerAfterRetention);
        all.put("forged-snapshots", DiskScenarios::forgedSnapshots);
        all.put("appserver-disk-lost", seed -> unlucky(seed, Kind.DISK_LOST, 3, 5));
        all.put("appserver-disk-damaged", seed -> unlucky(seed, Kind.DISK_DAMAGED, 3, 5));
        all.put("appserver-disk-old", seed -> unlucky(seed, Kind.DISK_OLD, 2, 6));
        all.put("appserver-disk-lost-and-alone", DiskScenarios::lostAndAlone);
        all.put("appserver-disk-lost-and-one-peer", DiskScenarios::lostAndOnePeer);
        all.put(
                "certificate-back-after-a-lost-disk",
                seed -> wentBack(seed, Kind.DISK_LOST, "certificate-back-after-a-lost-disk"));
        all.put(
                "certificate-back-after-an-old-disk",
                seed -> wentBack(seed, Kind.DISK_OLD, "certificate-back-after-an-old-disk"));
        all.put("os-and-a-power-cut", seed -> wentBack(seed, Kind.POWER_CUT, "os-and-a-power-cut"));
        all.put("os-and-kills", DiskScenarios::kills);
        all.put("duplicate-after-a-snapshot", seed -> givenAgain(seed, true));
        all.put("replay-after-pruning", seed -> givenAgain(seed, false));
        all.put("stores-by-chance", DiskScenarios::stores);
        all.put("appserver-disk-old-among-the-f", seed -> forgetful(seed, Kind.DISK_OLD));
        all.put("appserver-disk-lost-among-the-f", seed -> forgetful(seed, Kind.DISK_LOST));
    }

    private static Fault fault(int place, Kind kind, long begins, long ends, NodeId node) {
        return new Fault(-1 - place, kind, begins, ends, List.of(node), List.of(), 0, Conditions.CALM);
    }

    private static Fault fault(int place, Kind kind, long begins, long ends, int client) {
        return new Fault(-1 - place, kind, begins, ends, List.of(), List.of(), client, Conditions.CALM);
    }

    private static int chosen(long seed, int of) {
        return (int) Math.floorMod(seed, (long) of);
    }

    /** One bftserver after the other loses its record, or has a torn, full or damaged disk. */
    private static Settings records(long seed) {
        Settings settings = Settings.of(seed)
                .withMicros(20 * Timeline.SECOND)
                .withFaults(EnumSet.of(Kind.LINK_BREAK, Kind.CLUSTER_COLD_START), 3_000_000);
        List<Kind> kinds = List.of(Kind.DISK_LOST, Kind.DISK_TORN, Kind.DISK_DAMAGED, Kind.DISK_FULL);
        List<Fault> script = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            long begins = (2 * i + 1) * Timeline.SECOND + seed % 97 * 5_000;
            NodeId whose = NodeId.bftserver(chosen(seed + i, settings.quorums().bftservers()));
            Kind kind = kinds.get(chosen(seed + i + i / kinds.size(), kinds.size()));
            script.add(fault(i, kind, begins, begins + 700 * Timeline.MILLI, whose));
        }
        return settings.withScript(script);
    }

    /** A bftserver goes back to an older record again and again, while all others crash at once now and then. */
    private static Settings olderRecord(long seed) {
        Settings settings = Settings.of(seed).withFaults(EnumSet.of(Kind.LINK_BREAK), 3_000_000);
        NodeId old = NodeId.bftserver(chosen(seed, settings.quorums().bftservers()));
        NodeId other = NodeId.bftserver(chosen(seed + 1, settings.quorums().bftservers()));
        List<Fault> script = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            long begins = (3 * i + 1) * Timeline.SECOND + seed % 89 * 3_000;
            script.add(fault(2 * i, Kind.DISK_OLD, begins, begins + 1_500 * Timeline.MILLI, old));
            script.add(fault(
                    2 * i + 1,
                    Kind.COLD_START_AT_STEP,
                    begins + 1_600 * Timeline.MILLI,
                    begins + 2_900 * Timeline.MILLI,
                    other));
        }
        return settings.withScript(script);
    }

    /** All bftservers crash when one of them records something, again and again; certificates come again soon. */
    private static Settings coldStartsAtSteps(long seed) {
        Settings settings = Settings.of(seed)
                .withMicros(16 * Timeline.SECOND)
                .withFaults(EnumSet.of(Kind.LINK_BREAK), 3_000_000)
                .withMostGap(RECOVERED);
        List<Fault> script = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            long begins = (i + 1) * 1_400_000L + seed % 89 * 5_000;
            NodeId whose = NodeId.bftserver(chosen(seed + i, settings.quorums().bftservers()));
            script.add(fault(i, Kind.COLD_START_AT_STEP, begins, begins + 1_300 * Timeline.MILLI, whose));
        }
        return settings.withScript(script);
    }

    /** A log forks, and the appserver that was given the wrong branch crashes at each step of its repair, and later. */
    private static Settings crashesInRepair(long seed) {
        Settings settings = Settings.of(seed)
                .withRoles(List.of("forking"))
                .withClients(40, 800_000)
                .withFaults(Set.of(), 1_000_000)
                .withSchedule("crashes-in-a-repair");
        List<Fault> script = new ArrayList<>();
        for (int i = 0; i < settings.quorums().appservers(); i++) {
            script.add(fault(i, Kind.REPAIR_CRASH, 0, settings.micros(), NodeId.appserver(i)));
        }
        return settings.withScript(script);
    }

    /** A server carries out an exclusion, enters updates, adopts the certificate that excludes only then, and crashes. */
    private static Settings exclusionFirst(long seed) {
        return Settings.of(seed)
                .withFaultBounds(2, 1)
                .withRoles(List.of("two-stables", "withholding-certificates"))
                .withClients(14, 150_000)
                .withFaults(Set.of(), 1_000_000)
                .withSchedule("exclusion-before-its-certificate");
    }

    /** Every disk is full for a while. */
    private static Settings fullDisks(long seed) {
        Settings settings = Settings.of(seed).withFaults(EnumSet.of(Kind.LINK_BREAK, Kind.DISK_TORN), 2_000_000);
        List<Fault> script = new ArrayList<>();
        List<NodeId> servers = Scenarios.allServers(settings);
        for (int i = 0; i < servers.size(); i++) {
            long begins = Timeline.SECOND + i * 900L * Timeline.MILLI;
            script.add(fault(script.size(), Kind.DISK_FULL, begins, begins + 1_500 * Timeline.MILLI, servers.get(i)));
        }
        for (int client = 0; client < settings.clients(); client++) {
            long begins = Timeline.SECOND + client * Timeline.SECOND;
            script.add(fault(script.size(), Kind.DISK_FULL, begins, begins + 1_500 * Timeline.MILLI, client));
        }
        return settings.withScript(script);
    }

    /** An appserver, a bftserver and a client are not there for the first half. */
    private static Settings lateJoiners(long seed) {
        Settings settings = Settings.of(seed)
                .withMicros(12 * Timeline.SECOND)
                .withFaults(EnumSet.of(Kind.LINK_BREAK, Kind.WEATHER, Kind.CLIENT_BREAK), 2_000_000);
        long joins = 6 * Timeline.SECOND;
        return settings.withScript(List.of(
                fault(
                        0,
                        Kind.LATE_JOIN,
                        0,
                        joins,
                        NodeId.appserver(chosen(seed, settings.quorums().appservers()))),
                fault(
                        1,
                        Kind.LATE_JOIN,
                        0,
                        joins,
                        NodeId.bftserver(chosen(seed, settings.quorums().bftservers()))),
                fault(2, Kind.LATE_JOIN, 0, joins, chosen(seed, settings.clients()))));
    }

    /** An appserver is away for longer than certificates are kept. */
    private static Settings awayForLong(long seed) {
        return Scenarios.named("one-appserver-alone").apply(seed).withRetained(SHORT);
    }

    /** An appserver is there only when the first certificates are kept no more. */
    private static Settings joinerAfterRetention(long seed) {
        Settings settings = Settings.of(seed).withFaults(Set.of(), 1_000_000).withRetained(SHORT);
        NodeId late = NodeId.appserver(chosen(seed, settings.quorums().appservers()));
        return settings.withScript(List.of(fault(0, Kind.LATE_JOIN, 0, 8 * Timeline.SECOND, late)));
    }

    /** A correct appserver comes late, and one of those that give it the certified state forges it. */
    private static Settings forgedSnapshots(long seed) {
        return Settings.of(seed)
                .withRoles(List.of("forged-snapshots"))
                .withFaults(Set.of(), 1_000_000)
                .withSchedule("forged-snapshots");
    }

    /** Appservers keep few certificates, and nobody is away for as many. */
    private static Settings shortRetention(long seed) {
        Settings settings = Settings.of(seed)
                .withRetained(16)
                .withMicros(20 * Timeline.SECOND)
                .withFaults(
                        EnumSet.of(
                                Kind.CRASH_ALL,
                                Kind.CLUSTER_STOP,
                                Kind.LINK_BREAK,
                                Kind.CLIENT_BREAK,
                                Kind.CLIENT_CRASH,
                                Kind.REPLICA_CRASH),
                        1_500_000);
        List<Fault> script = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            long begins = (2 * i + 1) * Timeline.SECOND;
            NodeId whose = NodeId.appserver(chosen(seed + i, settings.quorums().appservers()));
            script.add(fault(i, Kind.CRASH, begins, begins + 800 * Timeline.MILLI, whose));
        }
        return settings.withScript(script);
    }

    /** An appserver comes back without its log, or with an older one, while its clients go on. */
    private static Settings unlucky(long seed, Kind kind, long from, long to) {
        Settings settings = Settings.of(seed).withFaults(Set.of(), 1_000_000);
        NodeId whose = NodeId.appserver(chosen(seed, settings.quorums().appservers()));
        return settings.withScript(List.of(fault(0, kind, from * Timeline.SECOND, to * Timeline.SECOND, whose)));
    }

    /** An appserver comes back without its log, reaches no other server, and its clients go on. */
    private static Settings lostAndAlone(long seed) {
        Settings settings = unlucky(seed, Kind.DISK_LOST, 3, 4);
        Fault lost = settings.script().get(0);
        List<NodeId> others = Scenarios.allServers(settings).stream()
                .filter(server -> !server.equals(lost.node()))
                .toList();
        Fault alone = new Fault(
                -2, Kind.PARTITION, lost.begins(), 8 * Timeline.SECOND, lost.some(), others, 0, Conditions.CALM);
        return settings.withScript(List.of(lost, alone));
    }

    /** An appserver comes back without its log, and reaches only one other, which has nothing of its last second. */
    private static Settings lostAndOnePeer(long seed) {
        Settings settings = unlucky(seed, Kind.DISK_LOST, 3, 4);
        Fault lost = settings.script().get(0);
        NodeId peer = NodeId.appserver(
                chosen(lost.node().index() + 1L, settings.quorums().appservers()));
        List<NodeId> others = Scenarios.allServers(settings).stream()
                .filter(server -> !server.equals(lost.node()) && !server.equals(peer))
                .toList();
        Fault uninformed = partition(-2, 2 * Timeline.SECOND, lost.begins(), lost.some(), List.of(peer));
        Fault apart = partition(
                -3, lost.begins() - 500 * Timeline.MILLI, 8 * Timeline.SECOND, List.of(lost.node(), peer), others);
        return settings.withScript(List.of(lost, uninformed, apart));
    }

    private static Fault partition(int number, long begins, long ends, List<NodeId> some, List<NodeId> others) {
        return new Fault(number, Kind.PARTITION, begins, ends, some, others, 0, Conditions.CALM);
    }

    /** An appserver comes back at once with less than it showed its clients, which are there. */
    private static Settings wentBack(long seed, Kind kind, String schedule) {
        Settings settings = Settings.of(seed)
                .withFaults(EnumSet.of(Kind.LINK_BREAK), 3_000_000)
                .withClients(8, 100_000)
                .withSchedule(schedule);
        NodeId whose = NodeId.appserver(chosen(seed, settings.quorums().appservers()));
        long ends = kind == Kind.DISK_OLD ? 4_200 * Timeline.MILLI : 3_400 * Timeline.MILLI;
        return settings.withScript(List.of(fault(0, kind, 3 * Timeline.SECOND, ends, whose)));
    }

    /** Appservers answer when the operating system has an entry, and are killed one after the other and all at once. */
    private static Settings kills(long seed) {
        Settings settings = Settings.of(seed)
                .withFaults(EnumSet.of(Kind.LINK_BREAK, Kind.CRASH, Kind.CRASH_ALL), 1_000_000)
                .withClients(8, 100_000)
                .withSchedule("os-and-kills");
        List<Fault> script = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            long begins = (i + 1) * Timeline.SECOND;
            NodeId whose = NodeId.appserver(chosen(seed + i, settings.quorums().appservers()));
            script.add(fault(i, Kind.CRASH, begins, begins + 200 * Timeline.MILLI, whose));
        }
        return settings.withScript(script);
    }

    private static Settings givenAgain(long seed, boolean snapshot) {
        Settings settings = Settings.of(seed)
                .withFaults(Set.of(), 1_000_000)
                .withClients(8, 60_000)
                .withWary(true)
                .withRetained(4)
                .withSchedule(snapshot ? "duplicate-after-a-snapshot" : "replay-after-pruning");
        int server = chosen(seed, settings.quorums().appservers());
        List<Fault> script = new ArrayList<>();
        for (int client = server;
                !snapshot && client < settings.clients();
                client += settings.quorums().appservers()) {
            script.add(fault(script.size(), Kind.DISK_OLD, 2 * Timeline.SECOND, 8 * Timeline.SECOND, client));
        }
        if (snapshot) {
            List<NodeId> others = new ArrayList<>(Scenarios.allServers(settings));
            NodeId alone = others.remove(server);
            long leaves = 2 * Timeline.SECOND;
            script.add(partition(
                    -1, leaves - 300 * Timeline.MILLI, leaves + 100 * Timeline.MILLI, List.of(alone), others));
            script.add(fault(1, Kind.CRASH, leaves, 6 * Timeline.SECOND, alone));
        }
        return settings.withScript(script);
    }

    /** Everything that can happen to stores and records, besides all else, over a short retention; f = 1, 2 by the seed. */
    private static Settings stores(long seed) {
        Set<Kind> kinds = EnumSet.copyOf(Kind.USUAL);
        kinds.addAll(Kind.STORES);
        return Settings.of(seed)
                .withFaultBounds(1 + (int) Math.floorMod(seed, 2L), 1)
                .withFaults(kinds, 800_000)
                .withWary(true)
                .withRetained(4);
    }

    /**
     * An appserver that comes back with an older log, or none, counts among the f: nobody else notices, and it harms nobody,
     * nor itself. Its clients come again only when the other servers have told it what it signed.
     */
    private static Settings forgetful(long seed, Kind kind) {
        Settings settings = Settings.of(seed).withFaults(Set.of(), 1_000_000).withClients(8, 300_000);
        int whose = chosen(seed, settings.quorums().appservers());
        List<Fault> script = new ArrayList<>();
        // The copy is of 2 s, the crash at 3.5 s: what lies between is forgotten.
        script.add(fault(0, kind, 2 * Timeline.SECOND, 5 * Timeline.SECOND, NodeId.appserver(whose)));
        for (int client = whose;
                client < settings.clients();
                client += settings.quorums().appservers()) {
            script.add(fault(script.size(), Kind.CLIENT_CRASH, 3_400 * Timeline.MILLI, 7 * Timeline.SECOND, client));
        }
        return settings.withScript(script);
    }
}
