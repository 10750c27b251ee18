package org.aspas.appserver.core.objects;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Counted;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.message.Request;
import org.aspas.certify.state.TreeLeaf;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;

/**
 * Computes the state at the next certified version. The entries are applied in the {@link CanonicalOrder}, so every server
 * gets the same state, whatever the order of its deliveries. Entries that wait for each other have no place in it: the
 * candidate ends before them. For each client and number the least identity counts, at its first place in that order; its later
 * entries are further names of the same effect.
 */
final class CandidateBuilder {
    private final ObjectStore store;
    private final Candidate candidate;
    private final Map<Numbered, Hash> least = new HashMap<>();
    private final Map<ObjectKey, Crdt> states = new HashMap<>();

    CandidateBuilder(ObjectStore store, VersionVector certified, List<Entry> unordered) {
        this.store = store;
        List<Entry> range = CanonicalOrder.of(unordered);
        VersionVector reached = certified;
        for (Entry entry : range) {
            reached = reached.with(entry.dot().origin(), entry.dot().sequence());
        }
        this.candidate = new Candidate(reached, List.copyOf(range));
    }

    Candidate build() {
        candidate.range.forEach(this::survey);
        candidate.range.forEach(this::apply);
        List<TreeLeaf> leaves = new ArrayList<>(states.size() + candidate.clients.size());
        states.forEach((name, state) -> {
            CertifiedObject object = store.certified(name).next(state, candidate.changed.getOrDefault(name, Set.of()));
            candidate.objects.put(name, object);
            leaves.add(ObjectLeaf.of(name, object));
        });
        candidate.clients.values().forEach(change -> leaves.add(change.leaf()));
        candidate.tree = store.tree().putAll(leaves);
        return candidate;
    }

    private void survey(Entry entry) {
        if (!(entry.body().message() instanceof Request request)
                || !change(request.client()).mayCount(request.number())) {
            return;
        }
        Numbered numbered = Numbered.of(request);
        least.merge(numbered, entry.body().identity(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
        if (store.certifiedType(request.key()).isEmpty() && UpdateEffect.valid(request, request.type())) {
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
        Hash winner = least.get(Numbered.of(request));
        if (!update.identity().equals(winner)) {
            return Optional.empty();
        }
        client.count(update.counted());
        return Optional.of(update.counted());
    }

    private void apply(DeliveredUpdate update, Counted counting) {
        Request request = update.request();
        if (valid(request)) {
            ObjectKey name = update.object();
            UpdateEffect.of(update, counting, store.certified(name).state())
                    .ifPresent(effect -> candidate
                            .changed
                            .computeIfAbsent(name, any -> new HashSet<>())
                            .addAll(effect.on(states.computeIfAbsent(
                                    name, any -> store.certified(name).copy()))));
        }
    }

    private boolean valid(Request request) {
        Optional<String> type = store.certifiedType(request.key());
        String settled = type.orElse(candidate.newTypes.get(request.key()));
        return settled != null && UpdateEffect.valid(request, settled);
    }

    private CertifiedClient.Change change(ClientId client) {
        return candidate.clients.computeIfAbsent(client, store.requests()::change);
    }
}
