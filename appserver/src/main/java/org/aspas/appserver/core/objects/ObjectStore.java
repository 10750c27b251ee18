package org.aspas.appserver.core.objects;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.ObjectProof;
import org.aspas.certify.message.Request;
import org.aspas.certify.state.StateTree;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * All objects and client records. The certified part is a function of the certified entries; the live views show every
 * delivered entry, each update once. For one thread.
 */
public final class ObjectStore {
    /** For how many of the newest certificates the states of objects are kept, so that answers can be inspected. */
    static final long REMEMBERED_STATES = 32;

    /**
     * A certified state of so many bytes or more ({@link org.aspas.crdt.type.CrdtView#bytes}) is full: operations that would
     * make it grow have no effect, up to the certificate with which it is smaller (docs/formats.md, §7).
     */
    public static final long FULL_BYTES = 1 << 20;

    private record Change(CertificateNumber until, StoredObject object) {}

    private final Map<ObjectKey, StoredObject> objects = new HashMap<>();
    private final Map<String, String> types = new HashMap<>();
    private final RequestNumbers requests = new RequestNumbers();
    private final ArrayDeque<Change> changed = new ArrayDeque<>();
    private StateTree tree = StateTree.empty();
    private CertificateNumber certificate = CertificateNumber.NONE;

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

    /** Which entries count for the numbers of the clients' requests. */
    public RequestNumbers requests() {
        return requests;
    }

    /**
     * Takes the delivered entries of an origin beyond a cut out of the live views (the protocol page, docs/protocol.md §8).
     * None of them may be certified.
     */
    public void revoke(int origin, long cut) {
        Predicate<DeliveredUpdate> gone =
                update -> update.dot().origin() == origin && update.dot().sequence() > cut;
        Set<ObjectKey> affected = new LinkedHashSet<>();
        objects.forEach((name, object) -> {
            if (object.suffix.removeIf(gone)) {
                affected.add(name);
            }
        });
        affected.addAll(requests.revoke(gone));
        affected.forEach(this::rebuild);
        affected.forEach(this::dropIfEmpty);
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

    /** Brings an update into the live view. One without effect only takes its number. */
    public void deliver(DeliveredUpdate update) {
        Request request = update.request();
        requests.hold(update);
        if (!UpdateEffect.valid(request, certifiedType(request.key()).orElse(request.type()))) {
            return;
        }
        types.putIfAbsent(request.key(), request.type());
        StoredObject object = objects.computeIfAbsent(update.object(), name -> new StoredObject(typeOf(name)));
        object.suffix.add(update);
        show(object, update);
    }

    private void show(StoredObject object, DeliveredUpdate update) {
        requests.counting(update)
                .flatMap(counting -> UpdateEffect.of(update, counting, object.base.bytes()))
                .ifPresent(effect -> effect.on(object.live));
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
        CertificateNumber before = certificate;
        certificate = before.next();
        Set<ObjectKey> contested = new LinkedHashSet<>();
        candidate.objects.keySet().forEach(this::settleType);
        candidate.objects.forEach((name, state) -> {
            StoredObject object = objects.computeIfAbsent(name, any -> new StoredObject(typeOf(name)));
            object.past.addLast(new StoredObject.Past(before, object.base, object.certified()));
            changed.addLast(new Change(before, object));
            if (object.base.bytes() < FULL_BYTES != state.bytes() < FULL_BYTES) {
                contested.add(name);
            }
            object.base = state;
            object.stateDigest = candidate.digests.get(name);
        });
        contested.addAll(requests.commit(candidate.clients.values()));
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
        while (!changed.isEmpty() && changed.element().until().value() < certificate.value() - REMEMBERED_STATES) {
            changed.remove().object().past.pollFirst();
        }
    }

    /** A copy of the state of an object at a certificate that is not too old; empty when it did not exist there. */
    Optional<Crdt> stateAt(ObjectKey name, CertificateNumber number) {
        StoredObject object = objects.get(name);
        if (object == null) {
            return Optional.empty();
        }
        for (StoredObject.Past past : object.past) {
            if (!number.isAfter(past.until())) {
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

    private void rebuild(ObjectKey name) {
        StoredObject object = objects.get(name);
        if (object == null) {
            return;
        }
        object.live = object.base.copy();
        object.suffix.forEach(update -> show(object, update));
    }

    StateTree tree() {
        return tree;
    }

    Optional<String> certifiedType(String key) {
        @Nullable String type = types.get(key);
        StoredObject object = type == null ? null : objects.get(new ObjectKey(key, type));
        return object != null && object.certified() ? Optional.ofNullable(type) : Optional.empty();
    }

    long certifiedBytes(ObjectKey name) {
        StoredObject object = objects.get(name);
        return object == null ? 0 : object.base.bytes();
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
