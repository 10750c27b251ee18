package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Response;
import org.aspas.crdt.clock.Dot;

/**
 * G10: an update that a correct appserver acknowledged survives every crash: it is on that server's disk when the answer
 * leaves, and stays there; and when all came to rest, it is certified.
 */
final class AcknowledgedSurvives extends Invariant {
    private final Reference reference;
    private final Map<Integer, TreeMap<Long, Hash>> acknowledged = new HashMap<>();
    private final Map<Integer, Long> atRest = new HashMap<>();

    AcknowledgedSurvives(Reference reference) {
        super("G10");
        this.reference = reference;
        on(
                Fact.Responded.class,
                fact -> responded(fact.server(), fact.response().message()));
        on(Fact.Crashed.class, fact -> onDisk(fact.server()));
        on(Fact.Started.class, fact -> started(fact.server(), fact.status()));
        on(Fact.AtRest.class, fact -> acknowledged.forEach((server, entries) -> atRest.put(server, entries.lastKey())));
        on(Fact.Ended.class, this::ended);
    }

    private void responded(int server, Response response) {
        Dot dot = response.dot();
        if (dot == null) {
            return;
        }
        Hash leaf = response.leaf();
        acknowledged.computeIfAbsent(server, any -> new TreeMap<>()).put(dot.sequence(), leaf);
        if (dot.origin() != server || !reference.onDisk(server, dot.sequence(), leaf)) {
            violated("appserver " + server + " acknowledged " + dot + " before it was on its disk");
        }
    }

    /** A server that starts from its disk has what it acknowledged, delivered or waiting for what it depends on; one that lacks its base knows that. */
    private void started(int server, CoreStatus status) {
        TreeMap<Long, Hash> entries = acknowledged.getOrDefault(server, new TreeMap<>());
        long here = status.version().get(server) + status.gauges().getOrDefault("pending_entries", 0L);
        if (!entries.isEmpty() && status.state() != ServerState.REPAIRING && here < entries.lastKey()) {
            violated("appserver " + server + " starts with no more than " + here
                    + " entries of its own, and acknowledged " + entries.lastKey());
        }
    }

    private void onDisk(int server) {
        acknowledged.getOrDefault(server, new TreeMap<>()).forEach((sequence, leaf) -> {
            if (!reference.onDisk(server, sequence, leaf)) {
                violated("appserver " + server + " lost its acknowledged entry " + sequence);
            }
        });
    }

    private void ended(Fact.Ended fact) {
        acknowledged.keySet().forEach(this::onDisk);
        if (!fact.unsettled().isEmpty()) {
            return;
        }
        atRest.forEach((server, sequence) -> {
            long certified = reference
                    .model()
                    .content(reference.model().number())
                    .map(CertificateContent::version)
                    .map(version -> version.get(server))
                    .orElse(0L);
            if (sequence > certified) {
                violated("the acknowledged entry " + server + ":" + sequence + " is not certified");
            }
        });
    }
}
