package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.ClientUpdate;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.invariant.FinalRead;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.Workload;
import org.jspecify.annotations.Nullable;

/**
 * A client adds an element, the add is confirmed, and the client removes it. What its home then sends comes to one appserver only, which enters the
 * removal in its own log, as if the client had seen nothing, and that copy is certified first. The client is told that its removal is
 * confirmed; the element must be gone.
 */
final class CopiedRemoval extends Schedule {
    static final String STILL_THERE = "a confirmed removal has removed nothing";

    private static final long ADDS = 2 * Timeline.SECOND;
    private static final long ALONE = 3 * Timeline.SECOND;
    private static final String ELEMENT = "removed once";

    private @Nullable SimulatedSystem system;
    private @Nullable ClientNode client;
    private @Nullable ClientUpdate add;
    private @Nullable ClientUpdate removal;
    private boolean removed;

    CopiedRemoval() {
        super("copied-removal");
        on(Fact.Confirmed.class, fact -> confirmed(fact.update()));
        on(Fact.Ended.class, fact -> fact.reads().forEach(this::look));
    }

    @Override
    void begin(SimulatedSystem made) {
        system = made;
        made.timeline.at(ADDS, () -> {
            ClientNode chosen = made.clients.stream()
                    .filter(one -> made.participants.correct(one.server().index()))
                    .findFirst()
                    .orElseThrow();
            client = chosen;
            add = update(chosen, "add");
            chosen.submit(add);
        });
    }

    private static ClientUpdate update(ClientNode client, String operation) {
        return new ClientUpdate(
                client.index(),
                client.newCall(),
                Workload.SHARED_SET,
                DataTypes.AW_SET.name(),
                Operation.of(operation, Value.of(ELEMENT)));
    }

    private void confirmed(ClientUpdate update) {
        SimulatedSystem made = system;
        ClientNode chosen = client;
        if (made != null && chosen != null && update.equals(add) && removal == null) {
            // Not within the core's step.
            made.timeline.after(0, () -> remove(made, chosen));
        }
        removed |= update.equals(removal);
    }

    private void remove(SimulatedSystem made, ClientNode chosen) {
        NodeId home = chosen.server();
        made.world
                .network()
                .gate((from, to, wire) ->
                        from.equals(home) && to.role() == Role.APPSERVER && made.participants.correct(to.index()));
        removal = update(chosen, "remove");
        chosen.submit(removal);
        made.timeline.after(ALONE, () -> made.world.network().release());
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (removal == null) {
            missing.add("the add was not confirmed");
        } else if (!removed) {
            missing.add("the removal was not confirmed");
        }
        return missing;
    }

    private void look(FinalRead read) {
        if (removed
                && read.certified()
                && read.key().equals(Workload.SHARED_SET)
                && read.value() instanceof Value.Sequence elements
                && elements.items().contains(Value.of(ELEMENT))) {
            violated(STILL_THERE + ": appserver " + read.server() + " has " + read.value());
        }
    }
}
