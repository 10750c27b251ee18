package org.aspas.emulab.sim.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import org.aspas.certify.wire.RequestName;

/**
 * G7, over all clients with one key: in the end each update counts, once, that a client told its application to be answered. Whether
 * that client still has its record is no matter.
 */
final class AcknowledgedCounts extends Invariant {
    private final Reference reference;
    private final Map<RequestName, ClientUpdate> answered = new LinkedHashMap<>();

    AcknowledgedCounts(Reference reference) {
        super("G7");
        this.reference = reference;
        on(Fact.Answered.class, fact -> answered.putIfAbsent(fact.name(), fact.update()));
        on(Fact.Ended.class, fact -> {
            if (fact.unsettled().isEmpty()) {
                answeredCount();
            }
        });
    }

    private void answeredCount() {
        answered.forEach((name, update) -> {
            boolean counts = reference
                    .counted(name.client(), name.number())
                    .filter(one -> one.request().key().equals(update.key())
                            && one.request().operation().equals(update.operation()))
                    .isPresent();
            if (!counts) {
                violated(update + ", answered as " + name + ", does not count");
            }
        });
    }
}
