package org.aspas.crdt.polog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** What a delivery costs, and how large the log is. */
class PoLogTest {
    private static final int STORED = 1_000;

    private int compared;
    private final PoLog log = new PoLog(new Redundancy() {
        @Override
        public boolean redundant(Operation arriving) {
            return !arriving.name().equals("add");
        }

        @Override
        public boolean makesRedundant(Operation arriving, Operation stored, boolean storedObserved) {
            compared++;
            return storedObserved;
        }

        @Override
        public Optional<Value> part(Operation operation) {
            return operation.arguments().stream().findFirst();
        }
    });

    private void add(int origin, long sequence, Value element) {
        log.deliver(new Tagged(new Dot(origin, sequence), VersionVector.zero(3), Operation.of("add", element)));
    }

    private void clear(long... observed) {
        log.deliver(new Tagged(new Dot(2, 1 + observed[2]), VersionVector.of(observed), Operation.of("clear")));
    }

    private void fill() {
        for (int i = 1; i <= STORED; i++) {
            add(i % 2, (i + 1) / 2, Value.of(i));
        }
        compared = 0;
    }

    @Test
    void aClearLooksOnlyAtWhatItHasObserved() {
        fill();
        for (int i = 0; i < STORED; i++) {
            clear(0, 0, i);
        }
        assertThat(compared).isZero();
        clear(3, 0, STORED);
        assertThat(compared).isEqualTo(3);
        assertThat(log.size()).isEqualTo(STORED - 3);
        log.alias(Operation.of("add", Value.of(8)), new Dot(0, 4), new Dot(2, 5));
        clear(0, 0, 5);
        assertThat(log.size()).isEqualTo(STORED - 4);
        assertThat(log.part(Value.of(8))).isEmpty();
        clear(3, 2, STORED);
        assertThat(log.size()).isEqualTo(STORED - 6);
        assertThat(compared).isEqualTo(6);
    }

    @Test
    void theSizeFollowsWhatIsStored() {
        assertThat(log.bytes()).isZero();
        add(0, 1, Value.of("é"));
        assertThat(log.bytes()).isEqualTo(16 + 2 + 16);
        log.alias(Operation.of("add", Value.of("é")), new Dot(0, 1), new Dot(1, 1));
        add(0, 2, Value.of(7));
        add(1, 2, Value.of(new byte[100]));
        assertThat(log.bytes()).isEqualTo(50 + 40 + 132);
        assertThat(log.copy().bytes()).isEqualTo(222);
        clear(1, 2, 0);
        assertThat(log.bytes()).isEqualTo(40);
    }

    @Test
    void theSizeIsAFunctionOfWhatIsStored() {
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            for (int i = 1; i <= 100; i++) {
                long seen = random.nextInt(i);
                Operation operation = switch (random.nextInt(6)) {
                    case 0 -> Operation.of("clear");
                    case 1 -> Operation.of("remove", Value.of("x".repeat(random.nextInt(9))));
                    default -> Operation.of("add", Value.of("x".repeat(random.nextInt(9))));
                };
                log.deliver(
                        new Tagged(new Dot(0, 100 * seed + i), VersionVector.of(100 * seed + seen, 0, 0), operation));
            }
            PoLog again = new PoLog(new Redundancy() {
                @Override
                public boolean redundant(Operation arriving) {
                    return false;
                }

                @Override
                public boolean makesRedundant(Operation arriving, Operation stored, boolean storedObserved) {
                    return false;
                }

                @Override
                public Optional<Value> part(Operation operation) {
                    return operation.arguments().stream().findFirst();
                }
            });
            log.forEachPart((part, stored) -> stored.forEach(again::store));
            assertThat(log.bytes()).as("seed %d", seed).isEqualTo(again.bytes());
        }
    }
}
