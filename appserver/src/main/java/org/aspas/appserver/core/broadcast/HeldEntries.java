package org.aspas.appserver.core.broadcast;

import java.util.Optional;
import org.aspas.certify.message.BrokenEntry;
import org.aspas.certify.message.Entry;
import org.aspas.crdt.clock.Dot;

/** Looks up entries by name, and proves that they stand in their origins' logs. For one thread. */
public final class HeldEntries {
    private final Logs logs;

    /** Of these logs. */
    public HeldEntries(Logs logs) {
        this.logs = logs;
    }

    /** The entry of a name, if it is here. */
    public Optional<Entry> find(Dot dot) {
        OriginLog log = logs.of(dot.origin());
        return dot.sequence() > log.pruned() && dot.sequence() <= log.size()
                ? Optional.of(log.entry(dot.sequence()))
                : Optional.empty();
    }

    /** The proof that an entry here breaks the rules, as it must; empty where what makes it is forgotten. */
    public Optional<BrokenEntry> broken(Dot dot) {
        OriginLog log = logs.of(dot.origin());
        return log.knowsLeaf(dot.sequence()) ? find(dot).flatMap(entry -> broken(log, dot)) : Optional.empty();
    }

    private static Optional<BrokenEntry> broken(OriginLog log, Dot dot) {
        return log.headOver(dot.sequence())
                .filter(head -> log.knowsRoot(head.message().size()))
                .map(head -> new BrokenEntry(
                        head,
                        new BrokenEntry.Included(
                                log.encoded(dot.sequence()),
                                log.prove(dot.sequence(), head.message().size())),
                        null));
    }
}
