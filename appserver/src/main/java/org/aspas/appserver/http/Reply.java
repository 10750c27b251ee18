package org.aspas.appserver.http;

import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Refusal;

/** What the core says to the JSON client about one update or read. */
sealed interface Reply {
    /** It is done. */
    record Answered(Answer answer) implements Reply {}

    /** It is not done and will not be. */
    record Refused(Refusal refusal) implements Reply {}
}
