package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.aspas.certify.message.Certificate;
import org.aspas.client.core.Effect;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * G9: a confirmed update is in every later certificate: its dot is covered, and what it added and nobody removed is in the
 * certified value.
 */
final class ConfirmedStays extends Invariant {
    private final Cast cast;
    private final Map<Integer, Long> confirmedUpTo = new HashMap<>();
    private final Map<Integer, Long> atCertificate = new HashMap<>();
    private final Map<String, Set<Value>> atRest = new HashMap<>();
    private final Map<String, Set<Value>> added = new HashMap<>();

    ConfirmedStays(Cast cast) {
        super("G9");
        this.cast = cast;
    }

    @Override
    public void onConfirmed(ClientUpdate update, Effect.Confirmed confirmed) {
        Dot dot = confirmed.dot();
        long number = confirmed.certificate().number();
        if (!confirmed.certificate().content().version().covers(dot)) {
            violated("the confirmation of " + dot + " names certificate " + number + ", which does not cover it");
        }
        confirmedUpTo.merge(dot.origin(), dot.sequence(), Math::max);
        atCertificate.merge(dot.origin(), number, Math::max);
        Operation operation = update.operation();
        if (update.key().equals("set/" + update.client()) && operation.name().equals("add")) {
            added.computeIfAbsent(update.key(), any -> new HashSet<>()).add(operation.argument());
        }
    }

    @Override
    public void onAdopted(int server, Certificate certificate) {
        confirmedUpTo.forEach((origin, sequence) -> {
            boolean later = certificate.number() >= atCertificate.getOrDefault(origin, 0L);
            if (later && !certificate.content().version().covers(new Dot(origin, sequence))) {
                violated("certificate " + certificate.number() + " lacks the confirmed update " + origin + ":"
                        + sequence);
            }
        });
    }

    @Override
    public void onRest() {
        added.forEach((key, elements) -> atRest.put(key, Set.copyOf(elements)));
    }

    @Override
    public void onEnd(Ending ending) {
        for (FinalRead read : ending.reads()) {
            Set<Value> wanted = atRest.get(read.key());
            if (wanted != null
                    && ending.unsettled().isEmpty()
                    && cast.correct(read.server())
                    && read.value() instanceof Value.Sequence sequence) {
                Set<Value> present = new HashSet<>(sequence.items());
                wanted.stream()
                        .filter(element -> !present.contains(element))
                        .findFirst()
                        .ifPresent(missing -> {
                            violated("appserver " + read.server() + " lacks the confirmed element " + missing + " of "
                                    + read.key() + (read.certified() ? " in the certified value" : ""));
                        });
            }
        }
    }
}
