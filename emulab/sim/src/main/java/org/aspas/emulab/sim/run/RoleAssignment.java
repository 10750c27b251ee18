package org.aspas.emulab.sim.run;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Role;
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.fault.Fault;
import org.aspas.emulab.sim.invariant.Participants;
import org.aspas.emulab.sim.role.Roles;
import org.aspas.emulab.sim.world.WorldMap;
import org.jspecify.annotations.Nullable;

/**
 * Chooses who is Byzantine in a run: the f appservers and b bftservers that have roles, or, when none has, those that will go on
 * from an older disk.
 */
final class RoleAssignment {
    /** What makes an appserver forget what it signed. */
    private static final Set<Fault.Kind> FORGETTING =
            Set.of(Fault.Kind.DISK_LOST, Fault.Kind.DISK_DAMAGED, Fault.Kind.DISK_OLD);

    private RoleAssignment() {}

    /**
     * Chooses by lot.
     *
     * @param faults all that will go wrong: some of them count among the f or b
     */
    static Participants assign(Settings settings, Chance lots, List<Fault> faults) {
        Quorums quorums = settings.quorums();
        WorldMap world = settings.world();
        boolean serversLie = settings.roles().stream().anyMatch(Roles::isServer);
        boolean replicasLie = settings.roles().stream().anyMatch(Roles::isReplica);
        Set<Integer> forgetful = serversLie ? Set.of() : onOldDisks(faults, Role.APPSERVER, FORGETTING, settings.f());
        Set<Integer> named = misbehaving(world, settings);
        Set<Integer> liars =
                !named.isEmpty() ? named : serversLie ? some(lots, quorums.appservers(), settings.f()) : forgetful;
        Set<Integer> lyingReplicas = replicasLie
                ? some(lots, quorums.bftservers(), settings.b())
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

    private static Set<Integer> some(Chance lots, int all, int count) {
        Set<Integer> chosen = new TreeSet<>();
        while (chosen.size() < count) {
            chosen.add(lots.index(all));
        }
        return chosen;
    }
}
