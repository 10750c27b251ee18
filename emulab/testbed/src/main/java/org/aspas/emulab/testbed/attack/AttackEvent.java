package org.aspas.emulab.testbed.attack;

import java.util.Locale;
import org.aspas.certify.wire.Evidence;
import org.jspecify.annotations.Nullable;

/**
 * One line of what happens around a Byzantine appserver.
 *
 * @param millis when, in milliseconds since the first misdeed, before that since the workload began
 * @param by who does it or finds it
 * @param text one sentence for people, without the time
 * @param evidence the proof that the line is about; null for none
 */
public record AttackEvent(
        Kind kind,
        long millis,
        String by,
        String text,
        @Nullable Evidence evidence) {
    public enum Kind {
        /** The attack begins. */
        CORRUPTED,
        /** The first misdeed. */
        MISDEED,
        /** A client's check fails, or a client leaves, before there is a proof. */
        NOTICED,
        /** A client brings a proof to other servers. */
        COMPLAINT,
        /** A correct server holds a proof. */
        PROOF,
        VERDICT,
        EXCLUDED,
        SWITCHED,
        /** A client's updates beyond the cut are revoked. */
        REVOKED,
        /** A client gives updates to another server. */
        RESUBMITTED,
        /** A client goes back to certified values. */
        ROLLED_BACK,
        /** What must not happen: a certificate excludes a correct server. */
        WRONG
    }

    /** For a terminal: with the time in front, but for the beginning of the attack. */
    String forTerminal() {
        return kind == Kind.CORRUPTED ? text : String.format(Locale.ROOT, "%,9d ms  %s", millis, text);
    }
}
