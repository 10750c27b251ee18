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
    private final Map<Numbered, Hash> least = new HashMap<>();
    private final Map<ObjectKey, Work> works = new HashMap<>();

    /** An object that updates name, which may be of no known type, and what those that have an effect make of it. */
    private static final class Work {
        /** The type that a certificate has for its key; null for none. */
        final @Nullable String certifiedType;

        final Set<Value> changed = new HashSet<>();

        /** Both are null as long as no update has an effect. */
        @Nullable
        CertifiedObject base;

        @Nullable
        Crdt state;

        Work(@Nullable String certifiedType) {
            this.certifiedType = certifiedType;
        }

        void apply(UpdateEffect effect, CertifiedObject certified) {
            Crdt changing = state;
            if (changing == null) {
                base = certified;
                changing = certified.copy();
                state = changing;
            }
            changed.addAll(effect.on(changing));
        }
    }

    CandidateBuilder(ObjectStore store, VersionVector certified, List<Entry> unordered) {
        this.store = store;
        List<Entry> range = CanonicalOrder.of(unordered);
        long[] reached = certified.toArray();
        for (Entry entry : range) {
            reached[entry.dot().origin()] = entry.dot().sequence();
        }
        this.candidate = new Candidate(VersionVector.of(reached), List.copyOf(range), works.keySet());
    }

    Candidate build() {
        candidate.range.forEach(this::survey);
        candidate.range.forEach(this::apply);
        List<TreeLeaf> leaves = new ArrayList<>(works.size() + candidate.clients.size());
        works.forEach((name, work) -> {
            if (work.base != null && work.state != null) {
                CertifiedObject object = work.base.next(work.state, work.changed);
                candidate.objects.put(name, object);
                candidate.changed.put(name, work.changed);
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
        Work work = work(request);
        if (!change(request.client()).mayCount(request.number())) {
            return;
        }
        least.merge(Numbered.of(request), entry.body().identity(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
        if (work.certifiedType == null && UpdateEffect.valid(request, request.type())) {
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
        Work work = work(request);
        String settled = work.certifiedType == null ? candidate.newTypes.get(request.key()) : work.certifiedType;
        if (settled != null && UpdateEffect.valid(request, settled)) {
            CertifiedObject base = work.base == null ? store.certified(update.object()) : work.base;
            UpdateEffect.of(update, counting, base.state()).ifPresent(effect -> work.apply(effect, base));
        }
    }

    private Work work(Request request) {
        return works.computeIfAbsent(
                new ObjectKey(request.key(), request.type()),
                name -> new Work(store.certifiedType(name.key()).orElse(null)));
    }

    private CertifiedClient.Change change(ClientId client) {
        return candidate.clients.computeIfAbsent(client, store.requests()::change);
    }
}
