package org.aspas.emulab.sim.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.ReadPart;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The chain of certificates and what follows from it: which updates counted, the state root, and every object's value. It
 * takes each content with the entries that are new in it. For one thread; input that is wrong gives a
 * {@link Discrepancy}, never an exception.
 */
public final class ReferenceModel {
    private final Map<String, ModelObject> objects = new TreeMap<>();
    private final Map<ClientId, ClientAccount> clients = new HashMap<>();
    private final List<CertificateContent> chain = new ArrayList<>();
    private final StateMap state = new StateMap();
    private List<CountedUpdate> newlyCounted = List.of();
    private Hash last = Hash.of(Sha256.ZERO);

    /** Whether a type has an operation, with arguments of the right kind and size (docs/formats.md §7). */
    public static boolean admits(String type, Operation operation) {
        return Meaning.of(type).filter(meaning -> meaning.admits(operation)).isPresent();
    }

    /** How many certificates it has taken. */
    public long number() {
        return chain.size();
    }

    /** The content that it took under a number, from 1. */
    public Optional<CertificateContent> content(long number) {
        return number < 1 || number > chain.size() ? Optional.empty() : Optional.of(chain.get((int) number - 1));
    }

    /** The newest certified version; null before the first certificate. */
    public long @Nullable [] version() {
        return chain.isEmpty() ? null : chain.get(chain.size() - 1).version().toArray();
    }

    /** The keys of all certified objects, with their types. */
    public Map<String, String> objects() {
        Map<String, String> types = new TreeMap<>();
        objects.forEach((key, object) -> types.put(key, object.type()));
        return types;
    }

    /** The update that counted under a client's number. */
    public Optional<CountedUpdate> counted(ClientId client, long number) {
        return account(client).flatMap(account -> account.counted(number));
    }

    /** The updates that counted with the newest certificate, in the order of counting. */
    public List<CountedUpdate> newlyCounted() {
        return newlyCounted;
    }

    private Optional<ClientAccount> account(ClientId client) {
        return Optional.ofNullable(clients.get(client));
    }

    // ---- One more certificate ----

    /**
     * Takes the next content of the chain.
     *
     * @param added the entries that it covers and the one before does not, which lead to its log roots; in any order
     * @return what it says that does not follow, nothing when all of it does
     */
    public List<Discrepancy> certify(CertificateContent content, Collection<PlacedEntry> added) {
        List<Discrepancy> found = new ArrayList<>();
        new ChainRules(chain.isEmpty() ? null : chain.get(chain.size() - 1), last)
                .check(content, added, text -> found.add(new Discrepancy(Discrepancy.About.LOGS, text)));
        List<PlacedEntry> ordered = CanonicalSequence.of(added);
        if (ordered.size() < added.size()) {
            found.add(new Discrepancy(
                    Discrepancy.About.LOGS,
                    "certificate " + content.number() + " has entries that wait for each other"));
        }
        chain.add(content);
        last = ChainRules.hash(content);
        CertificateStep step = new CertificateStep(objects, clients, chain.size(), state);
        step.take(ordered);
        newlyCounted = step.counted();
        byte[] root = state.root();
        if (!Arrays.equals(root, content.state().toBytes())) {
            found.add(new Discrepancy(
                    Discrepancy.About.STATE,
                    "the state root of certificate " + content.number() + " is " + content.state() + ", where "
                            + Hash.of(root) + " follows from the entries"));
        }
        return found;
    }

    /** The state root, computed from the sets of all counted updates at once. */
    public Hash stateFromScratch() {
        StateMap whole = new StateMap();
        objects.values().forEach(object -> whole.put(object.path(), object.leafFromScratch()));
        clients.values().forEach(client -> whole.put(client.path(), client.leaf()));
        return Hash.of(whole.root());
    }

    // ---- Values ----

    /**
     * The value of an object at a certificate.
     *
     * @param type its type, which must exist: of an absent object the value is the empty one of that type
     * @param number the certificate, from 0, which stands for no certificate
     * @return empty when the object has another type there
     */
    public Optional<Value> valueAt(String key, String type, long number) {
        ModelObject object = objects.get(key);
        if (object == null || object.since() > number) {
            return Meaning.of(type).map(meaning -> meaning.state(List.of()).value());
        }
        return object.type().equals(type) ? Optional.of(object.valueAt(number)) : Optional.empty();
    }

    /**
     * What of an object's value a read of a part must return.
     *
     * @param part the part; null for all
     * @param next where the page behind it begins; null for none
     */
    public static Value part(Value whole, @Nullable ReadPart part, @Nullable Hash next) {
        if (part == null || !(whole instanceof Value.Sequence all)) {
            return whole;
        }
        Hash from = part.from();
        return Value.sequence(all.items().stream()
                .filter(element -> from == null ? element.equals(part.element()) : onPage(element, from, next))
                .toList());
    }

    private static boolean onPage(Value element, Hash from, @Nullable Hash next) {
        Hash path =
                Hash.of(Sha256.named("element-path", new Cbor().value(element).bytes()));
        return from.compareTo(path) <= 0 && (next == null || path.compareTo(next) < 0);
    }

    /**
     * The value that an object shows at a server that has a certificate and entries after it.
     *
     * @param after the delivered entries that the certificate does not cover
     * @return empty where that depends on the order of delivery: two contents under one number, one content at two places
     *     of which none is certified, two types under one key; and of an object that is full
     */
    public Optional<Value> liveValue(String key, String type, long number, Collection<PlacedEntry> after) {
        ModelObject object = objects.get(key);
        ModelObject there = object == null || object.since() > number ? null : object;
        if (there != null && (there.full() || !there.type().equals(type))) {
            return Optional.empty();
        }
        List<CountedUpdate> base = there == null ? List.of() : there.updatesAt(number);
        return new LiveUpdates(
                        key,
                        type,
                        there != null,
                        base,
                        (client, of) -> counted(client, of).filter(one -> one.certificate() <= number))
                .with(after)
                .flatMap(updates ->
                        Meaning.of(type).map(meaning -> meaning.state(updates).value()));
    }
}
