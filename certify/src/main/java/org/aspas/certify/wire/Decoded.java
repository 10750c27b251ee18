package org.aspas.certify.wire;

import java.util.Optional;

/** What a decoder makes of somebody's bytes. */
public sealed interface Decoded<T> {
    record Accepted<T>(T value) implements Decoded<T> {}

    /**
     * The bytes have no meaning.
     *
     * @param reason why, in words without any of the input
     */
    record Rejected<T>(String reason) implements Decoded<T> {}

    default Optional<T> accepted() {
        return this instanceof Accepted<T> accepted ? Optional.of(accepted.value()) : Optional.empty();
    }
}
