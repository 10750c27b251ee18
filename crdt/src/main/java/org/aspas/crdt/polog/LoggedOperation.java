package org.aspas.crdt.polog;

import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Operation;

/**
 * An operation stored in a log. Immutable.
 *
 * <p>The order serves canonical listings only; it compares dots before operations.
 *
 * @param dots all dots of the effect in ascending order, at least one
 */
public record LoggedOperation(List<Dot> dots, Operation operation) implements Comparable<LoggedOperation> {

    public LoggedOperation {
        dots = List.copyOf(dots);
    }

    LoggedOperation with(Dot another) {
        TreeSet<Dot> extended = new TreeSet<>(dots);
        extended.add(another);
        return new LoggedOperation(List.copyOf(extended), operation);
    }

    @Override
    public int compareTo(LoggedOperation other) {
        Iterator<Dot> mine = dots.iterator();
        Iterator<Dot> theirs = other.dots.iterator();
        while (mine.hasNext() && theirs.hasNext()) {
            int byDot = mine.next().compareTo(theirs.next());
            if (byDot != 0) {
                return byDot;
            }
        }
        int bySize = Integer.compare(dots.size(), other.dots.size());
        return bySize != 0 ? bySize : operation.compareTo(other.operation);
    }
}
