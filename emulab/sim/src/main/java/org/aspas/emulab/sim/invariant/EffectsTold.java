package org.aspas.emulab.sim.invariant;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.aspas.client.core.ClientEvent;

/**
 * G7, what a client says of effects: a confirmed update of which it has proof that it has no effect is one whose key the
 * reference model knows with another type; and every such update is told, unless the client crashed, or has ever been at a
 * Byzantine server, which may keep the hint to itself.
 */
final class EffectsTold extends Invariant {
    private record Told(int client, long number) {}

    private record Confirmed(ClientUpdate update, long number) {}

    private final Participants participants;
    private final Reference reference;
    private final List<Confirmed> confirmed = new ArrayList<>();
    private final Set<Told> told = new HashSet<>();
    private final Set<Integer> forgetful = new HashSet<>();

    EffectsTold(Participants participants, Reference reference) {
        super("G7");
        this.participants = participants;
        this.reference = reference;
        on(Fact.ClientStopped.class, fact -> forgetful.add(fact.client()));
        on(
                Fact.Confirmed.class,
                fact -> confirmed.add(new Confirmed(fact.update(), fact.name().number())));
        on(Fact.WithoutEffect.class, fact -> told(fact.client(), fact.event()));
        on(Fact.Ended.class, fact -> allTold());
    }

    private void told(int client, ClientEvent.WithoutEffect event) {
        told.add(new Told(client, event.number()));
        if (event.proved() && event.type().equals(reference.objects().get(event.key()))) {
            violated("client " + client + " says that number " + event.number() + " has no effect, and " + event.key()
                    + " is of its type");
        }
    }

    private void allTold() {
        Map<String, String> types = reference.objects();
        for (Confirmed one : confirmed) {
            ClientUpdate update = one.update();
            String type = types.getOrDefault(update.key(), update.type());
            boolean mustBeTold = participants.atCorrectServer(update.client()) && !forgetful.contains(update.client());
            if (mustBeTold && !type.equals(update.type()) && !told.contains(new Told(update.client(), one.number()))) {
                violated(update + " has no effect, for " + update.key() + " is a " + type
                        + ", and its client does not say so");
            }
        }
    }
}
