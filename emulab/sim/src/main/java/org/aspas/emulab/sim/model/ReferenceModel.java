package org.aspas.emulab.sim.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Request;
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

    /**
     * The order in which the updates of one certificate are counted (docs/formats.md §6): each time the next entry of the
     * lowest origin whose next entry depends on none of the entries that are left.
     */
    private static final class CanonicalSequence {
        private CanonicalSequence() {}

        /** The entries in that order; those that wait for each other, and what depends on them, are left out. */
        static List<PlacedEntry> of(Collection<PlacedEntry> entries) {
            SortedMap<Integer, Deque<PlacedEntry>> left = new TreeMap<>();
            entries.stream()
                    .sorted(Comparator.comparingLong(entry -> entry.dot().sequence()))
                    .forEach(entry -> left.computeIfAbsent(entry.dot().origin(), any -> new ArrayDeque<>())
                            .add(entry));
            List<PlacedEntry> ordered = new ArrayList<>(entries.size());
            boolean moved = true;
            while (moved) {
                moved = false;
                for (Deque<PlacedEntry> log : left.values()) {
                    if (!log.isEmpty() && waitsForNone(log.getFirst(), left)) {
                        ordered.add(log.removeFirst());
                        moved = true;
                        break;
                    }
                }
            }
            return ordered;
        }

        private static boolean waitsForNone(PlacedEntry entry, SortedMap<Integer, Deque<PlacedEntry>> left) {
            return left.entrySet().stream()
                    .filter(log -> log.getKey() != entry.dot().origin()
                            && !log.getValue().isEmpty())
                    .noneMatch(log -> entry.observed(log.getValue().getFirst().dot()));
        }
    }

    /** The updates that a live view of one object shows: the certified ones, and those of delivered entries after them. */
    private static final class LiveUpdates {
        /** Looks up what is certified. */
        interface Certified {
            /** The certified update under a client's number. */
            Optional<CountedUpdate> counted(ClientId client, long number);
        }

        private record RequestId(ClientId client, long number) {}

        private final String key;
        private final String type;
        private final boolean settled;
        private final Map<RequestId, CountedUpdate> updates = new HashMap<>();
        private final List<CountedUpdate> base;
        private final Certified certified;

        /**
         * Updates of an object.
         *
         * @param settled whether the type is certified, so that what is of another has no effect
         * @param base what has an effect at the certificate; it gets the places that come after
         */
        LiveUpdates(String key, String type, boolean settled, List<CountedUpdate> base, Certified certified) {
            this.key = key;
            this.type = type;
            this.settled = settled;
            this.base = base;
            this.certified = certified;
            base.forEach(update -> updates.put(numbered(update.request()), update));
        }

        private static RequestId numbered(Request request) {
            return new RequestId(request.client(), request.number());
        }

        /** All of them; empty where the order of delivery decides. */
        Optional<List<CountedUpdate>> with(Collection<PlacedEntry> after) {
            if (givenTwice(after)) {
                return Optional.empty();
            }
            List<CountedUpdate> shown = new ArrayList<>(base);
            for (PlacedEntry entry : after) {
                if (!concerns(entry)) {
                    continue;
                }
                Request request = (Request) entry.words();
                if (!request.type().equals(type)) {
                    if (settled) {
                        continue;
                    }
                    return Optional.empty();
                }
                show(entry, request, shown);
            }
            return Optional.of(shown);
        }

        /** Whether a number that is not certified and concerns the object has two entries. */
        private boolean givenTwice(Collection<PlacedEntry> after) {
            Map<RequestId, Integer> places = new HashMap<>();
            Set<RequestId> concerned = new HashSet<>();
            for (PlacedEntry entry : after) {
                if (entry.words() instanceof Request request
                        && certified.counted(request.client(), request.number()).isEmpty()) {
                    places.merge(numbered(request), 1, Integer::sum);
                    if (concerns(entry)) {
                        concerned.add(numbered(request));
                    }
                }
            }
            return concerned.stream().anyMatch(number -> places.getOrDefault(number, 0) > 1);
        }

        private boolean concerns(PlacedEntry entry) {
            return entry.words() instanceof Request request && request.key().equals(key);
        }

        private void show(PlacedEntry entry, Request request, List<CountedUpdate> shown) {
            boolean counted =
                    certified.counted(request.client(), request.number()).isPresent();
            CountedUpdate known = updates.get(numbered(request));
            if (counted && known != null && known.identity().equals(entry.identity())) {
                known.alias(entry.dot(), Long.MAX_VALUE);
            } else if (!counted
                    && Meaning.of(type)
                            .filter(meaning -> meaning.admits(request.operation()))
                            .isPresent()) {
                shown.add(new CountedUpdate(entry, request, Long.MAX_VALUE));
            }
        }
    }

    /** What a content must be after the one before it, its state root left out (docs/formats.md §8). */
    static final class ChainRules {
        private static final int CONTENT = 35;

        private final @Nullable CertificateContent before;
        private final Hash hashBefore;

        ChainRules(@Nullable CertificateContent before, Hash hashBefore) {
            this.before = before;
            this.hashBefore = hashBefore;
        }

        /** The hash of a content, which the next one names. */
        static Hash hash(CertificateContent content) {
            Cbor out = new Cbor()
                    .array(8)
                    .integer(CONTENT)
                    .hash(content.deployment())
                    .integer(content.number().value())
                    .hash(content.previous())
                    .version(content.version().toArray())
                    .array(content.roots().size());
            content.roots().forEach(out::hash);
            out.hash(content.state()).array(content.exclusions().size());
            for (Exclusion one : content.exclusions()) {
                out.array(3).integer(one.origin()).integer(one.cut()).hash(one.evidence());
            }
            return Hash.of(Sha256.of(out.bytes()));
        }

        void check(CertificateContent content, Collection<PlacedEntry> added, Consumer<String> wrong) {
            String name = "certificate " + content.number();
            if (content.number().value()
                    != (before == null ? 1 : before.number().value() + 1)) {
                wrong.accept(name + " is not the next one");
            }
            if (!content.previous().equals(hashBefore)) {
                wrong.accept(name + " does not name the one before it");
            }
            for (int origin = 0; origin < content.version().size(); origin++) {
                advance(content, origin, wrong);
            }
            exclusions(content, wrong);
            closure(content, added, wrong);
        }

        private void advance(CertificateContent content, int origin, Consumer<String> wrong) {
            if (before == null) {
                return;
            }
            long then = before.version().get(origin);
            long now = content.version().get(origin);
            if (now < then) {
                wrong.accept("certificate " + content.number() + " takes entries of appserver " + origin + " back");
            } else if (now == then
                    && !content.roots().get(origin).equals(before.roots().get(origin))) {
                wrong.accept("certificate " + content.number() + " changes the log of appserver " + origin);
            }
        }

        private void exclusions(CertificateContent content, Consumer<String> wrong) {
            if (before != null && !content.exclusions().containsAll(before.exclusions())) {
                wrong.accept("certificate " + content.number() + " drops or changes an exclusion");
            }
            for (Exclusion one : content.exclusions()) {
                if (content.version().get(one.origin()) != one.cut()) {
                    wrong.accept("certificate " + content.number() + " cuts appserver " + one.origin() + " at "
                            + one.cut() + ", and certifies another size");
                }
            }
        }

        /** Every entry comes with all that it depends on, which of an excluded origin ends at the cut. */
        private static void closure(CertificateContent content, Collection<PlacedEntry> added, Consumer<String> wrong) {
            Map<Integer, Long> cuts = new HashMap<>();
            content.exclusions().forEach(one -> cuts.put(one.origin(), one.cut()));
            for (PlacedEntry entry : added) {
                for (int origin = 0; origin < content.version().size(); origin++) {
                    long needed = Math.min(entry.observed()[origin], cuts.getOrDefault(origin, Long.MAX_VALUE));
                    if (needed > content.version().get(origin)) {
                        wrong.accept("certificate " + content.number() + " at " + content.version() + " has entry "
                                + entry.dot() + " and not " + origin + ":" + needed + ", on which it depends");
                    }
                }
                if (!entry.faithful()) {
                    wrong.accept("entry " + entry.dot() + " is not encoded as docs/formats.md says");
                }
            }
        }
    }
}
