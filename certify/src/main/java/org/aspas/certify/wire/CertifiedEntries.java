package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.ConsistencyProof;

/**
 * Consecutive entries of one origin with proofs that they lie under a certified log root (the protocol page, §4). They
 * need no head of the origin: after an exclusion no head that is kept may reach the cut, and a server whose log must be
 * repaired takes nothing else.
 *
 * @param root the root of the log before the first of them, as the sender holds it
 * @param before that the log with this root is a prefix of the certified one; its old size is the sequence number before
 *     the first entry
 * @param after that the log with the entries is a prefix of the certified one
 */
public record CertifiedEntries(
        int origin, Hash root, ConsistencyProof before, List<byte[]> entries, ConsistencyProof after)
        implements Message {
    static final Schema<CertifiedEntries> SCHEMA = items -> new CertifiedEntries(
            items.index(CertifiedEntries::origin),
            items.hash(CertifiedEntries::root),
            items.of(Item.CONSISTENCY, CertifiedEntries::before),
            items.of(Item.ENTRIES, CertifiedEntries::entries),
            items.of(Item.CONSISTENCY, CertifiedEntries::after));

    /** Copies the list, not the arrays. */
    public CertifiedEntries {
        entries = List.copyOf(entries);
    }
}
