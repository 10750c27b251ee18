package org.aspas.crdt.type;

import java.util.List;
import java.util.Optional;
import org.aspas.crdt.polog.Tagged;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * The type {@code pn-counter}: {@code increment n} and {@code decrement n} with n at least 1.
 *
 * <p>All operations commute, so there is no log (arXiv:1710.04469, section 4.1): the state is the sum.
 * Arithmetic wraps around at 64 bits; that keeps addition commutative and associative, which a saturating
 * or failing sum would not be, so all replicas agree even on an overflow.
 */
final class PnCounterType implements DataType {

    @Override
    public String name() {
        return "pn-counter";
    }

    @Override
    public Crdt empty() {
        return new PnCounter(0);
    }

    @Override
    public Optional<String> check(Operation operation) {
        if (!operation.name().equals("increment") && !operation.name().equals("decrement")) {
            return Optional.of("pn-counter has the operations increment and decrement only");
        }
        if (operation.arguments().size() != 1) {
            return Optional.of(operation.name() + " takes exactly one argument");
        }
        boolean positive = operation.argument() instanceof Value.Int amount && amount.value() >= 1;
        return positive ? Optional.empty() : Optional.of(operation.name() + " takes an integer of at least 1");
    }

    @Override
    public boolean grows(Operation operation) {
        return false;
    }

    @Override
    public Optional<Crdt> decode(Value state) {
        return state instanceof Value.Int sum ? Optional.of(new PnCounter(sum.value())) : Optional.empty();
    }

    private static final class PnCounter implements Crdt {
        private long sum;

        PnCounter(long sum) {
            this.sum = sum;
        }

        @Override
        public DataType type() {
            return DataTypes.PN_COUNTER;
        }

        @Override
        public List<Value> apply(Tagged tagged) {
            Operation operation = tagged.operation();
            if (type().check(operation).isEmpty() && operation.argument() instanceof Value.Int amount) {
                sum += operation.name().equals("increment") ? amount.value() : -amount.value();
            }
            return List.of();
        }

        @Override
        public Value value() {
            return Value.of(sum);
        }

        @Override
        public Value state() {
            return Value.of(sum);
        }

        @Override
        public long bytes() {
            return Long.BYTES;
        }

        @Override
        public Crdt copy() {
            return new PnCounter(sum);
        }
    }
}
