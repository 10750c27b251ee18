package org.aspas.crdt.value;

import java.util.List;

/**
 * An operation on an object as its issuer stated it: a name and arguments, with nothing derived from state. Immutable.
 *
 * <p>{@link org.aspas.crdt.type.DataType#check} decides whether the name and the arguments suit a data type.
 *
 * @param name the operation name, such as {@code add}
 * @param arguments the arguments in order; copied
 */
public record Operation(String name, List<Value> arguments) implements Comparable<Operation> {
    public Operation {
        arguments = List.copyOf(arguments);
    }

    public static Operation of(String name, Value... arguments) {
        return new Operation(name, List.of(arguments));
    }

    /** Orders by name and then by arguments, lexicographically; a canonical order without further meaning. */
    @Override
    public int compareTo(Operation other) {
        int byName = name.compareTo(other.name);
        return byName != 0 ? byName : Value.sequence(arguments).compareTo(Value.sequence(other.arguments));
    }

    /**
     * Returns the first argument.
     *
     * @throws IndexOutOfBoundsException if there is none
     */
    public Value argument() {
        return arguments.get(0);
    }
}
