package org.aspas.certify.machine;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.crdt.clock.VersionVector;

/**
 * The chain of contents that 2b+1 replicas committed to: its end, and the newest of its links for replicas that sign
 * later. After a cold start the chain is known from the content that records showed, and its past is not kept here.
 */
final class History {
    private final Deque<ReadyToSign> newest = new ArrayDeque<>();
    private final int origins;
    private CertificateNumber baseNumber = CertificateNumber.NONE;
    private Hash baseHash = Hash.ZERO;

    History(int origins) {
        this.origins = origins;
    }

    /** The number of the newest content. */
    CertificateNumber number() {
        return newest.isEmpty() ? baseNumber : newest.getLast().number();
    }

    /** The hash of the newest content; {@code Hash.ZERO} before the first. */
    Hash hash() {
        return newest.isEmpty() ? baseHash : newest.getLast().hash();
    }

    /** The certified version; where the chain's past is not known, all zeros. */
    VersionVector version() {
        return newest.isEmpty()
                ? VersionVector.zero(origins)
                : newest.getLast().content().version();
    }

    /** The blacklist of the newest content. */
    List<CertificateContent.Exclusion> exclusions() {
        return newest.isEmpty() ? List.of() : newest.getLast().content().exclusions();
    }

    /** The roots at the certified version; where the version is all zeros meaningless, one {@code Hash.ZERO} per origin. */
    List<Hash> roots() {
        return newest.isEmpty()
                ? Collections.nCopies(origins, Hash.ZERO)
                : newest.getLast().content().roots();
    }

    /** Goes to just before a content of which others know, unless the chain is there already. */
    void endBefore(CertificateContent content) {
        if (!content.number().equals(number().next()) || !hash().equals(content.previous())) {
            newest.clear();
            baseNumber = content.number().previous();
            baseHash = content.previous();
        }
    }

    ReadyToSign append(ProvenContent proven) {
        if (!follows(proven)) {
            throw new IllegalStateException("content " + proven.number() + " does not follow " + number());
        }
        ReadyToSign link = new ReadyToSign(proven);
        add(link);
        return link;
    }

    private boolean follows(ProvenContent proven) {
        return proven.number().equals(number().next())
                && proven.content().previous().equals(hash())
                && proven.content().version().size() == origins
                && proven.content().roots().size() == origins;
    }

    /** The retained contents with a higher number, in order. */
    List<ReadyToSign> after(CertificateNumber number) {
        return newest.stream().filter(link -> link.number().isAfter(number)).toList();
    }

    private void add(ReadyToSign link) {
        newest.addLast(link);
        if (newest.size() > CertificationMachine.RETAINED) {
            ReadyToSign oldest = newest.removeFirst();
            baseNumber = oldest.number();
            baseHash = oldest.hash();
        }
    }

    void write(SnapshotWriter writer) {
        writer.number(baseNumber.value());
        writer.hash(baseHash);
        writer.number(newest.size());
        newest.forEach(link -> writer.message(link.proven()));
    }

    static History read(SnapshotReader reader, int origins) {
        History history = new History(origins);
        history.baseNumber = new CertificateNumber(reader.number(0));
        history.baseHash = reader.hash();
        int size = reader.count(0, CertificationMachine.RETAINED);
        for (int i = 0; i < size; i++) {
            ProvenContent proven = reader.message(ProvenContent.class);
            if (!history.follows(proven)) {
                throw new IllegalArgumentException("snapshot: a content that does not fit");
            }
            history.add(new ReadyToSign(proven));
        }
        return history;
    }
}
