package org.aspas.certify.codec;

import java.util.Optional;

/**
 * What a decoder makes of somebody's bytes.
 *
 * @param <T> the meaning
 */
public sealed interface Decoded<T> {
    /**
     * The bytes have a meaning.
     *
     * @param value the meaning
     */
    record Accepted<T>(T value) implements Decoded<T> {}

    /**
     * The bytes have none.
     *
     * @param reason why, in words without any of the input
     */
    record Rejected<T>(String reason) implements Decoded<T> {}

    /** The meaning, if there is one. */
    default Optional<T> accepted() {
        return this instanceof Accepted<T> accepted ? Optional.of(accepted.value()) : Optional.empty();
    }
}
