package org.aspas.crdt.clock;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A fixed-size version vector: component {@code i} is the sequence of the last included operation of origin {@code i}, and all
 * earlier ones are included too. In the first incarnation ({@link SequenceNumbers}) this equals their number.
 *
 * <p>Vectors form a join-semilattice with {@link #join} (component-wise maximum). Components are never negative. Combining vectors
 * of different sizes raises {@link IllegalArgumentException}, because it can only mean that two memberships were mixed up.
 *
 * <p>Instances are immutable and safe for use by several threads.
 */
public final class VersionVector {

    private final long[] components;

    private VersionVector(long[] owned) {
        this.components = owned;
    }

    /**
     * Returns the vector that includes no operation.
     *
     * @param size the number of origins, from 0
     * @throws IllegalArgumentException if the size is negative
     */
    public static VersionVector zero(int size) {
        if (size < 0) {
            throw new IllegalArgumentException("size must not be negative: " + size);
        }
        return new VersionVector(new long[size]);
    }

    /**
     * Returns the vector with these components, which are copied.
     *
     * @throws IllegalArgumentException if a component is negative
     */
    public static VersionVector of(long... components) {
        for (long component : components) {
            requireComponent(component);
        }
        return new VersionVector(components.clone());
    }

    public int size() {
        return components.length;
    }

    /**
     * Returns the component of an origin: the sequence of its last included operation, or 0 for none.
     *
     * @throws IllegalArgumentException if the origin is outside {@code [0, size)}
     */
    public long get(int origin) {
        return components[requireOrigin(origin)];
    }

    /**
     * Returns a vector that differs from this one in a single component.
     *
     * @throws IllegalArgumentException if the origin is outside {@code [0, size)} or the value is negative
     */
    public VersionVector with(int origin, long value) {
        requireOrigin(origin);
        requireComponent(value);
        long[] copy = components.clone();
        copy[origin] = value;
        return new VersionVector(copy);
    }

    /**
     * Returns the component-wise maximum: the smallest vector that dominates both.
     *
     * @throws IllegalArgumentException if the sizes differ
     */
    public VersionVector join(VersionVector other) {
        requireSameSize(other);
        long[] result = components.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] = Math.max(result[i], other.components[i]);
        }
        return new VersionVector(result);
    }

    /**
     * Returns whether this vector is greater than or equal to the other one in every component.
     *
     * @throws IllegalArgumentException if the sizes differ
     */
    public boolean dominates(VersionVector other) {
        requireSameSize(other);
        for (int i = 0; i < components.length; i++) {
            if (components[i] < other.components[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the operation with this dot is included.
     *
     * @throws IllegalArgumentException if the dot's origin is outside {@code [0, size)}
     */
    public boolean covers(Dot dot) {
        return get(dot.origin()) >= dot.sequence();
    }

    /** Returns a fresh array with the components in origin order. */
    public long[] toArray() {
        return components.clone();
    }

    /**
     * Returns the sum of the components: the number of included operations.
     *
     * @throws ArithmeticException if the sum does not fit into 64 bits
     */
    public long sum() {
        long sum = 0;
        for (long component : components) {
            sum = Math.addExact(sum, component);
        }
        return sum;
    }

    private int requireOrigin(int origin) {
        if (origin < 0 || origin >= components.length) {
            throw new IllegalArgumentException("origin " + origin + " is outside [0, " + components.length + ")");
        }
        return origin;
    }

    private static void requireComponent(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("a component must not be negative: " + value);
        }
    }

    private void requireSameSize(VersionVector other) {
        if (components.length != other.components.length) {
            throw new IllegalArgumentException(
                    "version vectors of sizes " + components.length + " and " + other.components.length);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof VersionVector that && Arrays.equals(components, that.components);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(components);
    }

    @Override
    public String toString() {
        return Arrays.toString(components);
    }
}
