package org.aspas.certify.machine;

import java.util.TreeSet;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.message.Accept;
import org.aspas.certify.message.CertificateContent;

/** A decided content that replicas are making durable. */
final class Acceptance {
    /** The attempt of a content that replaces no other one. */
    static final long FIRST_ATTEMPT = 1;

    private final Decided decided;
    private final Hash hash;
    private final TreeSet<Integer> accepted = new TreeSet<>();

    Acceptance(Decided decided) {
        this.decided = decided;
        this.hash = decided.hash();
    }

    Decided decided() {
        return decided;
    }

    /** Whether the word is about this content, of a replica that has not given it. */
    boolean awaits(Accept accept) {
        return accept.number() == decided.content().number()
                && accept.attempt() == decided.attempt()
                && accept.content().equals(hash)
                && !accepted.contains(accept.replica());
    }

    /** Counts a replica's word; the number of replicas that gave it. */
    int put(int replica) {
        accepted.add(replica);
        return accepted.size();
    }

    void write(SnapshotWriter writer) {
        writer.counted(decided.payload());
        writer.number(decided.attempt());
        writer.number(accepted.size());
        accepted.forEach(writer::number);
    }

    static Acceptance read(SnapshotReader reader, int replicas) {
        Acceptance acceptance = new Acceptance(readDecided(reader));
        int size = reader.count(0, replicas);
        int next = 0;
        for (int i = 0; i < size; i++) {
            int replica = reader.count(next, replicas - 1);
            acceptance.put(replica);
            next = replica + 1;
        }
        return acceptance;
    }

    private static Decided readDecided(SnapshotReader reader) {
        byte[] payload = reader.counted();
        return new Decided(SnapshotReader.decode(payload, CertificateContent.class), payload, reader.number(1));
    }
}
