package org.aspas.emulab.sim.model;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** What a data type means, on the set of its counted updates (docs/formats.md §7). */
interface Meaning {
    /** The types, by name ascending. */
    List<Meaning> ALL = List.of(new SetModel(), new CounterModel());

    static Optional<Meaning> of(String type) {
        return ALL.stream().filter(one -> one.type().equals(type)).findFirst();
    }

    String type();

    /** Whether an operation is one of the type, with arguments of the right kind and size. */
    boolean admits(Operation operation);

    /** What of the updates later ones and the value depend on, when all that is not in the set came before. */
    State state(Collection<CountedUpdate> updates);

    /** The state that some updates made, and new ones after it or beside it. */
    State next(State before, Collection<CountedUpdate> added);

    interface State {
        /** What a read returns. */
        Value value();

        /** The bytes that the leaf of an object under a key is the hash of. */
        byte[] content(String key);

        /** The size of what an operation makes larger, of which a limit stops growth. */
        long size(Operation operation);

        /** The size of the largest that an operation can make larger. */
        long largest();
    }

    /** Whether an operation makes the state larger without a bound. */
    boolean grows(Operation operation);

    /** {@code pn-counter}: the sum over all counted updates, in 64-bit wrap-around arithmetic. */
    final class CounterModel implements Meaning {
        private record Sum(long sum) implements State {
            @Override
            public Value value() {
                return Value.of(sum);
            }

            @Override
            public byte[] content(String key) {
                return new Cbor()
                        .array(4)
                        .integer(1)
                        .text(key)
                        .text("pn-counter")
                        .integer(sum)
                        .bytes();
            }

            @Override
            public long size(Operation operation) {
                return largest();
            }

            @Override
            public long largest() {
                return Long.BYTES;
            }
        }

        @Override
        public String type() {
            return "pn-counter";
        }

        @Override
        public boolean admits(Operation operation) {
            return (operation.name().equals("increment") || operation.name().equals("decrement"))
                    && operation.arguments().size() == 1
                    && operation.arguments().get(0) instanceof Value.Int amount
                    && amount.value() > 0;
        }

        @Override
        public boolean grows(Operation operation) {
            return false;
        }

        @Override
        public State state(Collection<CountedUpdate> updates) {
            long sum = 0;
            for (CountedUpdate update : updates) {
                Operation operation = update.request().operation();
                long amount = ((Value.Int) operation.arguments().get(0)).value();
                sum = operation.name().equals("increment") ? sum + amount : sum - amount;
            }
            return new Sum(sum);
        }

        @Override
        public State next(State before, Collection<CountedUpdate> added) {
            return new Sum(((Sum) before).sum + ((Sum) state(added)).sum);
        }
    }
}
