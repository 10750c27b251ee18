package org.aspas.appserver.core.log;

import java.util.Arrays;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/** Takes the own log back from a store. For one thread. */
public final class OwnRecords {
    private final Logs logs;
    private long contradiction;

    public OwnRecords(Logs logs) {
        this.logs = logs;
    }

    /**
     * Takes back an own entry; one that is here already is the same. When the logs came from a base, an entry that contradicts them is left
     * out: the server once continued from an older disk, so the base holds the certified history of this log and the journal another one.
     *
     * @param whole whether all is here that was when it was made
     * @return its sequence number
     * @throws IllegalStateException when it is malformed, or does not follow although all is here
     */
    public long restore(byte[] bytes, boolean whole) {
        Entry entry = Codec.decode(bytes, Entry.class)
                .accepted()
                .orElseThrow(() -> new IllegalStateException("the store holds a malformed own entry"));
        long sequence = entry.dot().sequence();
        OriginLog own = logs.own();
        if (sequence <= own.size()) {
            if (!whole && sequence > own.pruned() && !Arrays.equals(own.encoded(sequence), bytes)) {
                contradiction = sequence;
            }
            return sequence;
        }
        VersionVector dependencies = entry.dependencies();
        boolean follows = entry.dot().equals(new Dot(logs.index(), logs.own().size() + 1))
                && (whole
                        ? dependencies.equals(logs.ownDependencies())
                        : dependencies.dominates(logs.dependenciesBefore(logs.index())));
        if (follows) {
            logs.appendOwn(bytes, entry, whole);
        } else if (whole) {
            throw new IllegalStateException("the store holds own entry " + entry.dot() + " after " + logs.version());
        } else {
            contradiction = sequence;
        }
        return sequence;
    }

    /** The sequence number of the last own entry that contradicts the base; 0 for none. */
    public long contradiction() {
        return contradiction;
    }

    /** The own log goes on from its certified end, of which the entries are not here. */
    public void restart(LogEdge end) {
        logs.restartOwn(end);
    }
}
