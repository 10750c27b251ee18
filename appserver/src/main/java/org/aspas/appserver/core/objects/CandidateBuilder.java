package org.aspas.appserver.core.objects;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.certify.codec.StateLeaves;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.message.Request;
import org.aspas.certify.state.StateTree;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;

/**
 * Computes the state at the next certified version. The entries are applied in the {@link CanonicalOrder}, so every server
 * gets the same state, whatever the order of its deliveries. Entries that wait for each other have no place in it: the
 * candidate ends before them. For each client and number the least identity counts, at its first place in that order; its later
 * entries are further names of the same effect.
 */
final class CandidateBuilder {
    private record Numbered(ClientId client, long number) {}

    private final ObjectStore store;
    private final Candidate candidate;
    private final Map<Numbered, Hash> least = new HashMap<>();

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
        Map<Hash, Hash> leaves = new HashMap<>();
        candidate.objects.forEach((name, state) -> {
            Hash digest = StateLeaves.stateDigest(state.state());
            candidate.digests.put(name, digest);
            leaves.put(
                    StateTree.objectPath(name.key()),
                    StateLeaves.object(name.key(), name.type(), state.value(), digest));
        });
        candidate.clients.forEach((client, change) -> leaves.put(ObjectStore.path(client), change.leaf()));
        candidate.tree = store.tree().putAll(leaves);
        return candidate;
    }

    private void survey(Entry entry) {
        if (!(entry.body().message() instanceof Request request) || store.counts(request.client(), request.number())) {
            return;
        }
        Numbered numbered = new Numbered(request.client(), request.number());
        least.merge(numbered, entry.body().identity(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
        if (effective(request) && store.certifiedType(request.key()).isEmpty()) {
            candidate.newTypes.merge(request.key(), request.type(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
        }
    }

    private void apply(Entry entry) {
        if (entry.body().message() instanceof OpenSession session) {
            change(session.client()).open(session);
        } else if (entry.body().message() instanceof Request request) {
            apply(new Update(entry, request, entry.body().identity()));
        }
    }

    private void apply(Update update) {
        Request request = update.request();
        ClientRecord.Change client = change(request.client());
        if (client.counts(request.number())) {
            client.find(request.number())
                    .filter(counted -> counted.identity().equals(update.identity()))
                    .ifPresent(counted -> object(request)
                            .ifPresent(state -> state.alias(request.operation(), counted.dot(), update.dot())));
            return;
        }
        Hash winner = least.get(new Numbered(request.client(), request.number()));
        if (update.identity().equals(winner)) {
            client.count(new Counted(request.number(), update.dot(), update.identity()));
            if (effective(request) && store.fits(request)) {
                object(request).ifPresent(state -> state.apply(update.tagged()));
            }
        }
    }

    private ClientRecord.Change change(ClientId client) {
        return candidate.clients.computeIfAbsent(client, id -> new ClientRecord.Change(id, store.record(id)));
    }

    /** The state that a request works on, unless the request has no effect. */
    private Optional<Crdt> object(Request request) {
        String type = store.certifiedType(request.key()).orElse(candidate.newTypes.get(request.key()));
        if (!effective(request) || !request.type().equals(type)) {
            return Optional.empty();
        }
        ObjectKey name = new ObjectKey(request.key(), request.type());
        return Optional.of(candidate.objects.computeIfAbsent(name, store::copyOfBase));
    }

    private static boolean effective(Request request) {
        Optional<DataType> type = DataTypes.byName(request.type());
        return type.isPresent() && type.get().check(request.operation()).isEmpty();
    }
}
