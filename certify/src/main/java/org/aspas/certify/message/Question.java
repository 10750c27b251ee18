package org.aspas.certify.message;

import org.jspecify.annotations.Nullable;

/**
 * What a RESPONSE answers: an update or a read. Exactly one of the two is present.
 *
 * @param update the client's signed request
 * @param read the read as it was asked
 */
public record Question(
        @Nullable Signed<Request> update, @Nullable Read read) {
    /**
     * Checks that there is one question.
     *
     * @throws IllegalArgumentException when there is none, or both
     */
    public Question {
        if ((update == null) == (read == null)) {
            throw new IllegalArgumentException("a question is an update or a read");
        }
    }

    /** The question that an update asks. */
    public static Question of(Signed<Request> update) {
        return new Question(update, null);
    }

    /** The question that a read asks. */
    public static Question of(Read read) {
        return new Question(null, read);
    }
}
