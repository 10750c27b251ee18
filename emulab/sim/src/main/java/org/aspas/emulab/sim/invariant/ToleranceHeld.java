package org.aspas.emulab.sim.invariant;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.client.core.Effect;

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
    }

    private Client client(int index) {
        return clients.computeIfAbsent(index, any -> new Client());
    }

    @Override
    public void onTolerance(int client, long tolerance) {
        client(client).tolerance = tolerance;
    }

    @Override
    public void onSessionRecord(int client, OpenSession record) {
        Client one = client(client);
        one.told = record.tolerance();
        if (record.tolerance() != one.tolerance) {
            violated("client " + client + " tells its server τ = " + record.tolerance() + ", its application set "
                    + one.tolerance);
        }
    }

    @Override
    public void onSent(int client, Request request, boolean durable) {
        Client one = client(client);
        RequestName name = RequestName.of(request);
        if (one.sent.add(name)) {
            one.unconfirmed.add(name);
            if (one.tolerance > 0 && one.unconfirmed.size() > one.tolerance) {
                violated("client " + client + " has " + one.unconfirmed.size() + " unconfirmed updates under way, τ = "
                        + one.tolerance);
            }
        }
    }

    @Override
    public void onAnswered(ClientUpdate update, Effect.Answered answered) {
        if (client(update.client()).tolerance == 1) {
            client(update.client()).answeredAlone.add(new RequestName(answered.client(), answered.number()));
        }
    }

    @Override
    public void onConfirmed(ClientUpdate update, Effect.Confirmed confirmed) {
        RequestName name = new RequestName(confirmed.client(), confirmed.number());
        client(update.client()).unconfirmed.remove(name);
        client(update.client()).answeredAlone.remove(name);
    }

    /** What is not in it may be under way for ever, and no client knows. */
    @Override
    public void onRecordReplaced(int client, Set<RequestName> held) {
        client(client).unconfirmed.retainAll(held);
    }

    @Override
    public void onAnothersConfirmed(int client, RequestName name) {
        client(client).unconfirmed.remove(name);
    }

    @Override
    public void onClientStep(int client) {
        Client one = client(client);
        if (!one.answeredAlone.isEmpty()) {
            violated("client " + client + " has τ = 1 and tells its application an answer to number "
                    + one.answeredAlone.iterator().next() + " without its confirmation");
            one.answeredAlone.clear();
        }
    }

    @Override
    public void onEnd(Ending ending) {
        clients.forEach((index, client) -> {
            if (client.told >= 0 && client.told != client.tolerance) {
                violated("client " + index + " never told a server τ = " + client.tolerance);
            }
        });
    }
}
