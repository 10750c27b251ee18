package org.aspas.appserver.core.broadcast;

import java.util.Optional;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;

/** Looks up entries by name, and proves that they stand in their origins' logs. For one thread. */
public final class HeldEntries {
    private final Logs logs;

    public HeldEntries(Logs logs) {
        this.logs = logs;
    }

    public Optional<Entry> find(Dot dot) {
        OriginLog log = logs.of(dot.origin());
        return dot.sequence() > log.pruned() && dot.sequence() <= log.size()
                ? Optional.of(log.entry(dot.sequence()))
                : Optional.empty();
    }

    /** The proof that an entry here breaks the rules, as it must; empty where what makes it is forgotten. */
    public Optional<BrokenEntry> broken(Dot dot) {
        OriginLog log = logs.of(dot.origin());
        return dot.sequence() > log.pruned() && dot.sequence() <= log.size() && log.knowsLeaf(dot.sequence())
                ? log.headOver(dot.sequence())
                        .filter(head -> log.knowsRoot(head.message().size()))
                        .map(head -> broken(log, dot.sequence(), head))
                : Optional.empty();
    }

    private static BrokenEntry broken(OriginLog log, long sequence, Signed<Head> head) {
        InclusionProof proof = log.prove(sequence, head.message().size());
        return new BrokenEntry(head, new BrokenEntry.Included(log.encoded(sequence), proof), null);
    }
}
