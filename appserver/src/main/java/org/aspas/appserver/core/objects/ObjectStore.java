package org.aspas.appserver.core.objects;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.ObjectProof;
import org.aspas.certify.message.Request;
import org.aspas.certify.state.StateTree;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * All objects and client records. The certified part is a function of the certified entries; the live views show every
 * delivered entry, each update once. For one thread.
 */
public final class ObjectStore {
    /** The delivered, uncertified entries of one request number: the first is in the live view if it has any effect. */
    private static final class Slot {
        final Update applied;
        final List<Update> others = new ArrayList<>(0);

        Slot(Update applied) {
            this.applied = applied;
        }
    }

    /** For how many of the newest certificates the states of objects are kept, so that answers can be inspected. */
    static final long REMEMBERED_STATES = 32;

    /**
     * A certified state of so many bytes or more ({@link org.aspas.crdt.type.CrdtView#bytes}) is full: operations that would
     * make it grow have no effect, up to the certificate with which it is smaller (docs/formats.md, §7).
     */
    public static final long FULL_BYTES = 1 << 20;

    private record Change(long until, StoredObject object) {}

    private final Map<ObjectKey, StoredObject> objects = new HashMap<>();
    private final Map<String, String> types = new HashMap<>();
    private final Map<ClientId, ClientRecord> clients = new HashMap<>();
    private final Map<ClientId, Map<Long, Slot>> slots = new HashMap<>();
    private final ArrayDeque<Change> changed = new ArrayDeque<>();
    private StateTree tree = StateTree.empty();
    private long certificate;

    /** The number of objects. */
    public int size() {
        return objects.size();
    }

    /** The type of the object under a key, certified or not yet. */
    public Optional<String> type(String key) {
        return Optional.ofNullable(types.get(key));
    }

    /** The live value of an object; that of a fresh object when there is none. The type must exist. */
    public Value liveValue(String key, String type) {
        StoredObject object = objects.get(new ObjectKey(key, type));
        return object == null ? fresh(type).value() : object.live.value();
    }

    /** The certified value of an object; that of a fresh object when there is none. The type must exist. */
    public Value certifiedValue(String key, String type) {
        StoredObject object = objects.get(new ObjectKey(key, type));
        return object == null ? fresh(type).value() : object.base.value();
    }

    /** The size of an object in bytes, live or certified, whichever is more; 0 when there is none. */
    public long bytes(String key, String type) {
        StoredObject object = objects.get(new ObjectKey(key, type));
        return object == null ? 0 : Math.max(object.live.bytes(), object.base.bytes());
    }

    /** Proves the certified value of an object, or its absence, against the certified state root. */
    public ObjectProof prove(String key, String type) {
        StoredObject object = objects.get(new ObjectKey(key, type));
        Hash digest = object == null ? null : object.stateDigest;
        return new ObjectProof(digest == null ? null : type, digest, tree.prove(StateTree.objectPath(key)));
    }

    /** The entry that counts for a certified request number, unless it lies too far back. */
    public Optional<Counted> counted(ClientId client, long number) {
        ClientRecord record = clients.get(client);
        return record == null ? Optional.empty() : Optional.ofNullable(record.recent.get(number));
    }

    /**
     * An entry that carries exactly this request: the one that counts if the request is certified, else a delivered one.
     *
     * @param identity the hash of the signed request
     */
    public Optional<Dot> holding(ClientId client, long number, Hash identity) {
        Optional<Counted> counted =
                counted(client, number).filter(one -> one.identity().equals(identity));
        if (counted.isPresent()) {
            return counted.map(Counted::dot);
        }
        Slot slot = slots.getOrDefault(client, Map.of()).get(number);
        if (slot == null) {
            return Optional.empty();
        }
        return slot.applied.identity().equals(identity)
                ? Optional.of(slot.applied.dot())
                : slot.others.stream()
                        .filter(other -> other.identity().equals(identity))
                        .map(Update::dot)
                        .findFirst();
    }

    /** A delivered, uncertified update of the same client and number with another content. */
    public Optional<Update> rival(Update update) {
        Slot slot = slots.getOrDefault(update.request().client(), Map.of())
                .get(update.request().number());
        return slot == null || slot.applied.identity().equals(update.identity())
                ? Optional.empty()
                : Optional.of(slot.applied);
    }

    /** Whether some delivered or certified entry has a request number of the client. */
    public boolean knows(ClientId client, long number) {
        return counts(client, number) || slots.getOrDefault(client, Map.of()).containsKey(number);
    }

    /**
     * Takes the delivered entries of an origin beyond a cut out of the live views (the protocol page, docs/protocol.md §8).
     * None of them may be certified.
     */
    public void revoke(int origin, long cut) {
        Predicate<Update> gone =
                update -> update.dot().origin() == origin && update.dot().sequence() > cut;
        Set<ObjectKey> affected = new LinkedHashSet<>();
        objects.forEach((name, object) -> {
            if (object.suffix.removeIf(gone)) {
                affected.add(name);
            }
        });
        slots.values().forEach(ofClient -> {
            ofClient.values().removeIf(slot -> {
                slot.others.removeIf(gone);
                return gone.test(slot.applied) && slot.others.isEmpty();
            });
            ofClient.replaceAll((number, slot) -> gone.test(slot.applied) ? promoted(slot, affected) : slot);
        });
        slots.values().removeIf(Map::isEmpty);
        affected.forEach(this::rebuild);
        affected.forEach(this::dropIfEmpty);
    }

    private static Slot promoted(Slot slot, Set<ObjectKey> affected) {
        Slot next = new Slot(slot.others.get(0));
        next.others.addAll(slot.others.subList(1, slot.others.size()));
        affected.add(next.applied.object());
        return next;
    }

    private void dropIfEmpty(ObjectKey name) {
        StoredObject object = objects.get(name);
        if (object != null && !object.certified() && object.suffix.isEmpty()) {
            objects.remove(name);
            types.remove(name.key(), name.type());
            for (DataType other : DataTypes.all()) {
                if (objects.containsKey(new ObjectKey(name.key(), other.name()))) {
                    types.putIfAbsent(name.key(), other.name());
                }
            }
        }
    }

    /** Brings an update into the live view. */
    public void deliver(Update update) {
        String type = update.request().type();
        if (!effective(update.request())) {
            hold(update); // A server that lies, or an update given again after its refusal: it takes its number only.
            return;
        }
        types.putIfAbsent(update.request().key(), type);
        StoredObject object = objects.computeIfAbsent(update.object(), name -> new StoredObject(typeOf(name)));
        object.suffix.add(update);
        show(object, update);
    }

    private boolean effective(Request request) {
        Optional<String> certified = certifiedType(request.key());
        return (certified.isEmpty() || certified.get().equals(request.type()))
                && DataTypes.byName(request.type())
                        .filter(known -> known.check(request.operation()).isEmpty())
                        .isPresent();
    }

    private void show(StoredObject object, Update update) {
        if (counts(update.request().client(), update.request().number())) {
            showCounted(object, update);
            return;
        }
        Slot slot = hold(update);
        if (slot.applied == update) {
            applyLive(object, update);
        } else {
            aliasApplied(object, slot, update);
        }
    }

    private static void applyLive(StoredObject object, Update update) {
        if (fits(object.base.bytes(), object.base.type(), update.request().operation())) {
            object.live.apply(update.tagged());
        }
    }

    /** Whether an operation after a certified state has an effect, which it has not if that is full and would grow. */
    static boolean fits(long certifiedBytes, DataType type, Operation operation) {
        return certifiedBytes < FULL_BYTES || !type.grows(operation);
    }

    /** Whether a well-formed operation has an effect after the certified state. */
    boolean fits(Request request) {
        StoredObject object = objects.get(new ObjectKey(request.key(), request.type()));
        return object == null || fits(object.base.bytes(), object.base.type(), request.operation());
    }

    /** The slot of an update's number, which the update joins unless the number is certified. */
    private Slot hold(Update update) {
        ClientId client = update.request().client();
        long number = update.request().number();
        if (counts(client, number)) {
            return new Slot(update);
        }
        Map<Long, Slot> ofClient = slots.computeIfAbsent(client, any -> new HashMap<>());
        Slot slot = ofClient.get(number);
        if (slot == null) {
            slot = new Slot(update);
            ofClient.put(number, slot);
        } else {
            slot.others.add(update);
        }
        return slot;
    }

    private void showCounted(StoredObject object, Update update) {
        counted(update.request().client(), update.request().number())
                .filter(counted -> counted.identity().equals(update.identity()))
                .ifPresent(counted -> object.live.alias(update.request().operation(), counted.dot(), update.dot()));
    }

    private static void aliasApplied(StoredObject object, Slot slot, Update update) {
        if (slot.applied.identity().equals(update.identity())) {
            object.live.alias(update.request().operation(), slot.applied.dot(), update.dot());
        }
    }

    /**
     * The state after the certified one and these entries, but for those that wait for each other.
     *
     * @param certified the version of the certified state
     * @param between the entries after it that are to be included: consecutive ones of each origin, in any order
     */
    public Candidate candidate(VersionVector certified, List<Entry> between) {
        return new CandidateBuilder(this, certified, between).build();
    }

    /** Makes a candidate the certified state, that of the next certificate. It must have been computed from the present one. */
    public void commit(Candidate candidate) {
        long number = ++certificate;
        Set<ObjectKey> contested = new LinkedHashSet<>();
        candidate.objects.keySet().forEach(this::settleType);
        candidate.objects.forEach((name, state) -> {
            StoredObject object = objects.computeIfAbsent(name, any -> new StoredObject(typeOf(name)));
            object.past.addLast(new StoredObject.Past(number - 1, object.base, object.certified()));
            changed.addLast(new Change(number - 1, object));
            if (object.base.bytes() < FULL_BYTES != state.bytes() < FULL_BYTES) {
                contested.add(name);
            }
            object.base = state;
            object.stateDigest = candidate.digests.get(name);
        });
        for (ClientRecord.Change change : candidate.clients.values()) {
            change.commit();
        }
        candidate.clients.forEach((client, change) -> {
            for (Counted counted : change.added()) {
                settle(client, counted, contested);
            }
        });
        candidate.range.stream()
                .map(entry -> entry.body().message())
                .filter(Request.class::isInstance)
                .map(Request.class::cast)
                .map(request -> new ObjectKey(request.key(), request.type()))
                .distinct()
                .map(objects::get)
                .filter(Objects::nonNull)
                .forEach(object -> object.forget(candidate.version));
        contested.forEach(this::rebuild);
        tree = candidate.tree;
        while (!changed.isEmpty() && changed.element().until() < number - REMEMBERED_STATES) {
            changed.remove().object().past.pollFirst();
        }
    }

    /** A copy of the state of an object at a certificate that is not too old; empty when it did not exist there. */
    Optional<Crdt> stateAt(ObjectKey name, long number) {
        StoredObject object = objects.get(name);
        if (object == null) {
            return Optional.empty();
        }
        for (StoredObject.Past past : object.past) {
            if (past.until() >= number) {
                return past.certified() ? Optional.of(past.state().copy()) : Optional.empty();
            }
        }
        return object.certified() ? Optional.of(object.base.copy()) : Optional.empty();
    }

    private void settleType(ObjectKey name) {
        types.put(name.key(), name.type());
        for (DataType other : DataTypes.all()) {
            if (!other.name().equals(name.type())) {
                objects.remove(new ObjectKey(name.key(), other.name()));
            }
        }
    }

    private void settle(ClientId client, Counted counted, Set<ObjectKey> contested) {
        Map<Long, Slot> ofClient = slots.get(client);
        Slot slot = ofClient == null ? null : ofClient.remove(counted.number());
        if (slot != null && (!slot.others.isEmpty() || !slot.applied.dot().equals(counted.dot()))) {
            contested.add(slot.applied.object());
            slot.others.forEach(other -> contested.add(other.object()));
        }
        if (ofClient != null && ofClient.isEmpty()) {
            slots.remove(client);
        }
    }

    private void rebuild(ObjectKey name) {
        StoredObject object = objects.get(name);
        if (object == null) {
            return;
        }
        object.live = object.base.copy();
        for (Update update : object.suffix) {
            ClientId client = update.request().client();
            Slot slot =
                    slots.getOrDefault(client, Map.of()).get(update.request().number());
            if (slot == null) {
                showCounted(object, update);
            } else if (slot.applied == update) {
                applyLive(object, update);
            } else {
                aliasApplied(object, slot, update);
            }
        }
    }

    StateTree tree() {
        return tree;
    }

    static Hash path(ClientId client) {
        return StateTree.clientPath(client.key().toBytes());
    }

    boolean counts(ClientId client, long number) {
        ClientRecord record = clients.get(client);
        return record != null && record.numbers.contains(number);
    }

    ClientRecord record(ClientId client) {
        return clients.computeIfAbsent(client, any -> new ClientRecord());
    }

    Optional<String> certifiedType(String key) {
        @Nullable String type = types.get(key);
        StoredObject object = type == null ? null : objects.get(new ObjectKey(key, type));
        return object != null && object.certified() ? Optional.ofNullable(type) : Optional.empty();
    }

    Crdt copyOfBase(ObjectKey name) {
        StoredObject object = objects.get(name);
        return object == null ? fresh(name.type()) : object.base.copy();
    }

    private static Crdt fresh(String type) {
        return typeOf(new ObjectKey("", type)).empty();
    }

    private static DataType typeOf(ObjectKey name) {
        return DataTypes.byName(name.type())
                .orElseThrow(() -> new IllegalStateException("no type " + name.type() + " of " + name.key()));
    }
}
