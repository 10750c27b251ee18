package org.aspas.appserver.core.broadcast;

import org.aspas.certify.codec.Codec;
import org.aspas.certify.message.Entry;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/** Takes the own log back from a store. For one thread. */
public final class OwnRecords {
    private final Logs logs;

    /** Into these logs. */
    public OwnRecords(Logs logs) {
        this.logs = logs;
    }

    /**
     * Takes back an own entry; one that is here already is the same.
     *
     * @param whole whether all is here that was when it was made
     * @return its sequence number
     * @throws IllegalStateException when it is malformed, or does not follow
     */
    public long restore(byte[] bytes, boolean whole) {
        Entry entry = Codec.decode(bytes, Entry.class)
                .accepted()
                .orElseThrow(() -> new IllegalStateException("the store holds a malformed own entry"));
        long sequence = entry.dot().sequence();
        if (sequence <= logs.own().size()) {
            return sequence;
        }
        VersionVector dependencies = entry.dependencies();
        boolean follows = entry.dot().equals(new Dot(logs.index(), logs.own().size() + 1))
                && (whole
                        ? dependencies.equals(logs.ownDependencies())
                        : dependencies.dominates(logs.dependenciesBefore(logs.index())));
        if (!follows) {
            throw new IllegalStateException("the store holds own entry " + entry.dot() + " after " + logs.version());
        }
        logs.appendOwn(bytes, entry, whole);
        return sequence;
    }

    /** The own log goes on from its certified end, of which the entries are not here. */
    public void restart(LogEdge end) {
        logs.restartOwn(end);
    }
}
