package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;

/**
 * BLACKLIST (paper §3.6; the protocol page, §8): one appserver's signed verdict on a piece of evidence. f+1 equal ones
 * of others than the accused make a client switch, and convict where signatures alone do not.
 *
 * @param evidence the SHA-256 of the evidence's encoding
 */
public record Blacklist(int server, Hash evidence, Accused accused, Finding finding) implements Message {
    /** What a judge finds. Each has a fixed number on the wire: its ordinal. */
    public enum Finding {
        /** The evidence proves its case, by itself or together with what the judge recomputed. */
        GUILTY,
        /** The evidence is false by its signatures alone. */
        FALSE,
        /** The judge cannot confirm it, or not yet. */
        UNCONFIRMED
    }

    @Override
    public Kind kind() {
        return Kind.BLACKLIST;
    }
}
