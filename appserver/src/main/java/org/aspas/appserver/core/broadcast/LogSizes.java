package org.aspas.appserver.core.broadcast;

import java.util.List;
import org.aspas.crdt.clock.VersionVector;

/** How much the logs of all origins hold. A view of them, for the same thread. */
public final class LogSizes {
    private final List<OriginLog> logs;

    LogSizes(List<OriginLog> logs) {
        this.logs = logs;
    }

    /** How many entries are accepted and wait for others. */
    public long pendingEntries() {
        return logs.stream().mapToLong(log -> log.size() - log.delivered()).sum();
    }

    /** The encoded bytes of these entries. */
    public long pendingBytes() {
        return logs.stream().mapToLong(OriginLog::pendingBytes).sum();
    }

    /** The encoded bytes of all entries that are not certified. */
    public long uncertifiedBytes() {
        return logs.stream().mapToLong(OriginLog::uncertifiedBytes).sum();
    }

    /** The bytes of hashes that the logs' trees keep. */
    public long treeBytes() {
        return logs.stream().mapToLong(log -> log.tree().bytes()).sum();
    }

    /** The encoded bytes of the accepted entries after one version up to another. */
    public long bytesBetween(VersionVector after, VersionVector upTo) {
        long bytes = 0;
        for (int origin = 0; origin < logs.size(); origin++) {
            bytes += logs.get(origin).bytesBetween(after.get(origin), upTo.get(origin));
        }
        return bytes;
    }
}
