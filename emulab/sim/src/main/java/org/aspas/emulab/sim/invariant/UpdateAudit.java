package org.aspas.emulab.sim.invariant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.client.core.CallId;
import org.jspecify.annotations.Nullable;

/**
 * G5, the accounts: at the end every update of every correct client is confirmed, or was refused before anything of it was
 * signed and its client told, or it is lost. An update that may take effect is not at its end. A client that crashes
 * forgets what it had not signed; what its record holds, or what left it, stays in the accounts, until the record itself is lost or old.
 *
 * <p>What a client says is held against what it sends: one content under each number, each the content of an update that it
 * was given, and nothing of an update of which it says that it never takes effect. Nothing leaves it before its disk holds it.
 */
public final class UpdateAudit extends Invariant {
    private enum State {
        OPEN,
        CONFIRMED,
        REPORTED
    }

    private static final class Account {
        final ClientUpdate update;
        State state = State.OPEN;
        boolean doubtful;
        /** What it was signed as; null before. */
        @Nullable
        RequestName name;

        Account(ClientUpdate update) {
            this.update = update;
        }

        @Override
        public String toString() {
            return name + (doubtful ? ", which may take effect, " : ", ") + update;
        }
    }

    private static final class Client {
        final Map<CallId, Account> byCall = new HashMap<>();
        final Set<CallId> open = new LinkedHashSet<>();
    }

    private final TreeMap<Integer, Client> clients = new TreeMap<>();
    private final Map<RequestName, Account> signed = new HashMap<>();
    private long confirmed;
    private long reported;
    private long forgotten;
    private long updates;

    public UpdateAudit() {
        super("G5");
        on(Fact.Submitted.class, fact -> submitted(fact.update()));
        on(Fact.Entered.class, fact -> entered(fact.update(), fact.name()));
        on(Fact.RequestSent.class, this::sent);
        on(Fact.MayTakeEffect.class, fact -> account(fact.update()).doubtful = true);
        on(Fact.Confirmed.class, fact -> confirmed(fact.update(), fact.name()));
        on(Fact.UpdateFailed.class, fact -> failed(fact.update()));
        on(Fact.UpdateForgotten.class, fact -> forgotten(fact.update()));
        on(Fact.SignedUpdateForgotten.class, fact -> unfollow(fact.update()));
        on(Fact.Ended.class, fact -> ended());
    }

    private Client client(int index) {
        return clients.computeIfAbsent(index, any -> new Client());
    }

    private Account account(ClientUpdate update) {
        Account account = client(update.client()).byCall.get(update.call());
        if (account == null) {
            throw new IllegalStateException("an update without an account: " + update);
        }
        return account;
    }

    private void submitted(ClientUpdate update) {
        updates++;
        client(update.client()).byCall.put(update.call(), new Account(update));
        client(update.client()).open.add(update.call());
    }

    private void entered(ClientUpdate update, RequestName name) {
        Account account = account(update);
        if (account.name != null || account.state != State.OPEN) {
            violated("client " + update.client() + " signs " + update + " a second time");
        }
        account.name = name;
        if (signed.putIfAbsent(name, account) != null) {
            violated("client " + update.client() + " uses " + name + " twice");
        }
    }

    private void sent(Fact.RequestSent fact) {
        int client = fact.client();
        Request request = fact.request();
        if (!fact.durable()) {
            violated("client " + client + " sends number " + request.number() + " before its disk holds it");
        }
        Account account = signed.get(RequestName.of(request));
        if (account == null) {
            violated("client " + client + " sends number " + request.number() + ", which no update has");
            return;
        }
        ClientUpdate update = account.update;
        if (!update.key().equals(request.key())
                || !update.type().equals(request.type())
                || !update.operation().equals(request.operation())) {
            violated(
                    "client " + client + " sends under number " + request.number() + " another content than " + update);
        }
    }

    private void confirmed(ClientUpdate update, RequestName name) {
        Account account = account(update);
        if (!name.equals(account.name)) {
            violated(update + " is confirmed as " + name + ", and was signed as " + account.name);
        }
        end(account, State.CONFIRMED);
        confirmed++;
    }

    private void failed(ClientUpdate update) {
        Account account = account(update);
        if (account.name != null) {
            violated("client " + update.client() + " says that " + update + " never takes effect, which it signed as "
                    + account.name);
        }
        end(account, State.REPORTED);
        reported++;
    }

    private void end(Account account, State state) {
        if (account.state != State.OPEN) {
            violated(account.update + " has two ends: " + account.state + " and " + state);
        }
        account.state = state;
        client(account.update.client()).open.remove(account.update.call());
    }

    private void forgotten(ClientUpdate update) {
        Account account = account(update);
        if (account.name != null) {
            violated("client " + update.client() + " forgot " + update + ", which it had signed as " + account.name);
        }
        client(update.client()).byCall.remove(update.call());
        unfollow(update);
    }

    /** Nobody follows it any more; whether a signed one counts is up to the servers. */
    private void unfollow(ClientUpdate update) {
        client(update.client()).open.remove(update.call());
        updates--;
        forgotten++;
    }

    @Override
    public List<String> waiting() {
        List<String> open = new ArrayList<>();
        clients.forEach((index, client) -> {
            if (!client.open.isEmpty()) {
                open.add("client " + index + " has " + client.open.size() + " updates without an end, the first is "
                        + client.byCall.get(client.open.iterator().next()));
            }
        });
        return open;
    }

    private void ended() {
        if (!waiting().isEmpty()) {
            violated(lost() + " updates are lost: " + String.join("; ", waiting()));
        }
        if (updates != confirmed + reported + lost()) {
            violated("of " + updates + " updates " + confirmed + " are confirmed, " + reported + " reported and "
                    + lost() + " lost");
        }
    }

    /** How many updates correct clients were given, but for those that they forgot. */
    public long updates() {
        return updates;
    }

    public long confirmed() {
        return confirmed;
    }

    /** How many of them were refused before anything was signed, and their clients told. */
    public long reported() {
        return reported;
    }

    /** How many of them are neither confirmed nor reported. */
    public long lost() {
        return clients.values().stream().mapToLong(client -> client.open.size()).sum();
    }

    /** How many more updates clients forgot: in a crash before they signed them, or with their record. */
    public long forgotten() {
        return forgotten;
    }
}
