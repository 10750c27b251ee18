package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.client.core.ClientEvent;
import org.aspas.emulab.sim.invariant.ClientUpdate;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.node.ClientNode;
import org.jspecify.annotations.Nullable;

/**
 * A server acknowledges updates and gives them to nobody: its clients leave it, take their updates along, and have each of them confirmed,
 * whatever τ is.
 */
final class AcknowledgedAndDropped extends Schedule {
    private final long tolerance;
    private final Set<Integer> atLiars = new TreeSet<>();
    private final Set<Integer> left = new TreeSet<>();
    private final Set<ClientUpdate> open = new HashSet<>();
    private @Nullable SimulatedSystem system;
    private long carried;

    AcknowledgedAndDropped(long tolerance) {
        super("acknowledged and dropped, τ " + tolerance);
        this.tolerance = tolerance;
        on(Fact.Submitted.class, fact -> open.add(fact.update()));
        on(Fact.Confirmed.class, fact -> open.remove(fact.update()));
    }

    @Override
    OptionalLong tolerance() {
        return OptionalLong.of(tolerance);
    }

    @Override
    void begin(SimulatedSystem made) {
        system = made;
        for (ClientNode client : made.clients) {
            if (!made.participants.correct(client.server().index())) {
                atLiars.add(client.index());
            }
        }
    }

    @Override
    void told(ClientNode client, ClientEvent event) {
        SimulatedSystem made = system;
        if (made == null || !atLiars.contains(client.index())) {
            return;
        }
        if (event instanceof ClientEvent.Switched switched && !made.participants.correct(switched.from())) {
            left.add(client.index());
        } else if (event instanceof ClientEvent.Resubmitted again && made.participants.correct(again.server())) {
            carried += again.numbers().size();
        }
    }

    /** The liars' clients have time until all is confirmed. */
    @Override
    public List<String> waiting() {
        return open.isEmpty() ? List.of() : List.of(open.size() + " updates are not confirmed");
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (atLiars.isEmpty() || !left.containsAll(atLiars)) {
            missing.add("of the liars' clients " + atLiars + " only " + left + " left");
        }
        if (carried == 0) {
            missing.add("no client took an update along");
        }
        if (!open.isEmpty()) {
            missing.add("not confirmed: " + open);
        }
        return missing;
    }
}
