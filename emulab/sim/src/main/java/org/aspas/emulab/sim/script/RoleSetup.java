package org.aspas.emulab.sim.script;

import java.util.List;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.invariant.Participants;
import org.aspas.emulab.sim.node.Conditions;

/**
 * What a run has besides its plan and script so that its roles can lie at all: who lies in snapshots needs somebody who wants one.
 * In such runs appservers keep few certificates, and a correct one comes late.
 */
final class RoleSetup {
    private static final int RETAINED = 4;
    /** Its number, by which it can be left out. */
    private static final int NUMBER = -1_000;

    private RoleSetup() {}

    private static boolean snapshots(Settings settings) {
        return settings.roles().stream().anyMatch(Roles::liesInSnapshots);
    }

    /** How many certificates an appserver keeps. */
    static int retained(Settings settings) {
        return snapshots(settings) ? Math.min(RETAINED, settings.retained()) : settings.retained();
    }

    /** The faults that this adds to the plan. */
    static List<Fault> faults(Settings settings) {
        if (!snapshots(settings)) {
            return List.of();
        }
        SeededRandom chance = new SeededRandom(settings.seed());
        Participants parties = RoleAssignment.assign(settings, chance.stream("casting"), List.of());
        NodeId late = NodeId.appserver(chance.stream("occasion").pick(List.copyOf(parties.correctAppservers())));
        return List.of(new Fault(
                NUMBER,
                Fault.Kind.LATE_JOIN,
                0,
                settings.micros() * 2 / 3,
                List.of(late),
                List.of(),
                0,
                Conditions.CALM));
    }
}
