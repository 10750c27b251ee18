package org.aspas.certify.machine;

import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Signed;
import org.jspecify.annotations.Nullable;

/** A decided content in one attempt: first 2b+1 replicas accept it, then 2b+1 commit to the proof of that. */
final class Ballot {
    private final Hash hash;
    private final int quorum;
    private final TreeMap<Integer, Signed<Accept>> accepts = new TreeMap<>();
    private final TreeSet<Integer> commits = new TreeSet<>();
    private Decided decided;
    private @Nullable ProvenContent proven;

    Ballot(Decided decided, int quorum) {
        this.decided = decided;
        this.hash = decided.hash();
        this.quorum = quorum;
    }

    Decided decided() {
        return decided;
    }

    CertificateNumber number() {
        return decided.content().number();
    }

    long attempt() {
        return decided.attempt();
    }

    Hash hash() {
        return hash;
    }

    /** The proof that this attempt gave; empty while accepts lack. */
    Optional<ProvenContent> proven() {
        return Optional.ofNullable(proven);
    }

    /** The newest proof that is known of this content; null for none. */
    @Nullable
    ProvenContent newestProof() {
        return proven != null ? proven : decided.earlier();
    }

    /** Whether the word is about this content and attempt, of a replica that has not given it, while more are needed. */
    boolean awaits(Accept accept) {
        return proven == null
                && accept.number().equals(number())
                && accept.attempt() == attempt()
                && accept.content().equals(hash)
                && !accepts.containsKey(accept.replica());
    }

    /**
     * Whether the word is about this content and attempt, of a replica that has not given it. It may come before the accepts are
     * complete here: its replica has heard them before they were ordered.
     */
    boolean awaits(Commit commit) {
        return commit.number().equals(number())
                && commit.attempt() == attempt()
                && commit.content().equals(hash)
                && !commits.contains(commit.replica());
    }

    boolean acceptedBy(int replica) {
        return accepts.containsKey(replica);
    }

    /** Counts a replica's word; the proof when it is complete with this one. */
    Optional<ProvenContent> put(Signed<Accept> accept) {
        accepts.put(accept.message().replica(), accept);
        if (accepts.size() < quorum) {
            return Optional.empty();
        }
        ProvenContent complete = new ProvenContent(
                decided.content(), decided.payload(), accepts.values().stream().toList());
        proven = complete;
        return Optional.of(complete);
    }

    /**
     * Takes a proof that others made of this content in this attempt, while accepts lack here.
     *
     * @return the proof, with no more words than it needs
     */
    ProvenContent prove(ProvenContent complete) {
        accepts.clear();
        complete.accepts()
                .subList(0, quorum)
                .forEach(accept -> accepts.put(accept.message().replica(), accept));
        ProvenContent taken = new ProvenContent(
                decided.content(), decided.payload(), accepts.values().stream().toList());
        proven = taken;
        return taken;
    }

    /** Shows a proof of this content from an earlier attempt to those who are asked to accept it from here on. */
    void show(ProvenContent earlier) {
        decided = new Decided(decided.content(), decided.payload(), decided.attempt(), earlier);
    }

    void commit(int replica) {
        commits.add(replica);
    }

    /** Whether there is a proof, and 2b+1 replicas committed to it. */
    boolean complete() {
        return proven != null && commits.size() >= quorum;
    }

    void write(SnapshotWriter writer) {
        writer.counted(decided.payload());
        writer.number(attempt());
        ProvenContent earlier = decided.earlier();
        writer.flag(earlier != null);
        if (earlier != null) {
            writer.message(earlier);
        }
        writer.number(accepts.size());
        accepts.values().forEach(accept -> writer.counted(Codec.encode(accept)));
        writer.number(commits.size());
        commits.forEach(writer::number);
    }

    static Ballot read(SnapshotReader reader, int replicas, int quorum) {
        Ballot ballot = new Ballot(readDecided(reader), quorum);
        int accepts = reader.count(0, quorum);
        int next = 0;
        for (int i = 0; i < accepts; i++) {
            Signed<Accept> accept = reader.signed(Accept.class);
            int replica = accept.message().replica();
            if (replica < next || replica >= replicas || !ballot.awaits(accept.message())) {
                throw new IllegalArgumentException("snapshot: an accept that does not fit");
            }
            ballot.put(accept);
            next = replica + 1;
        }
        int commits = reader.count(0, accepts == quorum ? quorum - 1 : replicas);
        next = 0;
        for (int i = 0; i < commits; i++) {
            int replica = reader.count(next, replicas - 1);
            ballot.commit(replica);
            next = replica + 1;
        }
        return ballot;
    }

    private static Decided readDecided(SnapshotReader reader) {
        byte[] payload = reader.counted();
        long attempt = reader.number(1);
        CertificateContent content = SnapshotReader.decode(payload, CertificateContent.class);
        return new Decided(content, payload, attempt, reader.flag() ? reader.message(ProvenContent.class) : null);
    }
}
