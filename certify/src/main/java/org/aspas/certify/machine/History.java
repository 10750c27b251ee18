package org.aspas.certify.machine;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.message.CertificateContent;
import org.aspas.crdt.clock.VersionVector;

/** The chain of accepted contents: its end, and the newest of its links for replicas that sign later. */
final class History {
    private final Deque<ReadyToSign> newest = new ArrayDeque<>();
    private final int origins;
    private Hash previous = Hash.ZERO;

    History(int origins) {
        this.origins = origins;
    }

    /** The number of the newest content; 0 before the first. */
    long number() {
        return newest.isEmpty() ? 0 : newest.getLast().number();
    }

    /** The hash of the newest content; {@code Hash.ZERO} before the first. */
    Hash hash() {
        return previous;
    }

    /** The certified version. */
    VersionVector version() {
        return newest.isEmpty()
                ? VersionVector.zero(origins)
                : newest.getLast().content().version();
    }

    /** The blacklist of the newest content. */
    List<CertificateContent.Exclusion> exclusions() {
        return newest.isEmpty() ? List.of() : newest.getLast().content().exclusions();
    }

    /** The roots at the certified version; before the first content meaningless, one {@code Hash.ZERO} per origin. */
    List<Hash> roots() {
        return newest.isEmpty()
                ? Collections.nCopies(origins, Hash.ZERO)
                : newest.getLast().content().roots();
    }

    ReadyToSign append(Decided decided) {
        if (decided.content().number() != number() + 1
                || !decided.content().previous().equals(previous)) {
            throw new IllegalStateException("content " + decided.content().number() + " does not follow " + number());
        }
        ReadyToSign link = new ReadyToSign(decided.content(), decided.payload(), decided.attempt());
        add(link);
        return link;
    }

    /** The retained contents with a higher number, in order. */
    List<ReadyToSign> after(long number) {
        return newest.stream().filter(link -> link.number() > number).toList();
    }

    private void add(ReadyToSign link) {
        newest.addLast(link);
        previous = link.hash();
        if (newest.size() > CertificationMachine.RETAINED) {
            newest.removeFirst();
        }
    }

    void write(SnapshotWriter writer) {
        writer.number(newest.size());
        for (ReadyToSign link : newest) {
            writer.counted(link.payload());
            writer.number(link.attempt());
        }
    }

    static History read(SnapshotReader reader, int origins) {
        History history = new History(origins);
        int size = reader.count(0, CertificationMachine.RETAINED);
        for (int i = 0; i < size; i++) {
            byte[] payload = reader.counted();
            CertificateContent content = SnapshotReader.decode(payload, CertificateContent.class);
            boolean follows = i == 0
                    || (content.number() == history.number() + 1
                            && content.previous().equals(history.previous));
            if (!follows
                    || content.version().size() != origins
                    || content.roots().size() != origins) {
                throw new IllegalArgumentException("snapshot: a content that does not fit");
            }
            history.add(new ReadyToSign(content, payload, reader.number(1)));
        }
        return history;
    }
}
