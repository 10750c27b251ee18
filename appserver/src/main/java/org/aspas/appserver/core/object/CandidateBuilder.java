package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.TreeLeaf;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * Computes the state at the next certified version. The entries are applied in the {@link CanonicalOrder}, so every server
 * gets the same state, whatever the order of its deliveries. Entries that wait for each other have no place in it: the
 * candidate ends before them. For each client and number the least identity counts, at its first place in that order; its later
 * entries are further names of the same effect.
 */
final class CandidateBuilder {
    private final ObjectStore store;
    private final Candidate candidate;
    private final Map<RequestId, Hash> least = new HashMap<>();
    private final Map<ObjectKey, Named> objects = new HashMap<>();

    /** An object that updates name; its type may be unknown. */
    private static final class Named {
        /** The type that a certificate has for its key; null for none. */
        final @Nullable String certifiedType;

        /** What updates with an effect make of it; null as long as there is none. */
        @Nullable
        Changing changing;

        Named(@Nullable String certifiedType) {
            this.certifiedType = certifiedType;
        }
    }

    /** An object that changes: what it is before, what it becomes, and the elements that may have changed. */
    private record Changing(CertifiedObject base, Crdt state, Set<Value> elements) {
        static Changing of(CertifiedObject base) {
            return new Changing(base, base.copy(), new HashSet<>());
        }
    }

    CandidateBuilder(ObjectStore store, VersionVector certified, List<Entry> unordered) {
        this.store = store;
        List<Entry> range = CanonicalOrder.of(unordered);
        long[] reached = certified.toArray();
        for (Entry entry : range) {
            reached[entry.dot().origin()] = entry.dot().sequence();
        }
        this.candidate = new Candidate(VersionVector.of(reached), List.copyOf(range));
    }

    Candidate build() {
        candidate.range.forEach(this::survey);
        candidate.range.forEach(this::apply);
        List<TreeLeaf> leaves = new ArrayList<>(objects.size() + candidate.clients.size());
        objects.forEach((name, named) -> {
            Changing changing = named.changing;
            if (changing != null) {
                CertifiedObject object = changing.base().next(changing.state(), changing.elements());
                candidate.objects.put(name, object);
                candidate.changed.put(name, changing.elements());
                leaves.add(ObjectLeaf.of(name, object));
            }
        });
        candidate.clients.values().forEach(change -> leaves.add(change.leaf()));
        candidate.tree = store.tree().putAll(leaves);
        return candidate;
    }

    private void survey(Entry entry) {
        if (!(entry.body().message() instanceof Request request)) {
            return;
        }
        Named object = object(request);
        if (!change(request.client()).mayCount(request.number())) {
            return;
        }
        least.merge(RequestId.of(request), entry.body().identity(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
        if (object.certifiedType == null && UpdateEffect.valid(request, request.type())) {
            candidate.newTypes.merge(request.key(), request.type(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
        }
    }

    private void apply(Entry entry) {
        if (entry.body().message() instanceof OpenSession session) {
            change(session.client()).open(session);
        } else if (entry.body().message() instanceof Request request) {
            DeliveredUpdate update = DeliveredUpdate.of(entry, request);
            counting(update).ifPresent(counting -> apply(update, counting));
        }
    }

    /** The entry that counts for an update's number: this one if it is the first with the least identity. */
    private Optional<Counted> counting(DeliveredUpdate update) {
        Request request = update.request();
        CertifiedClient.Change client = change(request.client());
        if (client.counts(request.number())) {
            return client.find(request.number());
        }
        if (!client.mayCount(request.number())) {
            candidate.uncounted.add(update);
            return Optional.empty();
        }
        Hash winner = least.get(RequestId.of(request));
        if (!update.identity().equals(winner)) {
            return Optional.empty();
        }
        client.count(update.counted());
        return Optional.of(update.counted());
    }

    private void apply(DeliveredUpdate update, Counted counting) {
        Request request = update.request();
        Named object = object(request);
        if (valid(object, request)) {
            Changing known = object.changing;
            CertifiedObject base = known == null ? store.certified(update.object()) : known.base();
            UpdateEffect.of(update, counting, base.state()).ifPresent(effect -> {
                Changing changing = known == null ? Changing.of(base) : known;
                object.changing = changing;
                changing.elements().addAll(effect.on(changing.state()));
            });
        }
    }

    private boolean valid(Named object, Request request) {
        String settled = object.certifiedType == null ? candidate.newTypes.get(request.key()) : object.certifiedType;
        return settled != null && UpdateEffect.valid(request, settled);
    }

    private Named object(Request request) {
        return objects.computeIfAbsent(new ObjectKey(request.key(), request.type()), name -> {
            candidate.updated.add(name);
            return new Named(store.certifiedType(name.key()).orElse(null));
        });
    }

    private CertifiedClient.Change change(ClientId client) {
        return candidate.clients.computeIfAbsent(client, store.requests()::change);
    }
}
