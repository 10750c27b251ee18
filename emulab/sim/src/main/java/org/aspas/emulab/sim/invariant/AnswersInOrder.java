package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;

/**
 * G6, the order of answers: of two answers of a correct appserver to one client the later one, by the server's own
 * sequence, never names an older certificate, whatever crashes lie between; and no sequence number is used twice. Otherwise
 * the two answers would convict the server.
 */
final class AnswersInOrder extends Invariant {
    private record Pair(int server, ClientId client) {}

    private record Answer(Hash identity, CertificateNumber certificate) {}

    private final Map<Pair, TreeMap<Long, Answer>> answersInOrder = new HashMap<>();

    AnswersInOrder() {
        super("G6");
        on(Fact.Responded.class, fact -> inOrder(fact.server(), fact.response()));
    }

    private void inOrder(int server, Signed<Response> signed) {
        Response response = signed.message();
        if (response.client().equals(ClientId.NOBODY)) {
            return; // No client: nobody can hold two such answers against each other.
        }
        TreeMap<Long, Answer> known =
                answersInOrder.computeIfAbsent(new Pair(server, response.client()), any -> new TreeMap<>());
        long sequence = response.sequence();
        Answer same = known.putIfAbsent(sequence, new Answer(signed.identity(), response.certificate()));
        if (same != null && !same.identity().equals(signed.identity())) {
            violated("appserver " + server + ", which is correct, gave two answers the number " + sequence);
        }
        var before = known.lowerEntry(sequence);
        var after = known.higherEntry(sequence);
        boolean wentBack = before != null && before.getValue().certificate().isAfter(response.certificate());
        boolean goesBack =
                after != null && response.certificate().isAfter(after.getValue().certificate());
        if (wentBack || goesBack) {
            violated("appserver " + server + ", which is correct, named certificate " + response.certificate()
                    + " in answer " + sequence + " and an older one in a later answer");
        }
    }
}
