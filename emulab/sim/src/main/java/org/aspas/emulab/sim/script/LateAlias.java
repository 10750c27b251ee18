package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.client.core.ClientEvent;
import org.aspas.crdt.clock.Dot;
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
 * "Add at 4, switch, remove at 2, late 4:6": a client adds an element at a server whose entries reach nobody, leaves it, has the add entered
 * elsewhere under another dot, and removes the element there. Then the first dot arrives. The removal has observed the add under
 * any of its dots: the element must not come back.
 */
final class LateAlias extends Schedule {
    private static final long ADDS = 2 * Timeline.SECOND;
    private static final long TOLERANCE = 16;
    private static final String ELEMENT = "removed elsewhere";

    private @Nullable SimulatedSystem system;
    private @Nullable ClientUpdate add;
    private @Nullable ClientUpdate removal;
    private @Nullable Dot first;
    private boolean left;
    private boolean removed;
    private boolean late;

    LateAlias() {
        super("late-alias");
        on(Fact.Answered.class, fact -> {
            if (fact.update().equals(add) && first == null) {
                first = fact.effect().dot();
            }
        });
        on(Fact.Confirmed.class, fact -> confirmed(fact.update()));
        on(Fact.Adopted.class, this::adopted);
        on(Fact.Ended.class, fact -> fact.reads().forEach(this::look));
    }

    @Override
    OptionalLong tolerance() {
        return OptionalLong.of(TOLERANCE);
    }

    @Override
    void begin(SimulatedSystem made) {
        system = made;
        NodeId alone = NodeId.appserver(0);
        made.timeline.at(
                ADDS / 2,
                () -> made.world.network().gate((from, to, wire) -> from.equals(alone) && to.role() == Role.APPSERVER));
        made.timeline.at(ADDS, () -> {
            add = update(made.clients.get(0), "add");
            made.clients.get(0).submit(add);
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

    @Override
    void told(ClientNode client, ClientEvent event) {
        SimulatedSystem made = system;
        if (made != null
                && client.index() == 0
                && first != null
                && event instanceof ClientEvent.Resubmitted again
                && again.server() != 0
                && !left) {
            left = true;
            // Not within the core's step.
            made.timeline.after(0, () -> {
                removal = update(client, "remove");
                client.submit(removal);
            });
        }
    }

    private void confirmed(ClientUpdate update) {
        SimulatedSystem made = system;
        if (made != null && update.equals(removal)) {
            removed = true;
            made.timeline.after(Timeline.SECOND, () -> made.world.network().release());
        }
    }

    private void adopted(Fact.Adopted fact) {
        Dot dot = first;
        late |= removed
                && dot != null
                && fact.server() != 0
                && fact.certificate().content().version().covers(dot);
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (first == null) {
            missing.add("the add was not answered by the lonely server");
        }
        if (!left) {
            missing.add("the client did not go elsewhere");
        }
        if (!removed) {
            missing.add("the removal was not confirmed");
        }
        if (!late) {
            missing.add("the first dot was not certified after the removal");
        }
        return missing;
    }

    private void look(FinalRead read) {
        if (read.key().equals(Workload.SHARED_SET)
                && read.value() instanceof Value.Sequence elements
                && elements.items().contains(Value.of(ELEMENT))) {
            violated("appserver " + read.server() + " has the removed element again: " + read.value());
        }
    }
}
