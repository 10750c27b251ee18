package org.aspas.certify.wire;

/**
 * Transferable evidence of one row of the protocol page's table (§8): it holds the signed originals, so that nobody needs
 * to trust who hands it on. An instance may hold anything, for it can come from a stranger; {@code
 * certify.evidence.EvidenceJudge} says whether it proves something. Its identity is the SHA-256 of its encoding.
 */
public sealed interface Evidence extends Message
        permits ForkedHeads,
                ForkedEntries,
                BrokenEntry,
                AnswerAgainstLog,
                AnswerAgainstHead,
                BadCertificate,
                CertificateWentBack,
                WrongAnswer,
                WrongState,
                ClientEquivocation {
    /** Whom it is against, as it says itself. */
    Accused accused();
}
