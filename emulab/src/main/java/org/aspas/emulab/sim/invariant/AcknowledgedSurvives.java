package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.aspas.client.core.Effect;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * G10: an update that a correct appserver acknowledged survives every crash: at the end, what it added and nobody removed
 * is there.
 */
final class AcknowledgedSurvives extends Invariant {
    private final Cast cast;
    private final Map<String, Set<Value>> atRest = new HashMap<>();
    private final Map<String, Set<Value>> added = new HashMap<>();

    AcknowledgedSurvives(Cast cast) {
        super("G10");
        this.cast = cast;
    }

    @Override
    public void onAnswered(ClientUpdate update, Effect.Answered answered) {
        Operation operation = update.operation();
        if (cast.correct(answered.dot().origin())
                && update.key().equals("set/" + update.client())
                && operation.name().equals("add")) {
            added.computeIfAbsent(update.key(), any -> new HashSet<>()).add(operation.argument());
        }
    }

    @Override
    public void onRest() {
        added.forEach((key, elements) -> atRest.put(key, Set.copyOf(elements)));
    }

    @Override
    public void onEnd(Ending ending) {
        for (FinalRead read : ending.reads()) {
            Set<Value> wanted = atRest.get(read.key());
            if (wanted != null && ending.unsettled().isEmpty() && read.value() instanceof Value.Sequence sequence) {
                Set<Value> present = new HashSet<>(sequence.items());
                wanted.stream()
                        .filter(element -> !present.contains(element))
                        .findFirst()
                        .ifPresent(missing -> {
                            violated("appserver " + read.server() + " lost the acknowledged element " + missing + " of "
                                    + read.key());
                        });
            }
        }
    }
}
