package org.aspas.emulab.sim.model;

import java.util.Collection;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** {@code pn-counter}: the sum over all counted updates, in 64-bit wrap-around arithmetic. */
final class CounterMeaning implements Meaning {
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
