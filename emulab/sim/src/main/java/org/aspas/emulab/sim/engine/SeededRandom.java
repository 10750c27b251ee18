package org.aspas.emulab.sim.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Seeded randomness. Each part of a simulation has its own stream, named after its purpose, so that leaving out one
 * part's choices does not shift another's: a shrunk run stays close to the one it came from.
 */
public final class SeededRandom {
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final long seed;
    private final SplittableRandom random;

    /** The root stream of a seed. */
    public SeededRandom(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    /** A stream of its own; the same seed and name give the same stream, whatever was drawn before. */
    public SeededRandom stream(String name) {
        long mixed = seed;
        for (int i = 0; i < name.length(); i++) {
            mixed = (mixed ^ name.charAt(i)) * MIX;
            mixed ^= mixed >>> 29;
        }
        return new SeededRandom(mixed);
    }

    /** A whole number from the least to the most, both included. */
    public long between(long least, long most) {
        return least + (most > least ? random.nextLong(most - least + 1) : 0);
    }

    /** An index below a bound. */
    public int index(int bound) {
        return random.nextInt(bound);
    }

    public boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** A number from 0 below 1. */
    public double fraction() {
        return random.nextDouble();
    }

    /** A waiting time with this mean, exponentially distributed and at most ten times the mean. */
    public long waiting(long mean) {
        double drawn = -Math.log(1 - random.nextDouble()) * mean;
        return (long) Math.min(drawn, 10.0 * mean);
    }

    public <T> T pick(List<T> list) {
        return list.get(index(list.size()));
    }

    /** Adds to a list that holds so many at most: to a full one, in place of any of them. */
    public <T> void keep(List<T> list, T item, int most) {
        if (list.size() < most) {
            list.add(item);
        } else {
            list.set(index(most), item);
        }
    }

    public <T> List<T> shuffled(List<T> list) {
        List<T> result = new ArrayList<>(list);
        for (int i = result.size() - 1; i > 0; i--) {
            int other = index(i + 1);
            T held = result.get(i);
            result.set(i, result.get(other));
            result.set(other, held);
        }
        return result;
    }

    /** This stream's own numbers, for code that draws them itself. */
    public RandomGenerator generator() {
        return random;
    }

    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
