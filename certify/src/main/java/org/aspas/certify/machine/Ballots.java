package org.aspas.certify.machine;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.machine.Outcome.Accepted;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Signed;
import org.jspecify.annotations.Nullable;

/**
 * The decided content on its way into the chain (the protocol page, docs/protocol.md §5.5): the present attempt to have it
 * accepted and committed to, and when a newer attempt takes its place.
 */
final class Ballots {
    private final Quorums quorums;
    private final Recovery recovery;
    private Optional<Ballot> pending = Optional.empty();
    private BufferedVotes buffered = new BufferedVotes();

    /**
     * Starts without a content.
     *
     * @param recovery what replicas said of their records; the machine keeps it, settled contents are noted in it
     */
    Ballots(Quorums quorums, Recovery recovery) {
        this.quorums = quorums;
        this.recovery = recovery;
    }

    /** The content that is pending, also while certification has not begun. */
    Optional<Ballot> pending() {
        return pending;
    }

    /** The content that replicas are to accept and commit to; empty while certification has not begun. */
    Optional<Ballot> open() {
        return recovery.open() ? pending : Optional.empty();
    }

    boolean isPending(Hash content) {
        return pending.filter(one -> one.hash().equals(content)).isPresent();
    }

    /** Opens a content that a round has decided. */
    void decided(CertificateContent content, List<Outcome> outcomes) {
        pend(new Decided(content, Codec.encode(content), 0, null), 0, outcomes);
    }

    /** What {@link #decided} would open now. */
    Decided foreseen(CertificateContent content) {
        return new Decided(content, Codec.encode(content), recovery.attempt(content.number(), 0), null);
    }

    /**
     * Whether the word is of use: for the open content, or for the one that the open question decides.
     *
     * @param asked the number that the open question is for, if there is one
     */
    boolean awaits(Accept accept, Optional<CertificateNumber> asked) {
        return open().map(open -> open.awaits(accept))
                .orElseGet(() -> asked.filter(accept.number()::equals).isPresent() && buffered.awaits(accept));
    }

    boolean awaits(Commit commit, Optional<CertificateNumber> asked) {
        return open().map(open -> open.awaits(commit))
                .orElseGet(() -> asked.filter(commit.number()::equals).isPresent() && buffered.awaits(commit));
    }

    /** Takes a word that is of use. */
    void accept(Signed<Accept> accept, List<Outcome> outcomes) {
        open().ifPresentOrElse(open -> accept(open, accept, outcomes), () -> buffered.put(accept));
    }

    /** Takes a word that is of use. */
    void commit(Signed<Commit> commit) {
        open().ifPresentOrElse(open -> open.commit(commit.message().replica()), () -> buffered.put(commit));
    }

    private static void accept(Ballot open, Signed<Accept> accept, List<Outcome> outcomes) {
        open.put(accept).ifPresent(proven -> outcomes.add(new Accepted(proven)));
    }

    /** The content that 2b+1 replicas committed to, if the pending one is, which then is pending no more. */
    Optional<ProvenContent> settled() {
        Optional<ProvenContent> proven = open().filter(Ballot::complete).flatMap(Ballot::proven);
        if (proven.isPresent()) {
            pending = Optional.empty();
            recovery.settled();
        }
        return proven;
    }

    /** Whether a content that 2b+1 replicas accepted in an earlier attempt is news beyond the certified number. */
    boolean isNews(ProvenContent proven, CertificateNumber certified) {
        return proven.number().isAfter(certified)
                && pending.filter(content -> content.number().isAfter(proven.number()))
                        .isEmpty()
                && same(proven)
                        .filter(content -> newestProof(content) >= proven.attempt())
                        .isEmpty();
    }

    /**
     * Whether another content in the place of the open one was accepted in the attempt of the newest proof that is known of
     * the open one. That takes more than b liars, or a liar and a replica that lost its record and accepted again in an
     * attempt that it had forgotten; who committed to the one then accepts the other no more.
     */
    boolean isRival(ProvenContent proven) {
        return open().filter(content -> content.proven().isEmpty()
                        && content.number().equals(proven.number())
                        && newestProof(content) == proven.attempt()
                        && !content.hash().equals(proven.hash())
                        && content.decided()
                                .content()
                                .previous()
                                .equals(proven.content().previous()))
                .isPresent();
    }

    /**
     * Takes over a content that is news. A proof of the open content itself begins no attempt: from this one it takes the
     * place of its accepts, from an earlier one it is shown to those who have to accept. Where no content is open, the proof goes on in its
     * own attempt. So nobody who gathers a proof before the order does can keep an attempt from its end.
     */
    void learn(ProvenContent proven, List<Outcome> outcomes) {
        Optional<Ballot> same =
                open().filter(content -> content.hash().equals(proven.hash()) && proven.attempt() <= content.attempt());
        if (same.isPresent()) {
            confirm(same.get(), proven, outcomes);
        } else if (recovery.open() && pending.isEmpty()) {
            Ballot own = open(new Decided(proven.content(), proven.payload(), proven.attempt(), proven), outcomes);
            confirm(own, proven, outcomes);
            count(own, outcomes);
        } else {
            long newest =
                    Math.max(proven.attempt(), same(proven).map(Ballot::attempt).orElse(0L));
            pend(new Decided(proven.content(), proven.payload(), newest, proven), newest, outcomes);
        }
    }

    private static void confirm(Ballot open, ProvenContent proven, List<Outcome> outcomes) {
        if (proven.attempt() == open.attempt()) {
            outcomes.add(new Accepted(open.prove(proven)));
        } else {
            open.show(proven);
            outcomes.add(open.decided());
        }
    }

    private Optional<Ballot> same(ProvenContent proven) {
        return pending.filter(content -> content.number().equals(proven.number()));
    }

    private static long newestProof(Ballot content) {
        ProvenContent proof = content.newestProof();
        return proof == null ? 0 : proof.attempt();
    }

    /** Certification begins: what is pending gets an attempt above all that replicas have claimed by now. */
    void begin(List<Outcome> outcomes) {
        pending.ifPresent(content -> pend(content.decided(), content.attempt() - 1, outcomes));
    }

    /**
     * Replaces an attempt that a replica cannot accept, because it accepted something in as late a one before, or holds a
     * rival's proof; then by one of the rival. Once there is a proof, only something in a later one keeps it from committing.
     * With each change the pause before the next one doubles, so that in the end the one that can be accepted is.
     *
     * @param rival what the statement proves, if that was a rival before the statement was taken, and so was verified
     */
    void retry(Recover statement, @Nullable ProvenContent rival, long now, List<Outcome> outcomes) {
        if (rival != null) {
            open().filter(any -> recovery.mayRetry(now))
                    .ifPresent(content ->
                            pend(new Decided(rival.content(), rival.payload(), 0, rival), content.attempt(), outcomes));
            return;
        }
        Optional<Ballot> stuck = open().filter(content -> statement.number().equals(content.number())
                && (statement.attempt() > content.attempt()
                        || (statement.attempt() == content.attempt()
                                && content.proven().isEmpty()
                                && !content.acceptedBy(statement.replica()))));
        if (stuck.isPresent() && recovery.mayRetry(now)) {
            Ballot content = stuck.get();
            Decided old = content.decided();
            pend(
                    new Decided(old.content(), old.payload(), old.attempt(), content.newestProof()),
                    content.attempt(),
                    outcomes);
        }
    }

    /** Opens a content for acceptance, in an attempt after the given one. */
    private void pend(Decided content, long after, List<Outcome> outcomes) {
        long attempt = recovery.attempt(content.content().number(), after);
        count(open(new Decided(content.content(), content.payload(), attempt, content.earlier()), outcomes), outcomes);
    }

    private Ballot open(Decided decided, List<Outcome> outcomes) {
        Ballot open = new Ballot(decided, quorums.bftserverQuorum());
        pending = Optional.of(open);
        if (recovery.open()) {
            outcomes.add(decided);
        }
        return open;
    }

    /** Counts the words that were ordered before; there are none before certification has begun. */
    private void count(Ballot open, List<Outcome> outcomes) {
        buffered.takeAccepts().stream()
                .filter(accept -> open.awaits(accept.message()))
                .forEach(accept -> accept(open, accept, outcomes));
        buffered.takeCommits().stream().filter(open::awaits).forEach(commit -> open.commit(commit.replica()));
    }

    void write(SnapshotWriter writer) {
        writer.flag(pending.isPresent());
        pending.ifPresent(open -> open.write(writer));
        buffered.write(writer);
    }

    static Ballots read(SnapshotReader reader, Quorums quorums, Recovery recovery) {
        Ballots ballots = new Ballots(quorums, recovery);
        ballots.pending = reader.flag()
                ? Optional.of(Ballot.read(reader, quorums.bftservers(), quorums.bftserverQuorum()))
                : Optional.empty();
        ballots.buffered = BufferedVotes.read(reader, quorums.bftservers());
        return ballots;
    }

    /**
     * ACCEPTs and COMMITs that were ordered before the content that they are about was decided: replicas say them as soon as they have the
     * answers in hand (docs/proofs/early-votes.md), and the order may put the answers behind them. Of each replica the word of the highest
     * attempt is kept of each kind, until a content is decided.
     */
    private static final class BufferedVotes {
        private final TreeMap<Integer, Signed<Accept>> accepts = new TreeMap<>();
        private final TreeMap<Integer, Signed<Commit>> commits = new TreeMap<>();

        /** Whether it is of a higher attempt than the one that is kept of its replica: nobody can bring an older word in its place. */
        boolean awaits(Accept accept) {
            Signed<Accept> last = accepts.get(accept.replica());
            return last == null || accept.attempt() > last.message().attempt();
        }

        boolean awaits(Commit commit) {
            Signed<Commit> last = commits.get(commit.replica());
            return last == null || commit.attempt() > last.message().attempt();
        }

        void put(Signed<? extends Message> word) {
            word.as(Accept.class)
                    .ifPresent(accept -> accepts.put(accept.message().replica(), accept));
            word.as(Commit.class)
                    .ifPresent(commit -> commits.put(commit.message().replica(), commit));
        }

        /** Takes the ACCEPTs, in order of the replicas. */
        List<Signed<Accept>> takeAccepts() {
            List<Signed<Accept>> taken = List.copyOf(accepts.values());
            accepts.clear();
            return taken;
        }

        /** Takes the COMMITs, in order of the replicas. */
        List<Commit> takeCommits() {
            List<Commit> taken = commits.values().stream().map(Signed::message).toList();
            commits.clear();
            return taken;
        }

        void write(SnapshotWriter writer) {
            writer.number(accepts.size());
            accepts.values().forEach(accept -> writer.counted(Codec.encode(accept)));
            writer.number(commits.size());
            commits.values().forEach(commit -> writer.counted(Codec.encode(commit)));
        }

        static BufferedVotes read(SnapshotReader reader, int replicas) {
            BufferedVotes buffered = new BufferedVotes();
            int next = 0;
            for (int left = reader.count(0, replicas); left > 0; left--) {
                Signed<Accept> accept = reader.signed(Accept.class);
                next = place(accept.message().replica(), next, replicas);
                buffered.put(accept);
            }
            next = 0;
            for (int left = reader.count(0, replicas); left > 0; left--) {
                Signed<Commit> commit = reader.signed(Commit.class);
                next = place(commit.message().replica(), next, replicas);
                buffered.put(commit);
            }
            return buffered;
        }

        private static int place(int replica, int next, int replicas) {
            if (replica < next || replica >= replicas) {
                throw new IllegalArgumentException("snapshot: a word that does not fit");
            }
            return replica + 1;
        }
    }
}
