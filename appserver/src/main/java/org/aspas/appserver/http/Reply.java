package org.aspas.appserver.http;

import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.jspecify.annotations.Nullable;

/** What the core says to the JSON client about one update or read. */
sealed interface Reply {
    /**
     * It is done.
     *
     * @param read the read that it answers; null for an update
     */
    record Answered(Answer answer, @Nullable Read read) implements Reply {}

    /** It is not done and will not be. */
    record Refused(Refusal refusal) implements Reply {}
}
