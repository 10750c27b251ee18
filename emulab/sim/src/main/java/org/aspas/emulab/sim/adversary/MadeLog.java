package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/** A log of a liar's own making, in place of the one that its core keeps, with heads that it signs. */
final class MadeLog {
    private final AdversaryContext power;
    private final MerkleLog tree = new MerkleLog();
    private final List<byte[]> entries = new ArrayList<>();

    MadeLog(AdversaryContext power) {
        this.power = power;
    }

    int self() {
        return power.self().index();
    }

    long size() {
        return entries.size();
    }

    /**
     * Appends an entry.
     *
     * @param dependencies of the entry, but for the own component, which is the size before
     * @return the entry's dependencies
     */
    VersionVector append(Signed<ClientSigned> body, VersionVector dependencies) {
        VersionVector own = dependencies.with(self(), size());
        byte[] bytes = Codec.encode(new Entry(new Dot(self(), size() + 1), own, body));
        entries.add(bytes);
        tree.append(bytes);
        return own;
    }

    /** The signed head at a size that the log has. */
    Signed<Head> head(long size) {
        return power.sealer().seal(new Head(self(), size, tree.rootAt(size)));
    }

    /** The entries after a place up to another one that the log has. */
    Batch batch(long after, long end) {
        return new Batch(head(end), entries.subList((int) after, (int) end));
    }
}
