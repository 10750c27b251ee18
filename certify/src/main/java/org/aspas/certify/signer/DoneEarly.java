package org.aspas.certify.signer;

import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.wire.ProvenContent;
import org.jspecify.annotations.Nullable;

/**
 * What was done last before the order said so (docs/proofs/early-words.md). The order will tell each of it once, and then it is not done
 * again; told a second time, it is, for it may be lost. Not thread-safe.
 */
final class DoneEarly {
    private @Nullable Decided accepted;
    private @Nullable ProvenContent committed;
    private @Nullable ProvenContent signed;

    /** Another question is asked: what was said for the one before may have been refused, so it is said again. */
    void asked() {
        accepted = null;
        committed = null;
    }

    void accepts(Decided decided) {
        accepted = decided;
    }

    void commits(ProvenContent proven) {
        committed = proven;
    }

    void signs(ProvenContent proven) {
        signed = proven;
    }

    /** The order says that it is decided: whether that was foreseen, and is told for the first time. */
    boolean accepted(Decided decided) {
        Decided early = accepted;
        accepted = null;
        return early != null
                && early.attempt() == decided.attempt()
                && early.hash().equals(decided.hash());
    }

    /** The order says that 2b+1 accepted it: whether it was committed to early, and that is told for the first time. */
    boolean committed(ProvenContent proven) {
        ProvenContent early = committed;
        committed = null;
        return early != null
                && early.attempt() == proven.attempt()
                && early.hash().equals(proven.hash());
    }

    /** The order says that 2b+1 committed to it: whether it was signed early, and that is told for the first time. */
    boolean signed(ProvenContent proven) {
        ProvenContent early = signed;
        signed = null;
        return early != null && early.hash().equals(proven.hash());
    }
}
