package org.aspas.appserver.core.object;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.aspas.appserver.core.state.BaseReader;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.CrdtView;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * All objects and client records of an appserver (the protocol page, docs/protocol.md §2, §9; paper §3.3, §3.5). For one thread.
 *
 * <p><b>What it guards.</b> Two pictures of every object are kept. The <em>certified</em> one is a function of the certified entries alone, so
 * that all correct servers compute the same root and the bftservers can certify it. The <em>live</em> one shows every delivered entry,
 * and is what a client reads after its own update. Each update counts once in either, whichever servers its client gave it to.
 *
 * <p><b>Base and suffix.</b> An object ({@link StoredObject}) is the state at the newest certificate and the entries after it. The state at
 * a later version is computed from these two, never by filtering a compacted PO-Log: compaction erases operations that the
 * version still contains. {@link CandidateBuilder} computes the next certified state in the canonical order of its entries; when the
 * certificate comes, the candidate becomes the base and its entries leave the suffix. What one update does is written once, in
 * {@link UpdateEffect}, and three ask there: the live view, the candidate, and the recomputation of an answer that somebody
 * doubts ({@link Recomputation}). So they cannot disagree.
 *
 * <p><b>Exactly once.</b> {@link RequestNumbers} says which entry counts for a client's number: of several, that with the smallest identity
 * among those in the first certificate that has one. The decision is made at certification, and is the same everywhere.
 *
 * <p><b>What is in memory.</b> Objects that nobody asked for lately are in the base alone ({@link ObjectMemory}). Each that comes back is
 * verified against its leaf, so a damaged base ends the server and is never served. Reading changes nothing but what is in memory.
 */
public final class ObjectStore {
    /** For how many of the newest certificates state trees are kept, which prove what objects were. */
    static final long REMEMBERED_TREES = 32;

    /**
     * An element that has so many bytes or more in a certified state ({@link org.aspas.crdt.type.ElementsView#bytes}) is full:
     * operations that would make it grow have no effect, up to the certificate with which it is smaller (docs/formats.md, §7).
     */
    public static final long FULL_BYTES = 1 << 20;

    private final ObjectMemory memory;
    private final RequestNumbers requests = new RequestNumbers();
    private final RememberedStates remembered = new RememberedStates();
    /** State trees of the newest certificates, the newest first. Invariant: at least one, and at most {@link #REMEMBERED_TREES}. */
    private final ArrayDeque<StateTree> trees = new ArrayDeque<>(List.of(StateTree.empty()));

    private CertificateNumber certificate = CertificateNumber.NONE;

    /** A store whose objects are all in memory. */
    public ObjectStore() {
        this(BaseReader.NONE);
    }

    /** A store that leaves objects to a base when there is no room for them. */
    public ObjectStore(BaseReader base) {
        this.memory = new ObjectMemory(base, this::tree);
    }

    public long size() {
        return memory.size();
    }

    /** Adds to a server's gauges how many objects are where, and how often one was brought back. */
    public void measure(Map<String, Long> gauges) {
        memory.measure(gauges);
        remembered.measure(gauges);
    }

    /** Leaves to the base what was not used for long, when there is too much in memory. To be called between two steps. */
    public void makeRoom() {
        memory.makeRoom();
    }

    /** The type of the object under a key, certified or not yet. */
    public Optional<String> type(String key) {
        return Optional.ofNullable(memory.type(key));
    }

    /** The live value of an object; that of a fresh object when there is none. The type must exist. */
    public Value liveValue(String key, String type) {
        return live(key, type).value();
    }

    /** What the live view of an object has of a part that is asked for; empty if live views have no such parts. */
    public Optional<Value> liveValue(String key, String type, @Nullable ReadPart part) {
        return CertifiedObject.live(live(key, type), part);
    }

    CrdtView live(String key, String type) {
        StoredObject object = memory.find(new ObjectKey(key, type));
        return object == null ? fresh(type).state() : object.live;
    }

    /** The certified value of an object; that of a fresh object when there is none. The type must exist. */
    public Value certifiedValue(String key, String type) {
        return certified(new ObjectKey(key, type)).state().value();
    }

    /** The size of an object in bytes, live or certified, whichever is more; 0 when there is none. */
    public long bytes(String key, String type) {
        StoredObject object = memory.find(new ObjectKey(key, type));
        return object == null
                ? 0
                : Math.max(object.live.bytes(), object.base.state().bytes());
    }

    /** The size of what an operation makes larger, live or certified, whichever is more; 0 when there is no object. */
    public long bytes(String key, String type, Operation operation) {
        StoredObject object = memory.find(new ObjectKey(key, type));
        return object == null
                ? 0
                : Math.max(object.live.bytes(operation), object.base.state().bytes(operation));
    }

    /**
     * What a certificate has of an object, with its proof against the state root.
     *
     * @param value the value, or the part of it that was asked for
     */
    public record Proved(Value value, ObjectProof proof) {}

    /**
     * What the newest certificate, or one that is not too old, has of an object or of its absence.
     *
     * @param type its datatype, which must exist
     * @param part the part that is wanted; null for all
     * @return the value and its proof; empty when the type has no such parts, or the certificate is no more remembered
     */
    public Optional<Proved> prove(String key, String type, @Nullable ReadPart part, CertificateNumber number) {
        StateTree tree = tree(number).orElse(null);
        if (tree == null) {
            return Optional.empty();
        }
        ObjectKey name = new ObjectKey(key, type);
        Optional<CertifiedObject> object = at(name, number);
        return object.orElseGet(() -> fresh(type))
                .part(part)
                .map(found -> new Proved(
                        found.value(),
                        new ObjectProof(
                                object.isPresent() ? type : null,
                                object.isPresent() ? found.proof() : null,
                                tree.prove(StateTree.objectPath(key)))));
    }

    public RememberedStates remembered() {
        return remembered;
    }

    public RequestNumbers requests() {
        return requests;
    }

    /**
     * Takes the delivered entries of an origin beyond a cut out of the live views (the protocol page, docs/protocol.md §8).
     * None of them may be certified.
     */
    public void revoke(int origin, long cut) {
        revoke(dot -> dot.origin() == origin && dot.sequence() > cut);
    }

    /** Takes delivered entries that are not certified out of the live views. */
    public void revoke(Collection<Entry> entries) {
        Set<Dot> dots = entries.stream().map(Entry::dot).collect(Collectors.toSet());
        if (!dots.isEmpty()) {
            revoke(dots::contains);
        }
    }

    private void revoke(Predicate<Dot> dots) {
        remembered.recent().forget(dots);
        Predicate<DeliveredUpdate> gone = update -> dots.test(update.dot());
        Set<ObjectKey> affected = new LinkedHashSet<>();
        memory.forEach((name, object) -> {
            if (object.revoke(gone)) {
                affected.add(name);
            }
        });
        affected.addAll(requests.revoke(gone));
        affected.forEach(this::rebuild);
        affected.forEach(memory::dropIfEmpty);
    }

    /** Brings an update into the live view. One without effect only takes its number. */
    public void deliver(DeliveredUpdate update) {
        Request request = update.request();
        remembered.recent().delivered(update, requests.contests(update));
        requests.hold(update);
        if (!UpdateEffect.valid(request, certifiedType(request.key()).orElse(request.type()))) {
            return;
        }
        StoredObject object = memory.findOrMake(update.object());
        object.deliver(update);
        show(object, update);
    }

    private void show(StoredObject object, DeliveredUpdate update) {
        requests.counting(update)
                .flatMap(counting -> UpdateEffect.of(update, counting, object.base.state()))
                .ifPresent(effect -> effect.on(object.live));
    }

    /**
     * The state after the certified one and these entries, but for those that wait for each other.
     *
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
        List<StoredObject> changed = new ArrayList<>(candidate.objects.size());
        candidate.objects.forEach((name, state) -> {
            StoredObject object = memory.findOrMake(name);
            if (!object.certified) { // Of a key whose type is settled there is no other object.
                memory.settleType(name);
            }
            object.remember(before);
            changed.add(object);
            for (Value element : candidate.changed.getOrDefault(name, Set.of())) {
                if (full(object.base, element) != full(state, element)) {
                    contested.add(name);
                }
            }
            object.install(state, certificate);
            memory.weigh(name, object);
        });
        contested.addAll(requests.commit(candidate.clients.values()));
        candidate.uncounted.forEach(update -> {
            requests.drop(update);
            remembered.recent().contest(update);
            contested.add(update.object());
        });
        for (ObjectKey name : candidate.updated) {
            StoredObject object = memory.resident(name);
            if (object != null) {
                object.forget(candidate.version);
            }
        }
        contested.forEach(this::rebuild);
        trees.addFirst(candidate.tree);
        if (trees.size() > REMEMBERED_TREES) {
            trees.removeLast();
            assert trees.size() == REMEMBERED_TREES : trees.size();
        }
        remembered.adopted(before, candidate, changed);
    }

    private static boolean full(CertifiedObject object, Value element) {
        return object.state()
                .elements()
                .filter(view -> view.bytes(element) >= FULL_BYTES)
                .isPresent();
    }

    /** The state of an object at a certificate whose states are remembered; empty when it did not exist there. */
    Optional<CertifiedObject> at(ObjectKey name, CertificateNumber number) {
        StoredObject object = memory.find(name);
        return object == null ? Optional.empty() : object.at(number);
    }

    private void rebuild(ObjectKey name) {
        StoredObject object = memory.resident(name);
        if (object == null) {
            return;
        }
        object.live = object.base.copy();
        object.suffix().forEach(update -> show(object, update));
    }

    StateTree tree() {
        return trees.getFirst();
    }

    /** The state tree of the newest certificate, or of one that is remembered. */
    private Optional<StateTree> tree(CertificateNumber number) {
        long age = certificate.value() - number.value();
        return age < 0 ? Optional.empty() : trees.stream().skip(age).findFirst();
    }

    /** The same, with what its leaves stand for. */
    Optional<StateView> view(CertificateNumber number) {
        return tree(number).map(tree -> new StateView(tree, memory.cold()));
    }

    Optional<String> certifiedType(String key) {
        @Nullable String type = memory.type(key);
        StoredObject object = type == null ? null : memory.find(new ObjectKey(key, type));
        return object != null && object.certified ? Optional.ofNullable(type) : Optional.empty();
    }

    /** The newest certified state of an object; that of a fresh object when there is none. */
    CertifiedObject certified(ObjectKey name) {
        StoredObject object = memory.find(name);
        return object == null ? fresh(name.type()) : object.base;
    }

    private static CertifiedObject fresh(String type) {
        return CertifiedObject.fresh(ObjectMemory.typeOf(new ObjectKey("", type)));
    }

    // ---- Snapshots ----

    /** All objects and client records at the newest certificate, as they stay whatever comes after it. */
    public StateView view() {
        return new StateView(tree(), memory.cold());
    }

    /**
     * Makes a state of a later certificate the certified one. Of the delivered updates those stay that the certificate does not
     * cover.
     */
    public void install(CertifiedState state, CertificateNumber number, VersionVector version) {
        certificate = number;
        trees.clear();
        trees.addFirst(state.tree);
        remembered.installed(number, version);
        requests.install(state.clients, update -> version.covers(update.dot()));
        state.objects.keySet().forEach(memory::settleType);
        memory.installed(state.cold);
        state.objects.forEach((name, object) -> {
            StoredObject here = memory.findOrMake(name);
            here.install(object, number);
            memory.weigh(name, here);
        });
        List<ObjectKey> all = new ArrayList<>();
        memory.forEach((name, object) -> {
            all.add(name);
            object.forgetPast();
            object.forget(version);
        });
        all.forEach(this::rebuild);
        all.forEach(memory::dropIfEmpty);
    }
}
