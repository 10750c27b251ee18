package org.aspas.emulab.sim.script;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.invariant.Participants;
import org.aspas.emulab.sim.world.WorldMap;
import org.jspecify.annotations.Nullable;

/**
 * Chooses who is Byzantine in a run: f appservers and b bftservers, those that will go on from an older disk and those that have
 * roles.
 */
final class RoleAssignment {
    /** What makes an appserver forget what it signed. */
    private static final Set<Fault.Kind> FORGETTING =
            Set.of(Fault.Kind.DISK_LOST, Fault.Kind.DISK_DAMAGED, Fault.Kind.DISK_OLD, Fault.Kind.POWER_CUT);

    private RoleAssignment() {}

    /**
     * Chooses by lot.
     *
     * @param faults all that will go wrong: some of them count among the f or b
     */
    static Participants assign(Settings settings, SeededRandom lots, List<Fault> faults) {
        Quorums quorums = settings.quorums();
        WorldMap world = settings.world();
        boolean serversLie = settings.roles().stream().anyMatch(Roles::isServer);
        boolean replicasLie = settings.roles().stream().anyMatch(Roles::isReplica);
        Set<Integer> named = misbehaving(world, settings);
        // Where servers lie, one of the f is left to them.
        int mayForget = settings.f() - Math.max(named.size(), serversLie ? 1 : 0);
        Set<Integer> forgetful = onOldDisks(faults, Role.APPSERVER, FORGETTING, mayForget);
        forgetful.removeAll(named);
        Set<Integer> liars = new TreeSet<>(forgetful);
        if (serversLie && named.isEmpty()) {
            some(lots, quorums.appservers(), settings.f(), liars);
        }
        liars.addAll(named);
        Set<Integer> lyingReplicas = replicasLie
                ? some(lots, quorums.bftservers(), settings.b(), new TreeSet<>())
                : onOldDisks(faults, Role.BFTSERVER, Set.of(Fault.Kind.DISK_OLD), settings.b());
        Map<Integer, Integer> homes = new TreeMap<>();
        for (int client = 0; client < settings.clients(); client++) {
            homes.put(client, world == null ? client % quorums.appservers() : world.home(client, quorums.appservers()));
        }
        return new Participants(
                quorums,
                liars,
                lyingReplicas,
                settings.clients(),
                homes,
                !settings.wary(),
                forgetful,
                astray(settings, faults, forgetful),
                isCalm(settings) ? liars : Set.of());
    }

    /** The servers that will go on from an older disk, no more than may fail: for all others they are as bad as liars. */
    private static Set<Integer> onOldDisks(List<Fault> faults, Role role, Set<Fault.Kind> kinds, int most) {
        return faults.stream()
                .filter(fault -> kinds.contains(fault.kind()) && !fault.ofClient())
                .filter(fault -> fault.node().role() == role)
                .map(fault -> fault.node().index())
                .distinct()
                .limit(most)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Of a plan nobody knows when a peer tells them of what is gone; a script may see to it. */
    private static Set<Integer> astray(Settings settings, List<Fault> faults, Set<Integer> forgetful) {
        boolean scriptToo = Scenarios.schedule(settings.schedule()).has("convictable");
        return faults.stream()
                .filter(fault ->
                        (fault.number() >= 0 || scriptToo) && fault.kind() == Fault.Kind.DISK_OLD && !fault.ofClient())
                .filter(fault -> fault.node().role() == Role.APPSERVER)
                .map(fault -> fault.node().index())
                .filter(forgetful::contains)
                .collect(Collectors.toSet());
    }

    /** The appservers to which the world gives Byzantine roles. */
    private static Set<Integer> misbehaving(@Nullable WorldMap world, Settings settings) {
        Set<Integer> named = IntStream.range(0, settings.quorums().appservers())
                .filter(index -> world != null && world.misbehaviour(index).isPresent())
                .boxed()
                .collect(Collectors.toSet());
        if (named.size() > settings.f()) {
            throw new IllegalArgumentException(
                    "the world has " + named.size() + " Byzantine appservers, and f is " + settings.f());
        }
        return named;
    }

    /** Whether nothing but lies that are proof by themselves disturbs the run. */
    static boolean isCalm(Settings settings) {
        List<String> lies = settings.roles().stream().filter(Roles::isServer).toList();
        return settings.clients() >= 3 * settings.quorums().appservers()
                && settings.faults().isEmpty()
                && settings.script().isEmpty()
                && lies.stream().allMatch(Roles::isProvable);
    }

    /** Adds to the chosen until they are so many. */
    private static Set<Integer> some(SeededRandom lots, int all, int count, Set<Integer> chosen) {
        while (chosen.size() < count) {
            chosen.add(lots.index(all));
        }
        return chosen;
    }
}
