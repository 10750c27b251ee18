package org.aspas.appserver.core.certification;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.clock.VersionVector;

/**
 * Decides how long what is certified is kept. The oldest certificate goes, with the entries that it added, when enough others
 * followed it <em>and</em> it was adopted long enough ago, or when all of them have too many bytes. It stays, all the same, while
 * no snapshot covers it that is still given away: whoever gets the oldest of these goes on with what follows it, so that nobody
 * who was away is left between the two. The hashes of its entries' leaves go later. The newest certificate stays. For one thread.
 */
public final class Retention {
    /** Into so many parts the time is divided for which leaves are kept. */
    private static final int LEAF_MARKS = 64;

    private static final int LEAF_BYTES = 32;
    /** In milliseconds: no server runs for so long. */
    private static final long LATEST = 1L << 50;

    /** A certificate, or several whose leaves go together. */
    private static final class Mark {
        private final VersionVector version;
        private final long bytes;
        private long begin;
        private long adoptedAt;

        private Mark(VersionVector version, long bytes, long begin, long adoptedAt) {
            this.version = version;
            this.bytes = bytes;
            this.begin = begin;
            this.adoptedAt = adoptedAt;
        }
    }

    private final RetentionLimits limits;
    private final Deque<Mark> kept = new ArrayDeque<>();
    private final Deque<Mark> leaves = new ArrayDeque<>();
    private CertificateNumber newest = CertificateNumber.NONE;
    private long bytes;
    private int untimed;
    /** Runs while the process does, from where it stopped in the one before. */
    private long clock;

    private long lastTick;
    private boolean ticked;
    private VersionVector edge;
    private VersionVector leafEdge;

    public Retention(RetentionLimits limits, int servers) {
        this.limits = limits;
        this.edge = VersionVector.zero(servers);
        this.leafEdge = edge;
    }

    /**
     * The next certificate was adopted. Its time begins with the next {@link #tick}: what a store gives back is as new as the
     * process.
     *
     * @param added the encoded bytes of the certificate and the entries that it added
     */
    public void adopted(CertificateNumber number, VersionVector version, long added) {
        newest = number;
        kept.addLast(new Mark(version, added, 0, 0));
        bytes += added;
        untimed++;
    }

    /**
     * A base gave back what is certified, and perhaps hashes of leaves before that; to be told before its certificate is adopted. They
     * are as old as they were when the base was written.
     *
     * @param certified the version of the base
     * @param leafStart up to which version leaves are forgotten
     * @param ages how old the others are; what cannot be so counts for nothing
     */
    public void restored(VersionVector certified, VersionVector leafStart, LeafAges ages) {
        edge = certified;
        leafEdge = leafStart;
        clock = ages.clock() < 0 || ages.clock() > LATEST ? 0 : ages.clock();
        VersionVector last = leafStart;
        for (LeafAges.Mark mark : ages.marks()) {
            boolean next = mark.version().size() == certified.size()
                    && certified.dominates(mark.version())
                    && mark.begin() <= mark.adoptedAt()
                    && mark.adoptedAt() <= clock;
            if (next) {
                last = last.join(mark.version());
                leaves.addLast(new Mark(last, 0, mark.begin(), mark.adoptedAt()));
            }
        }
    }

    public LeafAges ages() {
        return new LeafAges(
                clock,
                leaves.stream()
                        .map(mark -> new LeafAges.Mark(mark.version, mark.begin, mark.adoptedAt))
                        .toList());
    }

    /**
     * Advances the clock, and decides what is to be forgotten.
     *
     * @param covered the certificate of the oldest snapshot that is given away: what was certified after it stays
     * @return whether anything is to be forgotten
     */
    public boolean tick(long nowMillis, CertificateNumber covered) {
        clock += ticked ? Math.max(0, nowMillis - lastTick) : 0;
        lastTick = nowMillis;
        ticked = true;
        return forgets(clock, covered);
    }

    private boolean forgets(long now, CertificateNumber covered) {
        Iterator<Mark> last = kept.descendingIterator();
        for (; untimed > 0; untimed--) {
            Mark mark = last.next();
            mark.begin = now;
            mark.adoptedAt = now;
        }
        VersionVector before = edge;
        VersionVector leavesBefore = leafEdge;
        while (kept.size() > 1 && !oldest().isAfter(covered) && over(kept.getFirst(), now)) {
            Mark gone = kept.removeFirst();
            bytes -= gone.bytes;
            edge = gone.version;
            mark(gone);
        }
        while (!leaves.isEmpty()
                && (now - leaves.getFirst().adoptedAt >= limits.leafMillis() || leafBytes() > limits.leafBytes())) {
            leafEdge = leaves.removeFirst().version;
        }
        return edge != before || leafEdge != leavesBefore;
    }

    private boolean over(Mark oldest, long now) {
        boolean old = kept.size() > limits.certificates() && now - oldest.adoptedAt >= limits.millis();
        return old || bytes > limits.bytes();
    }

    private void mark(Mark gone) {
        Mark last = leaves.peekLast();
        if (last != null && gone.adoptedAt - last.begin < limits.leafMillis() / LEAF_MARKS) {
            leaves.removeLast();
            gone.begin = last.begin;
        }
        leaves.addLast(gone);
    }

    /** The bytes of hashes of forgotten entries' leaves that are kept. */
    public long leafBytes() {
        return (edge.sum() - leafEdge.sum()) * LEAF_BYTES;
    }

    /** The oldest certificate that is kept, with the entries that it added; none before the first. */
    public CertificateNumber oldest() {
        return kept.isEmpty() ? CertificateNumber.NONE : new CertificateNumber(newest.value() - kept.size() + 1);
    }

    /** The version up to which entries are forgotten: that of the newest certificate that is not kept. */
    public VersionVector edge() {
        return edge;
    }

    /** The version up to which the hashes of leaves are forgotten too. */
    public VersionVector leafEdge() {
        return leafEdge;
    }

    /** The encoded bytes of certificates and certified entries that are kept. */
    public long bytes() {
        return bytes;
    }
}
