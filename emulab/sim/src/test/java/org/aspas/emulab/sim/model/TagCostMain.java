package org.aspas.emulab.sim.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import org.aspas.certify.wire.Codec;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.polog.LoggedOperation;
import org.aspas.crdt.polog.PoLog;
import org.aspas.crdt.polog.Redundancy;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * What the dots of a set's elements cost, from the command line: the number of elements. Causal stability would drop them; here
 * all elements share one dot instead, so that the difference is what they cost (docs/adr/0015-dots-stay.md).
 */
public final class TagCostMain {
    private static final Redundancy NOTHING_IS_REDUNDANT = new Redundancy() {
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
            return Optional.of(operation.argument());
        }
    };

    private TagCostMain() {}

    /** Prints the figures, a line each. */
    public static void main(String[] arguments) {
        int elements = Integer.parseInt(arguments[0]);
        List<Dot> shared = List.of(new Dot(0, 1));
        // The order of the two is changed, so that what the first one loads is not counted for one of them.
        double[] own = new double[3];
        double[] one = new double[3];
        for (int round = 0; round < own.length; round++) {
            own[round] = heapOf(elements, i -> List.of(new Dot(i % 4, 1_000_000L + i / 4)));
            one[round] = heapOf(elements, i -> shared);
        }
        Arrays.sort(own);
        Arrays.sort(one);
        print("heap per element with its dot, bytes", own[1]);
        print("heap per element with a shared dot, bytes", one[1]);
        print("a dot in the state's encoding, bytes", encoded(1_000_000L) - encoded(0));
    }

    private static double heapOf(int elements, IntFunction<List<Dot>> dots) {
        long before = heap();
        PoLog log = new PoLog(NOTHING_IS_REDUNDANT);
        for (int i = 0; i < elements; i++) {
            log.store(new LoggedOperation(dots.apply(i), Operation.of("add", Value.of(i))));
        }
        double each = (heap() - before) / (double) elements;
        if (log.size() != elements) {
            throw new IllegalStateException("elements are missing");
        }
        return each;
    }

    private static long heap() {
        System.gc();
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** The bytes of an element's additions: with one dot, or (0) with none. */
    private static int encoded(long sequence) {
        Value dot =
                sequence == 0 ? Value.sequence(List.of()) : Value.sequence(List.of(Value.of(3), Value.of(sequence)));
        return Codec.encodeValue(sequence == 0 ? dot : Value.sequence(List.of(dot))).length;
    }

    private static void print(String what, double figure) {
        System.out.printf(Locale.ROOT, "%-48s %,10.1f%n", what, figure);
    }
}
