package org.aspas.emulab.lab.attack;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.aspas.appserver.core.port.AppServerMachine;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.appserver.core.port.StoreState;
import org.aspas.appserver.core.port.StoredHistory;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.appserver.port.PeerTransport;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.fuzz.FieldCoverage;
import org.aspas.emulab.sim.node.Behaviour;
import org.aspas.emulab.sim.role.Collusion;
import org.aspas.emulab.sim.role.Power;
import org.aspas.emulab.sim.role.Roles;

/**
 * Makes the machine of a Byzantine appserver. It takes up where the server's store ends, if there is one, and keeps nothing itself.
 *
 * @param begun whether it attacks by now; until then it is correct
 * @param witness sees what it does that a correct server would not do
 */
record ByzantineMaker(String role, long seed, BooleanSupplier begun, Behaviour.Witness witness)
        implements MachineMaker {
    @Override
    public AppServerMachine make(CoreSettings settings, StoredHistory records, StoreState store, PeerTransport links) {
        long start = System.nanoTime();
        Power power = new Power(
                settings.self(),
                settings.sealer(),
                settings.quorums(),
                new Chance(seed).stream("role " + settings.self()),
                () -> micros(start),
                begun,
                new FieldCoverage(),
                Collusion.alone(settings.sealer()));
        Behaviour behaviour = new Behaviour(Roles.server(role, power), begun, witness);
        return new ByzantineMachine(settings, records, store, behaviour, links, () -> micros(start));
    }

    private static long micros(long start) {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start) + Timeline.SECOND;
    }
}
