package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.jspecify.annotations.Nullable;

/**
 * Makes frames with one or a few changed fields out of the genuine ones that one party has sent or seen, those fields first that its run
 * changed least, and signs them again with the party's own key.
 */
final class FrameFuzzer {
    private static final int REMEMBERED = 5;
    private static final int LOOKED_AT = 6;
    private static final double SPARED = 0.4;
    private static final double AT_RANDOM = 0.2;
    private static final double ONE_MORE = 0.15;
    private static final int TRIES = 6;

    /** A genuine frame, and which of its fields may be changed. */
    private record Known(Frame frame, Set<String> fields) {}

    private final Object self;
    private final Sealer sealer;
    private final SeededRandom chance;
    private final FieldCoverage coverage;
    private final Fields fields;
    private final Mutations mutations;
    private final Set<String> spared;
    private final Map<Kind, List<Known>> genuine = new EnumMap<>(Kind.class);

    /**
     * A fuzzer of one party's frames.
     *
     * @param self how the party's own signed messages name it: by an index or a client's name
     */
    FrameFuzzer(AdversaryContext context, Object self) {
        this.self = self;
        this.sealer = context.sealer();
        this.chance = context.chance();
        this.coverage = context.coverage();
        this.fields = new Fields(sealer, chance);
        this.mutations = new Mutations(sealer, chance, context.quorums().appservers());
        // A party that lies in everything is excluded at once: in each run some kinds are left as they are.
        this.spared = Stream.of(Kind.values())
                .filter(kind -> chance.happens(SPARED))
                .map(kind -> kind.name() + ".")
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Remembers a genuine frame, and what its fields hold, as values for others. */
    void learn(Frame frame) {
        Message message = message(frame);
        Set<String> names = new TreeSet<>();
        for (Fields.Place place : fields.of(message)) {
            mutations.learn(place);
            if (!isSpared(place)) {
                names.add(place.field());
            }
        }
        List<Known> known = genuine.computeIfAbsent(message.kind(), any -> new ArrayList<>());
        chance.keep(known, new Known(frame, names), REMEMBERED);
    }

    /** The frame with something changed in it, signed again; empty when nothing was. */
    Optional<byte[]> changed(Frame frame) {
        Message message = message(frame);
        Set<String> changed = new TreeSet<>();
        do {
            message = changed(message, changed);
        } while (chance.happens(ONE_MORE));
        if (changed.isEmpty()) {
            return Optional.empty();
        }
        byte[] bytes = frame instanceof Frame.Sealed sealed && sealed.tags().length == 0
                ? Codec.encode(sealer.seal(message))
                : Codec.encode(message);
        coverage.count(changed, fit(bytes));
        return Optional.of(bytes);
    }

    /** A changed frame of one of these kinds, rather of one whose fields were changed less than those of others. */
    Optional<byte[]> any(Collection<Kind> kinds) {
        List<Kind> known = kinds.stream().filter(genuine::containsKey).toList();
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Known least = null;
        long changes = Long.MAX_VALUE;
        for (Kind kind : chance.shuffled(known).subList(0, Math.min(LOOKED_AT, known.size()))) {
            Known frame = chance.pick(genuine.getOrDefault(kind, List.of()));
            long count =
                    frame.fields().stream().mapToLong(coverage::changed).min().orElse(Long.MAX_VALUE);
            if (least == null || count < changes) {
                least = frame;
                changes = count;
            }
        }
        return least == null ? Optional.empty() : changed(least.frame());
    }

    /** Whether a receiver can decode it, and its signature, where it has one, is right: the first field of what is signed names the signer. */
    private boolean fit(byte[] bytes) {
        return Codec.decode(bytes)
                .accepted()
                .filter(frame -> frame instanceof Frame.Plain || self.equals(Fields.first(frame.message())))
                .isPresent();
    }

    private static Message message(Frame frame) {
        return frame instanceof Frame.Sealed sealed && sealed.tags().length > 0
                ? sealed.signed()
                        .as(Request.class)
                        .<Message>map(request -> new TaggedRequest(request, sealed.tags()))
                        .orElse(frame.message())
                : frame.message();
    }

    private boolean isSpared(Fields.Place place) {
        return spared.contains(place.field().substring(0, place.field().indexOf('.') + 1));
    }

    /** The message with one field changed, whose name is added; the same when none of those chosen could be. */
    private Message changed(Message message, Set<String> names) {
        List<Fields.Place> places = new ArrayList<>(fields.of(message));
        places.removeIf(this::isSpared);
        for (int i = 0; i < TRIES && !places.isEmpty(); i++) {
            Fields.Place place = chance.happens(AT_RANDOM) ? chance.pick(places) : rarest(places);
            places.remove(place);
            Optional<Message> changed = mutations.change(place);
            if (changed.isPresent() && !changed.get().equals(message)) {
                names.add(place.field());
                return changed.get();
            }
        }
        return message;
    }

    private Fields.Place rarest(List<Fields.Place> places) {
        Fields.Place rarest = places.get(0);
        for (Fields.Place place : chance.shuffled(places)) {
            if (coverage.changed(place.field()) < coverage.changed(rarest.field())) {
                rarest = place;
            }
        }
        return rarest;
    }

    /**
     * Other values for one field: its neighbours, the ends of its range, what the same field held in other frames, other lengths, other
     * indices, another signature. Most are such that a decoder takes them.
     */
    private static final class Mutations {
        private static final int REMEMBERED = 12;
        private static final int TRIES = 4;
        private static final double OF_OTHERS = 0.4;
        private static final int MOST_INDEX = 99;
        private static final int LONG_TEXT = 5_000;
        private static final int DEEP = 7;

        private final Sealer sealer;
        private final SeededRandom chance;
        private final int servers;
        private final Map<String, List<Object>> seen = new HashMap<>();

        Mutations(Sealer sealer, SeededRandom chance, int servers) {
            this.sealer = sealer;
            this.chance = chance;
            this.servers = servers;
        }

        void learn(Fields.Place place) {
            if (place.value() != null) {
                chance.keep(seen.computeIfAbsent(place.field(), any -> new ArrayList<>()), place.value(), REMEMBERED);
            }
        }

        /** The message of a field with another value there, or nothing when no value was found that a record can hold. */
        Optional<Message> change(Fields.Place place) {
            for (int i = 0; i < TRIES; i++) {
                Optional<Object> other = place.field().endsWith("?") ? presence(place) : other(place);
                boolean absent = place.value() != null && place.field().endsWith("?");
                if (absent || other.isPresent()) {
                    try {
                        return Optional.of(place.change().apply(other.orElse(null)));
                    } catch (IllegalArgumentException | IndexOutOfBoundsException cannotHold) {
                        // A record that refuses a value keeps it off the wire: another one is tried.
                    }
                }
            }
            return Optional.empty();
        }

        private Optional<Object> presence(Fields.Place place) {
            return place.value() == null ? ofOthers(place.field()) : Optional.empty();
        }

        private Optional<Object> ofOthers(String field) {
            List<Object> others = seen.getOrDefault(field, List.of());
            return others.isEmpty() ? Optional.empty() : Optional.of(chance.pick(others));
        }

        private Optional<Object> other(Fields.Place place) {
            Object value = place.value();
            if (value == null) {
                return Optional.empty();
            }
            if (value instanceof Message || value instanceof Question || value instanceof ReadPart) {
                return ofOthers(place.field());
            }
            Optional<Object> others = chance.happens(OF_OTHERS) ? ofOthers(place.field()) : Optional.empty();
            if (others.isPresent() && !same(others.get(), value)) {
                return others;
            }
            return Optional.ofNullable(made(place.field(), value));
        }

        private static boolean same(Object one, Object other) {
            return (one instanceof byte[] bytes && other instanceof byte[] more)
                    ? Arrays.equals(bytes, more)
                    : one.equals(other);
        }

        private @Nullable Object made(String field, Object value) {
            if (value instanceof Long number) {
                return number(number);
            } else if (value instanceof CertificateNumber certificate) {
                return new CertificateNumber(number(certificate.value()));
            } else if (value instanceof Epoch epoch) {
                return new Epoch(number(epoch.value()));
            } else if (value instanceof Integer index) {
                return index(index);
            } else if (value instanceof Boolean truth) {
                return !truth;
            } else if (value instanceof Enum<?> constant) {
                return chance.pick(List.of(constant.getDeclaringClass().getEnumConstants()));
            } else if (value instanceof String text) {
                return text(text);
            } else if (value instanceof byte[] bytes) {
                return bytes(field, bytes);
            } else if (value instanceof Hash hash) {
                return hash(hash);
            } else if (value instanceof ClientId) {
                return client();
            } else if (value instanceof AgreementShare share) {
                return share(share);
            } else if (value instanceof VersionVector version) {
                return version(version);
            } else if (value instanceof Value item) {
                return value(item);
            } else if (value instanceof Accused) {
                return chance.happens(0.5)
                        ? new Accused.Server(chance.index(servers + 1))
                        : new Accused.Client(client());
            } else if (value instanceof List<?> list) {
                return list(field, list);
            } else if (value instanceof Signed<?> signed) {
                return signed(signed);
            }
            throw new IllegalStateException("no other value of a " + value.getClass());
        }

        private long number(long number) {
            return switch (chance.index(9)) {
                case 0 -> 0;
                case 1 -> Long.MAX_VALUE;
                case 2 -> Long.MAX_VALUE - 1 - chance.index(3);
                case 3 -> number - 1;
                case 4, 5 -> number + 1;
                case 6 -> number / 2;
                case 7 -> number + chance.between(2, 5_000);
                default -> chance.happens(0.5) ? -number : 1L << chance.index(63);
            };
        }

        private int index(int index) {
            return switch (chance.index(6)) {
                case 0 -> servers;
                case 1 -> MOST_INDEX;
                case 2 -> index + 1;
                case 3 -> chance.happens(0.3) ? -1 : 0;
                default -> chance.index(servers);
            };
        }

        private String text(String text) {
            return switch (chance.index(5)) {
                case 0 -> "";
                case 1 -> text + "x";
                case 2 -> text.isEmpty() ? "\u0000" : text.substring(text.offsetByCodePoints(0, 1));
                case 3 -> "\u20ac\ud83d\ude00" + text;
                default -> "y".repeat(1 + chance.index(LONG_TEXT));
            };
        }

        private byte[] bytes(String field, byte[] bytes) {
            boolean signature = field.endsWith(".signature");
            int length = signature || chance.happens(0.5) ? bytes.length : chance.index(2 * bytes.length + 2);
            byte[] changed = Arrays.copyOf(bytes, length);
            if (changed.length > 0) {
                changed[chance.index(changed.length)] ^= (byte) (1 << chance.index(8));
            }
            return changed;
        }

        private Hash hash(Hash hash) {
            byte[] bytes = hash.toBytes();
            bytes[chance.index(bytes.length)] ^= (byte) (1 << chance.index(8));
            return chance.pick(List.of(Hash.ZERO, Hash.of(bytes), Hash.of(chance.bytes(Hash.LENGTH))));
        }

        private AgreementShare share(AgreementShare share) {
            byte[] bytes = share.toBytes();
            bytes[chance.index(bytes.length)] ^= (byte) (1 << chance.index(8));
            byte[] ofSmallOrder = new byte[AgreementShare.LENGTH];
            return AgreementShare.of(chance.pick(List.of(ofSmallOrder, bytes, chance.bytes(AgreementShare.LENGTH))));
        }

        private ClientId client() {
            PublicKey key = chance.happens(0.5) ? sealer.publicKey() : PublicKey.of(chance.bytes(PublicKey.LENGTH));
            return new ClientId(key, chance.index(3), chance.index(3));
        }

        private VersionVector version(VersionVector version) {
            int size = version.size();
            if (size == 0 || chance.happens(0.1)) {
                int other = chance.pick(List.of(1, size + 1, Math.max(1, size - 1), MOST_INDEX + 1));
                return VersionVector.of(Arrays.copyOf(version.toArray(), other));
            }
            int origin = chance.index(size);
            long component = version.get(origin);
            return switch (chance.index(6)) {
                case 0 -> version.with(origin, 0);
                case 1 -> version.with(origin, Math.max(component, component + 1));
                case 2 -> version.with(origin, Math.max(0, component - 1));
                case 3 -> version.with(origin, Long.MAX_VALUE);
                case 4 -> VersionVector.zero(size);
                default -> version.with(origin, Math.max(component, component + chance.between(2, 5_000)));
            };
        }

        private Value value(Value value) {
            return switch (chance.index(6)) {
                case 0 -> Value.of(number(value instanceof Value.Int number ? number.value() : 1));
                case 1 -> Value.of(text(value instanceof Value.Text text ? text.value() : ""));
                case 2 -> Value.of(chance.bytes(chance.index(LONG_TEXT)));
                case 3 -> Value.sequence(List.of());
                case 4 -> Value.sequence(List.of(value, value));
                default -> {
                    Value deep = value;
                    for (int i = chance.index(DEEP); i >= 0; i--) {
                        deep = Value.sequence(List.of(deep));
                    }
                    yield deep;
                }
            };
        }

        private List<?> list(String field, List<?> list) {
            List<Object> changed = new ArrayList<>(list);
            Optional<Object> item = ofOthers(field)
                    .map(other -> (List<?>) other)
                    .filter(other -> !other.isEmpty())
                    .map(other -> other.get(chance.index(other.size())));
            int choice = chance.index(6);
            if (list.isEmpty()) {
                item.ifPresent(changed::add);
            } else if (choice == 0) {
                changed.clear();
            } else if (choice <= 2) {
                changed.remove(chance.index(changed.size()));
            } else if (choice == 3) {
                changed.add(chance.index(changed.size() + 1), changed.get(chance.index(changed.size())));
            } else if (choice == 4) {
                changed.add(changed.remove(chance.index(changed.size())));
            } else {
                changed.set(chance.index(changed.size()), item.orElse(changed.get(0)));
            }
            return changed;
        }

        private Signed<?> signed(Signed<?> signed) {
            byte[] other = signed.signature().clone();
            other[chance.index(other.length)] ^= (byte) (1 << chance.index(8));
            return chance.happens(0.5)
                    ? new Signed<>(signed.message(), signed.payload(), other)
                    : sealer.seal(signed.message());
        }
    }
}
