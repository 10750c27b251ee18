package org.aspas.client.core;

import java.util.List;
import java.util.TreeSet;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Standing;

/**
 * Protects a client that remembers no certificate against a stale start (the protocol page, §6): it asks the other
 * servers for their newest certificate and goes on with the highest of f+1 answers. When the time is over it goes on with
 * what it has.
 */
public final class NewestCertificateQuery {
    private final Policy policy;
    private final PeerQueries peers;
    private final Servers servers;
    private final VerifiedCertificates certificates;
    private final Step step;
    private final TreeSet<Integer> answered = new TreeSet<>();
    private final boolean wanted;
    private long nonce;
    private long deadline;
    private boolean over;

    public NewestCertificateQuery(Policy policy, PeerQueries peers, VerifiedCertificates certificates, Step step) {
        this.policy = policy;
        this.peers = peers;
        this.servers = peers.servers();
        this.certificates = certificates;
        this.step = step;
        this.wanted =
                policy.newestCertificateMillis() > 0 && certificates.highest().equals(CertificateNumber.NONE);
        this.over = !wanted;
    }

    /** Whether nothing more is to be learned: enough servers have answered, or the time is over. */
    public boolean over() {
        return over;
    }

    public void tick() {
        long now = step.now();
        if (!over && nonce == 0) {
            nonce = peers.nonce();
            deadline = now + policy.newestCertificateMillis();
            peers.send(servers.others(), peers.seal(new AskStanding(peers.self(), nonce, List.of())));
        } else if (!over && now >= deadline) {
            over = true;
        }
    }

    /** Takes a standing whose signature is right; late ones count as well as long as the question is open. */
    public void standing(Standing standing) {
        if (!wanted || standing.nonce() != nonce) {
            return;
        }
        Certificate newest = standing.certificate();
        if (newest == null || certificates.verify(newest).isEmpty()) {
            answered.add(standing.server());
        }
        if (answered.size() >= servers.oneCorrect()) {
            over = true;
        }
    }
}
