package org.aspas.emulab.sim.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * {@code aw-set}: an addition survives unless another counted update of its element, or a clear, has observed it. The
 * element is present while any addition of it survives.
 */
final class SetModel implements Meaning {
    private static final int MOST_BYTES = 4096;
    private static final int FIXED_BYTES = 16;

    /** Integers by number, then texts by their UTF-8 bytes, then byte strings by unsigned bytes. */
    private static final Comparator<Value> ELEMENTS = SetModel::compareElements;

    @Override
    public String type() {
        return "aw-set";
    }

    @Override
    public boolean admits(Operation operation) {
        List<Value> arguments = operation.arguments();
        return switch (operation.name()) {
            case "clear" -> arguments.isEmpty();
            case "add", "remove" -> arguments.size() == 1 && isElement(arguments.get(0));
            default -> false;
        };
    }

    private static boolean isElement(Value value) {
        return value instanceof Value.Int || (!(value instanceof Value.Sequence) && bytes(value).length <= MOST_BYTES);
    }

    @Override
    public boolean grows(Operation operation) {
        return operation.name().equals("add");
    }

    @Override
    public State state(Collection<CountedUpdate> updates) {
        List<CountedUpdate> clears = new ArrayList<>();
        Map<Value, List<CountedUpdate>> ofElement = new HashMap<>();
        for (CountedUpdate update : updates) {
            Operation operation = update.request().operation();
            List<CountedUpdate> related = operation.name().equals("clear")
                    ? clears
                    : ofElement.computeIfAbsent(operation.arguments().get(0), any -> new ArrayList<>());
            related.add(update);
        }
        SortedMap<Value, List<CountedUpdate>> surviving = new TreeMap<>(ELEMENTS);
        ofElement.forEach((element, related) -> {
            List<CountedUpdate> additions = related.stream()
                    .filter(update -> update.request().operation().name().equals("add"))
                    .filter(addition -> !observed(addition, related) && !observed(addition, clears))
                    .toList();
            if (!additions.isEmpty()) {
                surviving.put(element, additions);
            }
        });
        return new Additions(surviving);
    }

    private static boolean observed(CountedUpdate addition, List<CountedUpdate> by) {
        return by.stream().anyMatch(other -> other != addition && other.observed(addition));
    }

    @Override
    public State next(State before, Collection<CountedUpdate> added) {
        List<CountedUpdate> together = new ArrayList<>(added);
        ((Additions) before).surviving.values().forEach(together::addAll);
        return state(together);
    }

    /** The additions that survive, by element. */
    private record Additions(SortedMap<Value, List<CountedUpdate>> surviving) implements State {
        @Override
        public Value value() {
            return Value.sequence(List.copyOf(surviving.keySet()));
        }

        @Override
        public byte[] content(String key) {
            StateMap elements = new StateMap();
            surviving.forEach((element, additions) -> {
                byte[] places = new Cbor().value(places(additions)).bytes();
                Value shortForm = places.length <= 32 ? places(additions) : Value.of(Sha256.of(places));
                elements.put(
                        Sha256.named("element-path", new Cbor().value(element).bytes()),
                        Sha256.named(
                                "element-leaf",
                                new Cbor()
                                        .array(3)
                                        .integer(1)
                                        .value(element)
                                        .value(shortForm)
                                        .bytes()));
            });
            return new Cbor()
                    .array(5)
                    .integer(1)
                    .text(key)
                    .text("aw-set")
                    .integer(surviving.size())
                    .string(elements.root())
                    .bytes();
        }

        private static Value places(List<CountedUpdate> additions) {
            return Value.sequence(additions.stream()
                    .map(Additions::numbers)
                    .sorted(Arrays::compare)
                    .map(numbers -> Value.sequence(
                            Arrays.stream(numbers).mapToObj(Value::of).toList()))
                    .toList());
        }

        private static long[] numbers(CountedUpdate addition) {
            return addition.dots().keySet().stream()
                    .flatMapToLong(dot -> LongStream.of(dot.origin(), dot.sequence()))
                    .toArray();
        }

        @Override
        public long size(Operation operation) {
            Value element = operation.arguments().get(0);
            return size(element, surviving.getOrDefault(element, List.of()));
        }

        @Override
        public long largest() {
            return surviving.entrySet().stream()
                    .mapToLong(each -> size(each.getKey(), each.getValue()))
                    .max()
                    .orElse(0);
        }

        private static long size(Value element, List<CountedUpdate> additions) {
            long size = 0;
            for (CountedUpdate addition : additions) {
                size += FIXED_BYTES + (long) FIXED_BYTES * addition.dots().size() + elementBytes(element);
            }
            return size;
        }
    }

    private static long elementBytes(Value element) {
        return element instanceof Value.Int ? Long.BYTES : bytes(element).length;
    }

    private static int compareElements(Value one, Value other) {
        if (one instanceof Value.Int a && other instanceof Value.Int b) {
            return Long.compare(a.value(), b.value());
        }
        int byKind = Integer.compare(kind(one), kind(other));
        return byKind != 0 ? byKind : Arrays.compareUnsigned(bytes(one), bytes(other));
    }

    private static int kind(Value element) {
        return element instanceof Value.Int ? 0 : element instanceof Value.Text ? 1 : 2;
    }

    private static byte[] bytes(Value element) {
        return element instanceof Value.Text text
                ? text.value().getBytes(StandardCharsets.UTF_8)
                : ((Value.Blob) element).toBytes();
    }
}
