package org.aspas.certify.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.aspas.crdt.value.Value;

/** Values that look like states of sets but are often slightly wrong. */
final class StateLikeValues {
    private StateLikeValues() {}

    static Value of(Random random) {
        List<Value> pairs = new ArrayList<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            pairs.add(sometimes(random, Value.sequence(List.of(number(random), additions(random)))));
        }
        return sometimes(random, Value.sequence(pairs));
    }

    private static Value additions(Random random) {
        List<Value> additions = new ArrayList<>();
        for (int left = random.nextInt(3); left > 0; left--) {
            List<Value> dots = new ArrayList<>();
            for (int numbers = random.nextInt(random.nextInt(5) + 1); numbers > 0; numbers--) {
                dots.add(number(random));
            }
            additions.add(sometimes(random, Value.sequence(dots)));
        }
        return sometimes(random, Value.sequence(additions));
    }

    private static Value number(Random random) {
        long[] edges = {-1, 0, 1, 2, 3, Integer.MAX_VALUE, 1L + Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE};
        return sometimes(random, Value.of(edges[random.nextInt(edges.length)]));
    }

    /** The value itself, or now and then something of another form. */
    private static Value sometimes(Random random, Value value) {
        return switch (random.nextInt(60)) {
            case 0 -> Value.of("a");
            case 1 -> Value.of(new byte[] {1});
            case 2 -> Value.sequence(List.of(value));
            case 3 -> Value.sequence(List.of());
            case 4 -> Value.of("x".repeat(5000));
            default -> value;
        };
    }
}
