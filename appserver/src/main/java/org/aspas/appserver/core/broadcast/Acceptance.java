package org.aspas.appserver.core.broadcast;

/** What became of a batch. The lower-case name with {@code batch_} before it is the name of its counter. */
public enum Acceptance {
    /** Entries were added. */
    ADDED,
    /** All of it was known. */
    KNOWN,
    /** It begins beyond what is held. */
    GAP,
    /** Too many entries of this origin wait already. */
    FULL,
    /** It is this server's own log. */
    OWN,
    /** The head is not signed by the origin, or the sizes do not fit. */
    BAD_HEAD,
    /** An entry is longer than any that a correct origin makes. Nothing is proved by it, so its origin only stands still. */
    OVERSIZED,
    /** The entries do not make the signed root. */
    BAD_ROOT,
    /** The signed log has another history than the one held: the origin forked. */
    FORK,
    /** The log would end otherwise than it is certified. */
    OFF_LOG,
    /** The origin is excluded: nothing of it is taken beyond its cut. */
    CUT,
    /** The origin signed an entry that breaks the rules. */
    BROKEN_ENTRY
}
