package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.Map;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.client.core.CallId;

/**
 * G9 for who reads: what a client saw certified before it asked is in what it reads. No certified read is of an older certificate than one
 * that confirmed an update of this client, or that it read from, before it asked.
 */
final class ReadsAreNew extends Invariant {
    private record Read(int client, CallId call) {}

    /** Of each client, the newest certificate that it saw. */
    private final Map<Integer, Long> seen = new HashMap<>();

    private final Map<Read, Long> seenWhenAsked = new HashMap<>();

    ReadsAreNew() {
        super("G9");
        on(
                Fact.Confirmed.class,
                fact -> seen.merge(
                        fact.update().client(),
                        fact.effect().certificate().number().value(),
                        Math::max));
        on(
                Fact.ReadAsked.class,
                fact -> seenWhenAsked.put(
                        new Read(fact.client(), fact.asked().call()), seen.getOrDefault(fact.client(), 0L)));
        on(Fact.ReadDone.class, this::read);
        on(Fact.ClientStopped.class, fact -> stopped(fact.client()));
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
