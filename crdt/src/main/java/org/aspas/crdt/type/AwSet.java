package org.aspas.crdt.type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.polog.LoggedOperation;
import org.aspas.crdt.polog.PoLog;
import org.aspas.crdt.polog.Tagged;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * The state of an add-wins set.
 *
 * <p>Its canonical form is a sequence of pairs (element, additions), elements ascending. The additions are a
 * sequence, ascending, of the dots of each surviving addition, written as {@code [origin, sequence, origin,
 * sequence, ...]}.
 */
final class AwSet implements Crdt, ElementsView {

    private final PoLog log;

    AwSet(PoLog log) {
        this.log = log;
    }

    @Override
    public DataType type() {
        return DataTypes.AW_SET;
    }

    @Override
    public List<Value> apply(Tagged operation) {
        return type().check(operation.operation()).isEmpty() ? log.deliver(operation) : List.of();
    }

    @Override
    public List<Value> alias(Operation operation, Dot known, Dot another) {
        return operation.name().equals(AwSetType.ADD) && type().check(operation).isEmpty()
                ? log.alias(operation, known, another)
                : List.of();
    }

    @Override
    public long bytes() {
        return log.bytes();
    }

    @Override
    public long bytes(Operation operation) {
        return operation.arguments().stream().findFirst().map(this::bytes).orElseGet(this::bytes);
    }

    @Override
    public long bytes(Value element) {
        return log.bytesOf(element);
    }

    @Override
    public Crdt copy() {
        return new AwSet(log.copy());
    }

    @Override
    public Value value() {
        List<Value> elements = new ArrayList<>(log.size());
        log.forEachPart((element, additions) -> elements.add(element));
        return Value.sequence(elements);
    }

    @Override
    public Value state() {
        List<Value> pairs = new ArrayList<>(log.size());
        log.forEachPart((element, additions) -> pairs.add(Value.sequence(List.of(element, encode(additions)))));
        return Value.sequence(pairs);
    }

    @Override
    public Optional<ElementsView> elements() {
        return Optional.of(this);
    }

    @Override
    public long size() {
        return log.size();
    }

    @Override
    public Value state(Value element) {
        return encode(log.part(element));
    }

    /** Restores a state; empty if the value is not the canonical form of one. */
    static Optional<Crdt> decode(Value state) {
        PoLog log = new PoLog(AwSetType.RELATIONS);
        if (!(state instanceof Value.Sequence pairs)) {
            return Optional.empty();
        }
        for (Value pair : pairs.items()) {
            if (!decodePair(pair, log)) {
                return Optional.empty();
            }
        }
        AwSet decoded = new AwSet(log);
        return decoded.state().equals(state) ? Optional.of(decoded) : Optional.empty();
    }

    private static Value encode(List<LoggedOperation> additions) {
        List<Value> encoded = new ArrayList<>(additions.size());
        for (LoggedOperation addition : additions) {
            List<Value> dots = new ArrayList<>(2 * addition.dots().size());
            for (Dot dot : addition.dots()) {
                dots.add(Value.of(dot.origin()));
                dots.add(Value.of(dot.sequence()));
            }
            encoded.add(Value.sequence(dots));
        }
        return Value.sequence(encoded);
    }

    private static boolean decodePair(Value pair, PoLog log) {
        if (!(pair instanceof Value.Sequence fields)
                || fields.items().size() != 2
                || !AwSetType.isElement(fields.items().get(0))
                || !(fields.items().get(1) instanceof Value.Sequence additions)) {
            return false;
        }
        Operation addition = Operation.of(AwSetType.ADD, fields.items().get(0));
        for (Value encoded : additions.items()) {
            Optional<List<Dot>> dots = decodeDots(encoded);
            if (dots.isEmpty()) {
                return false;
            }
            log.store(new LoggedOperation(dots.get(), addition));
        }
        return true;
    }

    private static Optional<List<Dot>> decodeDots(Value encoded) {
        if (!(encoded instanceof Value.Sequence numbers)
                || numbers.items().isEmpty()
                || numbers.items().size() % 2 != 0) {
            return Optional.empty();
        }
        List<Dot> dots = new ArrayList<>(numbers.items().size() / 2);
        for (int i = 0; i < numbers.items().size(); i += 2) {
            if (!(numbers.items().get(i) instanceof Value.Int origin)
                    || !(numbers.items().get(i + 1) instanceof Value.Int sequence)
                    || origin.value() < 0
                    || origin.value() > Integer.MAX_VALUE
                    || !SequenceNumbers.isSequence(sequence.value())) {
                return Optional.empty();
            }
            dots.add(new Dot((int) origin.value(), sequence.value()));
        }
        boolean ascending = dots.stream().sorted().distinct().toList().equals(dots);
        return ascending ? Optional.of(dots) : Optional.empty();
    }
}
