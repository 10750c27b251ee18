package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.Map;
import org.aspas.appserver.core.Alarm;
import org.aspas.certify.identity.Hash;

/**
 * G2: correct appservers with the same entries have the same state. Each compares its own state with every certificate it
 * adopts, and alarms if they differ; at the end, the values of appservers with equal log roots must be equal, and without
 * Byzantine parties all of them.
 */
final class StrongConvergence extends Invariant {
    private record Place(String key, boolean certified, Hash roots) {}

    private final Cast cast;

    StrongConvergence(Cast cast) {
        super("G2");
        this.cast = cast;
    }

    @Override
    public void onAlarm(int server, Alarm alarm) {
        if (alarm instanceof Alarm.StateDiverged) {
            violated("appserver " + server + ": " + alarm);
        }
    }

    @Override
    public void onEnd(Ending ending) {
        Map<Place, FinalRead> first = new HashMap<>();
        for (FinalRead read : ending.reads()) {
            Hash roots = cast.honest() && ending.unsettled().isEmpty() ? Hash.ZERO : read.roots();
            FinalRead other = first.putIfAbsent(new Place(read.key(), read.certified(), roots), read);
            if (other != null && !other.value().equals(read.value())) {
                violated((read.certified() ? "certified " : "live ") + read.key() + " is " + other.value()
                        + " at appserver " + other.server() + " and " + read.value() + " at appserver "
                        + read.server() + ", at versions " + other.version() + " and " + read.version());
            }
        }
    }
}
