package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.InspectReply;
import org.aspas.client.core.ClientEvent;
import org.aspas.emulab.sim.node.ClientNode;

/**
 * Everybody is correct, every client inspects every answer and would complain, and every row of the evidence is enabled as always: nobody
 * complains, and nobody is convicted.
 */
final class NobodyBlamed extends Schedule {
    private long inspections;

    NobodyBlamed() {
        super("nobody blamed");
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
    public void onConvicted(int replica, int server) {
        violated("bftserver " + replica + " convicts appserver " + server);
    }

    @Override
    public void onAdopted(int server, Certificate certificate) {
        if (!certificate.content().exclusions().isEmpty()) {
            violated("certificate " + certificate.number() + " excludes somebody");
        }
    }

    @Override
    public void onInspected(int server, InspectReply reply) {
        if (reply.outcome() == InspectReply.Outcome.DIFFERS) {
            violated("appserver " + server + " calls an answer wrong");
        }
        inspections++;
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
