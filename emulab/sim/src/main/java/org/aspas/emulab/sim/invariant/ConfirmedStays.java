package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Request;
import org.aspas.client.core.CallId;
import org.aspas.client.core.Effect;
import org.aspas.crdt.clock.Dot;
import org.aspas.emulab.sim.model.CountedUpdate;

/**
 * G9: a confirmed update is in every later certificate: its dot is covered, and by the reference model the update, with
 * the operation that the application asked for, has counted in the certificate that confirms it or in one before. The model
 * takes nothing back, and all later state roots are compared with it (G2), so the effect stays. For who reads: what a client
 * saw certified before it asked is in what it reads. No certified read is of an older certificate than one that confirmed an update of this
 * client, or that it read from, before it asked.
 */
final class ConfirmedStays extends Invariant {
    private record Read(int client, CallId call) {}

    private final Reference reference;
    private final Map<Integer, Long> confirmedUpTo = new HashMap<>();
    private final Map<Integer, Long> atCertificate = new HashMap<>();
    /** Of each client, the newest certificate that it saw. */
    private final Map<Integer, Long> seen = new HashMap<>();

    private final Map<Read, Long> seenWhenAsked = new HashMap<>();

    ConfirmedStays(Reference reference) {
        super("G9");
        this.reference = reference;
        on(Fact.Confirmed.class, fact -> confirmed(fact.update(), fact.effect()));
        on(Fact.Adopted.class, fact -> adopted(fact.certificate()));
        on(
                Fact.ReadAsked.class,
                fact -> seenWhenAsked.put(
                        new Read(fact.client(), fact.asked().call()), seen.getOrDefault(fact.client(), 0L)));
        on(Fact.ReadDone.class, this::read);
        on(Fact.ClientStopped.class, fact -> stopped(fact.client()));
    }

    private void confirmed(ClientUpdate update, Effect.Confirmed confirmed) {
        Dot dot = confirmed.dot();
        CertificateContent content = confirmed.certificate().content();
        if (!content.version().covers(dot)) {
            violated("the confirmation of " + dot + " names certificate " + content.number()
                    + ", which does not cover it");
        }
        Optional<CertificateContent> known =
                reference.model().content(content.number().value());
        if (!known.equals(Optional.of(content))) {
            violated("certificate " + content.number() + ", which confirms " + dot
                    + ", is not the one that correct bftservers signed");
        }
        effect(update, confirmed, content.number().value());
        confirmedUpTo.merge(dot.origin(), dot.sequence(), Math::max);
        atCertificate.merge(dot.origin(), content.number().value(), Math::max);
        seen.merge(update.client(), content.number().value(), Math::max);
    }

    private void effect(ClientUpdate update, Effect.Confirmed confirmed, long number) {
        Optional<CountedUpdate> counted = reference.counted(confirmed.client(), confirmed.number());
        String name = "update " + confirmed.number() + " of client " + update.client() + ", confirmed at "
                + confirmed.dot() + " by certificate " + number + ",";
        if (counted.isEmpty() || counted.get().certificate() > number) {
            violated(name + " has not counted there");
        } else if (!asks(counted.get().request(), update)) {
            violated(name + " is " + update.operation() + " of " + update.key() + ", and what counted is "
                    + counted.get().request());
        } else if (!counted.get().isAt(confirmed.dot())) {
            violated(
                    name + " is at other places: it counted at " + counted.get().dot());
        }
    }

    private static boolean asks(Request request, ClientUpdate update) {
        return request.key().equals(update.key())
                && request.type().equals(update.type())
                && request.operation().equals(update.operation());
    }

    private void adopted(Certificate certificate) {
        confirmedUpTo.forEach((origin, sequence) -> {
            boolean later = certificate.number().value() >= atCertificate.getOrDefault(origin, 0L);
            if (later && !certificate.content().version().covers(new Dot(origin, sequence))) {
                violated("certificate " + certificate.number() + " lacks the confirmed update " + origin + ":"
                        + sequence);
            }
        });
    }

    private void read(Fact.ReadDone fact) {
        Long floor = seenWhenAsked.remove(new Read(fact.client(), fact.asked().call()));
        if (!fact.asked().certified()) {
            return;
        }
        CertificateNumber number = fact.done().certificateNumber();
        if (floor != null && number.value() < floor) {
            violated("client " + fact.client() + " read " + fact.asked().key() + " of certificate " + number
                    + ", after it had seen certificate " + floor);
        }
        seen.merge(fact.client(), number.value(), Math::max);
    }

    /** The record with which a client comes back may be an older one. */
    private void stopped(int client) {
        seen.remove(client);
        seenWhenAsked.keySet().removeIf(read -> read.client() == client);
    }
}
