package org.aspas.appserver.core.objects;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import org.aspas.certify.wire.StateLeaves;

/**
 * The numbers of a client that are counted: all up to some, and a few bits after these. None is as much as
 * {@link StateLeaves#SPAN} greater than the lowest that is missing. For one thread.
 */
final class CountedNumbers {
    private static final int BYTE = Byte.SIZE;

    /** Numbers up to this one are all in; a multiple of 64. */
    private long below;

    /** Bit i stands for the number below + i + 1. */
    private BitSet after;

    CountedNumbers() {
        this(0, new BitSet());
    }

    private CountedNumbers(long below, BitSet after) {
        this.below = below;
        this.after = after;
    }

    CountedNumbers copy() {
        return new CountedNumbers(below, (BitSet) after.clone());
    }

    boolean contains(long number) {
        return number <= below || number - below <= after.length() && after.get((int) (number - below - 1));
    }

    /** The lowest number that is missing, at least 1. */
    long lowestMissing() {
        return below + after.nextClearBit(0) + 1;
    }

    /** The highest number, 0 if there is none. */
    long highest() {
        return below + after.length();
    }

    boolean admits(long number) {
        return number - lowestMissing() < StateLeaves.SPAN;
    }

    /** Adds a number that is admitted. */
    void add(long number) {
        if (number > below) {
            after.set((int) (number - below - 1));
            int whole = after.nextClearBit(0) / Long.SIZE * Long.SIZE;
            if (whole > 0) {
                after = after.get(whole, Math.max(whole, after.length()));
                below += whole;
            }
        }
    }

    /** How many times eight numbers from 1 on are all in. */
    long fullBytes() {
        return (lowestMissing() - 1) / BYTE;
    }

    /** The bits behind {@link #fullBytes}, as {@link StateLeaves#client} has them. */
    byte[] rest() {
        return after.get((int) (fullBytes() * BYTE - below), Math.max(after.length(), 1))
                .toByteArray();
    }

    /** The first block of numbers of which it is remembered what counted. */
    long firstBlock() {
        return Math.max(0, (highest() - 1) / StateLeaves.BLOCK - StateLeaves.REMEMBERED_BLOCKS);
    }

    /** The numbers that have these {@link #fullBytes} and this {@link #rest}; empty when none have. */
    static Optional<CountedNumbers> of(long fullBytes, byte[] rest) {
        if (fullBytes < 0 || fullBytes > Long.MAX_VALUE >> Long.BYTES || rest.length > StateLeaves.SPAN / BYTE + 1) {
            return Optional.empty();
        }
        long below = fullBytes * BYTE / Long.SIZE * Long.SIZE;
        int full = (int) (fullBytes * BYTE - below);
        BitSet bits = BitSet.valueOf(rest);
        BitSet after = new BitSet();
        after.set(0, full);
        bits.stream().forEach(bit -> after.set(full + bit));
        CountedNumbers numbers = new CountedNumbers(below, after);
        return numbers.fullBytes() == fullBytes && Arrays.equals(numbers.rest(), rest)
                ? Optional.of(numbers)
                : Optional.empty();
    }

    Numbers toNumbers() {
        Numbers numbers = new Numbers();
        numbers.restore(
                lowestMissing() - 1,
                after.stream().mapToObj(bit -> below + bit + 1).toList());
        return numbers;
    }
}
