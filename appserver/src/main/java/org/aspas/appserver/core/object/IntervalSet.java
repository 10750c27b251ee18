package org.aspas.appserver.core.object;

import java.util.Collection;
import java.util.TreeSet;

/** A set of numbers from 1 that has few gaps. For one thread. */
public final class IntervalSet {
    private final TreeSet<Long> sparse = new TreeSet<>();
    private long contiguous;

    /** Adds a number of at least 1. */
    public void add(long number) {
        if (number > contiguous) {
            sparse.add(number);
            close();
        }
    }

    private void close() {
        while (sparse.remove(contiguous + 1)) {
            contiguous++;
        }
    }

    public void addAll(IntervalSet others) {
        restore(others.contiguous, others.sparse);
    }

    /** Adds all numbers from 1 up to a floor, and others. */
    void restore(long floor, Collection<Long> others) {
        if (floor > contiguous) {
            contiguous = floor;
            sparse.headSet(floor, true).clear();
        }
        others.forEach(this::add);
        close();
    }

    public void remove(long number) {
        if (number > contiguous) {
            sparse.remove(number);
            return;
        }
        for (long above = number + 1; above <= contiguous; above++) {
            sparse.add(above);
        }
        contiguous = number - 1;
    }

    public boolean contains(long number) {
        return number <= contiguous || sparse.contains(number);
    }

    /** The largest number up to which none is missing. */
    public long contiguous() {
        return contiguous;
    }
}
