package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.wire.InspectReply;
import org.aspas.client.core.ClientEvent;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.node.ClientNode;

/**
 * Everybody is correct, every client inspects every answer and would complain, and every row of the evidence is enabled as always: nobody
 * complains, and nobody is convicted.
 */
final class NobodyBlamed extends Schedule {
    private long inspections;

    NobodyBlamed() {
        super("nobody blamed");
        on(
                Fact.Convicted.class,
                fact -> violated("bftserver " + fact.replica() + " convicts appserver " + fact.server()));
        on(Fact.Adopted.class, fact -> {
            if (!fact.certificate().content().exclusions().isEmpty()) {
                violated("certificate " + fact.certificate().number() + " excludes somebody");
            }
        });
        on(Fact.Inspected.class, fact -> {
            if (fact.reply().outcome() == InspectReply.Outcome.DIFFERS) {
                violated("appserver " + fact.server() + " calls an answer wrong");
            }
            inspections++;
        });
    }

    @Override
    boolean watchful() {
        return true;
    }

    @Override
    void begin(SimulatedSystem system) {
        // Chance alone: faults of every kind.
    }

    @Override
    void told(ClientNode client, ClientEvent event) {
        if (event instanceof ClientEvent.Complained || event instanceof ClientEvent.Convicted) {
            violated(client + " blames: " + event);
        }
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (inspections == 0) {
            missing.add("nothing was inspected");
        }
        return missing;
    }
}
