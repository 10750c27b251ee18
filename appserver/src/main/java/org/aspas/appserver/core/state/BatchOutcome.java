package org.aspas.appserver.core.state;

/**
 * What became of a batch, or of certified entries. The lower-case name with {@code batch_} or {@code certified_} before it
 * is the name of its counter.
 */
public enum BatchOutcome {
    ADDED,
    /** All of it was known. */
    KNOWN,
    /** The places that it is about are forgotten: nothing can be said of it. */
    PRUNED,
    /** It begins beyond what is held. */
    GAP,
    /** Too many entries of this origin, or too many bytes of them, wait already. */
    FULL,
    /** It is this server's own log. */
    OWN,
    /** The head is not signed by the origin, or the sizes do not fit. */
    BAD_HEAD,
    /** An entry is longer than any that a correct origin makes. Nothing is proved by it, so its origin only stands still. */
    OVERSIZED,
    /** It names a later incarnation of its origin than the open one: it is held back, proves nothing, and its origin only stands still. */
    LATER_INCARNATION,
    /** The entries do not make the signed or the certified root. */
    BAD_ROOT,
    /** The signed log has another history than the one held: the origin forked. */
    FORK,
    /** Certified entries came, and none of that origin are certified and lacking here. */
    UNASKED,
    /** The log here is not a prefix of what is certified. */
    OFF_LOG,
    /** The log is under repair: only what leads to the certified root is taken. */
    REPAIRING,
    /** The origin is excluded: nothing of it is taken beyond its cut. */
    CUT,
    /** The origin signed an entry that breaks the rules. */
    BROKEN_ENTRY
}
