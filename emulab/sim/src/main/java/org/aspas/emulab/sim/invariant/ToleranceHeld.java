package org.aspas.emulab.sim.invariant;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.RequestName;

/**
 * τ, of docs/protocol.md §6, judged by what leaves a correct client: at no moment are more than τ of its updates sent, to
 * whichever servers, and not confirmed; so after τ was lowered nothing new leaves before fewer are. With τ = 1 the
 * application gets an answer only together with its confirmation. Every session record names the τ that the application
 * has set, and in the end the newest one is what the client has.
 */
final class ToleranceHeld extends Invariant {
    private static final class Client {
        long tolerance;
        final Set<RequestName> sent = new HashSet<>();
        final Set<RequestName> unconfirmed = new HashSet<>();
        final Set<RequestName> answeredAlone = new HashSet<>();
        long told = -1;
    }

    private final Map<Integer, Client> clients = new TreeMap<>();

    ToleranceHeld() {
        super("TAU");
        on(Fact.ToleranceSet.class, fact -> client(fact.client()).tolerance = fact.tolerance());
        on(Fact.SessionRecordSent.class, fact -> recordSent(fact.client(), fact.record()));
        on(Fact.RequestSent.class, fact -> sent(fact.client(), RequestName.of(fact.request())));
        on(Fact.Answered.class, fact -> {
            Client one = client(fact.update().client());
            if (one.tolerance == 1) {
                one.answeredAlone.add(fact.name());
            }
        });
        on(Fact.Confirmed.class, fact -> {
            Client one = client(fact.update().client());
            one.unconfirmed.remove(fact.name());
            one.answeredAlone.remove(fact.name());
        });
        // What is not in the record may be under way for ever, and no client knows.
        on(Fact.RecordReplaced.class, fact -> client(fact.client()).unconfirmed.retainAll(fact.held()));
        on(Fact.OthersConfirmed.class, fact -> client(fact.client()).unconfirmed.remove(fact.name()));
        on(Fact.StepDone.class, fact -> stepDone(fact.client()));
        on(Fact.Ended.class, fact -> ended());
    }

    private Client client(int index) {
        return clients.computeIfAbsent(index, any -> new Client());
    }

    private void recordSent(int client, OpenSession record) {
        Client one = client(client);
        one.told = record.tolerance();
        if (record.tolerance() != one.tolerance) {
            violated("client " + client + " tells its server τ = " + record.tolerance() + ", its application set "
                    + one.tolerance);
        }
    }

    private void sent(int client, RequestName name) {
        Client one = client(client);
        if (one.sent.add(name)) {
            one.unconfirmed.add(name);
            if (one.tolerance > 0 && one.unconfirmed.size() > one.tolerance) {
                violated("client " + client + " has " + one.unconfirmed.size() + " unconfirmed updates under way, τ = "
                        + one.tolerance);
            }
        }
    }

    private void stepDone(int client) {
        Client one = client(client);
        if (!one.answeredAlone.isEmpty()) {
            violated("client " + client + " has τ = 1 and tells its application an answer to number "
                    + one.answeredAlone.iterator().next() + " without its confirmation");
            one.answeredAlone.clear();
        }
    }

    private void ended() {
        clients.forEach((index, client) -> {
            if (client.told >= 0 && client.told != client.tolerance) {
                violated("client " + index + " never told a server τ = " + client.tolerance);
            }
        });
    }
}
