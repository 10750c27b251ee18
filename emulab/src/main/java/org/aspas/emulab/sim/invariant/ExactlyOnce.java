package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.aspas.client.core.Effect;
import org.aspas.crdt.value.Value;

/**
 * G7: the effect of an update is counted exactly once. Each client has a counter that it alone increments, by one each
 * time: at the end its value is at least the number of confirmed and at most the number of submitted increments, and when
 * all came to rest at correct appservers, exactly the latter.
 */
final class ExactlyOnce extends Invariant {
    private final Cast cast;
    private final Map<String, Integer> submitted = new HashMap<>();
    private final Map<String, Integer> confirmed = new HashMap<>();
    private final Map<String, Integer> atRest = new HashMap<>();
    private final Map<String, Integer> owners = new HashMap<>();
    private final Set<Integer> forgetful = new HashSet<>();

    ExactlyOnce(Cast cast) {
        super("G7");
        this.cast = cast;
    }

    private static boolean counted(ClientUpdate update) {
        return update.key().equals("counter/" + update.client());
    }

    @Override
    public void onSubmitted(ClientUpdate update) {
        if (counted(update)) {
            submitted.merge(update.key(), 1, Integer::sum);
            owners.put(update.key(), update.client());
        }
    }

    @Override
    public void onConfirmed(ClientUpdate update, Effect.Confirmed effect) {
        if (counted(update)) {
            confirmed.merge(update.key(), 1, Integer::sum);
        }
    }

    @Override
    public void onRestarted(int client) {
        forgetful.add(client);
    }

    @Override
    public void onRest() {
        atRest.putAll(confirmed);
    }

    @Override
    public void onEnd(Ending ending) {
        for (FinalRead read : ending.reads()) {
            Integer most = submitted.get(read.key());
            if (most == null || !(read.value() instanceof Value.Int number)) {
                continue;
            }
            boolean rests = ending.unsettled().isEmpty();
            int owner = owners.getOrDefault(read.key(), 0);
            boolean exact = rests && cast.atCorrectServer(owner) && !forgetful.contains(owner);
            long least = exact ? most : rests ? atRest.getOrDefault(read.key(), 0) : 0;
            if (number.value() < least || number.value() > most) {
                violated((read.certified() ? "certified " : "live ") + read.key() + " is " + number.value()
                        + " at appserver " + read.server() + " where " + least + " to " + most + " is right");
            }
        }
    }
}
