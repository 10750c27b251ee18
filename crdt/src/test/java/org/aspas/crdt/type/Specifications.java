package org.aspas.crdt.type;

import java.util.Collection;
import java.util.List;
import org.aspas.crdt.polog.Tagged;
import org.aspas.crdt.value.Value;

/** The executable specifications: the value of an object from the set of its tagged operations. */
public final class Specifications {

    private Specifications() {}

    /** Returns what an object of a type is worth after exactly these operations, in whatever order. */
    public static Value valueOf(DataType type, Collection<Tagged> operations) {
        return switch (type.name()) {
            case "pn-counter" -> pnCounter(operations);
            case "aw-set" -> awSet(operations);
            default -> throw new IllegalArgumentException("no specification of " + type.name());
        };
    }

    private static Value pnCounter(Collection<Tagged> operations) {
        return Value.of(operations.stream()
                .mapToLong(each -> ((Value.Int) each.operation().argument()).value()
                        * (each.operation().name().equals("increment") ? 1 : -1))
                .sum());
    }

    private static Value awSet(Collection<Tagged> operations) {
        List<Value> present = operations.stream()
                .filter(add -> add.operation().name().equals("add"))
                .filter(add -> operations.stream().noneMatch(later -> removes(later, add)))
                .map(add -> add.operation().argument())
                .distinct()
                .sorted()
                .toList();
        return Value.sequence(present);
    }

    private static boolean removes(Tagged later, Tagged add) {
        return later.observedAny(List.of(add.dot()))
                && switch (later.operation().name()) {
                    case "clear" -> true;
                    case "remove" ->
                        later.operation().argument().equals(add.operation().argument());
                    default -> false;
                };
    }
}
