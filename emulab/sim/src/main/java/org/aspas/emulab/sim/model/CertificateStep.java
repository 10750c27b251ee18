package org.aspas.emulab.sim.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;

/** What the entries of one certificate do to objects and clients (docs/formats.md §6, §7; docs/protocol.md §9). */
final class CertificateStep {
    private record RequestId(ClientId client, long number) {}

    private final Map<String, ModelObject> objects;
    private final Map<ClientId, ClientAccount> clients;
    private final long number;
    private final StateMap state;
    private final Map<RequestId, Hash> winners = new HashMap<>();
    private final Map<String, Meaning> newTypes = new HashMap<>();
    private final Set<String> touched = new HashSet<>();
    private final Set<ClientId> heard = new HashSet<>();
    private final List<CountedUpdate> counted = new ArrayList<>();

    /** A step that makes this certificate and changes these objects and clients. */
    CertificateStep(
            Map<String, ModelObject> objects, Map<ClientId, ClientAccount> clients, long number, StateMap state) {
        this.objects = objects;
        this.clients = clients;
        this.number = number;
        this.state = state;
    }

    /** Takes the entries in canonical order. */
    void take(List<PlacedEntry> ordered) {
        for (PlacedEntry entry : ordered) {
            if (entry.words() instanceof Request request && isNew(request)) {
                winners.merge(numbered(request), entry.identity(), CertificateStep::least);
                Optional<Meaning> meaning = admitted(request);
                if (meaning.isPresent() && !objects.containsKey(request.key())) {
                    newTypes.merge(request.key(), meaning.get(), CertificateStep::leastName);
                }
            }
        }
        ordered.forEach(this::take);
        objects.forEach((key, object) -> {
            if (touched.contains(key)) {
                object.settle();
                state.put(object.path(), object.leaf());
            }
        });
        for (ClientId client : heard) {
            ClientAccount account = account(client);
            account.settle();
            state.put(account.path(), account.leaf());
        }
    }

    /** The updates that counted, in the order of counting. */
    List<CountedUpdate> counted() {
        return List.copyOf(counted);
    }

    private static RequestId numbered(Request request) {
        return new RequestId(request.client(), request.number());
    }

    private static Hash least(Hash one, Hash other) {
        return Arrays.compareUnsigned(one.toBytes(), other.toBytes()) <= 0 ? one : other;
    }

    private static Meaning leastName(Meaning one, Meaning other) {
        return Meaning.ALL.indexOf(one) <= Meaning.ALL.indexOf(other) ? one : other;
    }

    /** Whether no certificate before this one counted the request's number, and this one may. */
    private boolean isNew(Request request) {
        ClientAccount account = account(request.client());
        return account.counted(request.number()).isEmpty() && account.mayCount(request.number());
    }

    private static Optional<Meaning> admitted(Request request) {
        return Meaning.of(request.type()).filter(meaning -> meaning.admits(request.operation()));
    }

    private ClientAccount account(ClientId client) {
        return clients.computeIfAbsent(client, ClientAccount::new);
    }

    private void take(PlacedEntry entry) {
        ClientAccount account = account(entry.client());
        heard.add(entry.client());
        if (entry.words() instanceof OpenSession session) {
            account.open(session);
            return;
        }
        Request request = (Request) entry.words();
        Optional<CountedUpdate> known = account.counted(request.number());
        if (known.isPresent()) {
            anotherPlace(account, known.get(), entry);
        } else if (entry.identity().equals(winners.get(numbered(request)))) {
            CountedUpdate update = new CountedUpdate(entry, request, number);
            account.count(update);
            counted.add(update);
            effect(update);
        }
    }

    private void anotherPlace(ClientAccount account, CountedUpdate known, PlacedEntry entry) {
        if (known.identity().equals(entry.identity()) && account.remembers(known, number)) {
            known.alias(entry.dot(), number);
            object(known.request())
                    .ifPresent(object -> touched.add(known.request().key()));
        }
    }

    private void effect(CountedUpdate update) {
        Request request = update.request();
        object(request).filter(object -> object.takes(request.operation())).ifPresent(object -> {
            object.add(update);
            touched.add(request.key());
        });
    }

    /** The object that a request works on, unless it is of another type, or the operation none of the type. */
    private Optional<ModelObject> object(Request request) {
        Optional<Meaning> meaning = admitted(request);
        if (meaning.isEmpty()) {
            return Optional.empty();
        }
        Meaning unsettled = newTypes.get(request.key());
        if (unsettled != null && unsettled.type().equals(request.type())) {
            objects.computeIfAbsent(request.key(), key -> new ModelObject(key, unsettled, number));
        }
        return Optional.ofNullable(objects.get(request.key()))
                .filter(object -> object.type().equals(request.type()));
    }
}
