package org.aspas.client.core;

import java.util.List;
import java.util.TreeSet;
import org.aspas.certify.message.AskStanding;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.Standing;

/**
 * Protects a client that remembers no certificate against a stale start (the protocol page, §6): it asks the other
 * servers for their newest certificate and goes on with the highest of f+1 answers. When the time is over it goes on with
 * what it has.
 */
final class FirstContact {
    private final Policy policy;
    private final Others others;
    private final CertificateBook book;
    private final TreeSet<Integer> answered = new TreeSet<>();
    private final boolean wanted;
    private long nonce;
    private long deadline;
    private boolean over;

    FirstContact(Policy policy, Others others, CertificateBook book) {
        this.policy = policy;
        this.others = others;
        this.book = book;
        this.wanted = policy.firstContactMillis() > 0 && book.highest() == 0;
        this.over = !wanted;
    }

    /** Whether it is known what can be known. */
    boolean over() {
        return over;
    }

    void tick() {
        long now = others.ticks.now();
        if (!over && nonce == 0) {
            nonce = others.nonce();
            deadline = now + policy.firstContactMillis();
            others.send(
                    others.servers.allBut(others.servers.current()),
                    others.seal(new AskStanding(others.self, nonce, List.of())));
        } else if (!over && now >= deadline) {
            over = true;
        }
    }

    /** Takes a standing whose signature is right; late ones count as well as long as the question is open. */
    void standing(Standing standing) {
        if (!wanted || standing.nonce() != nonce) {
            return;
        }
        Certificate newest = standing.certificate();
        if (newest == null || book.verify(newest).isEmpty()) {
            answered.add(standing.server());
        }
        if (answered.size() >= others.servers.oneCorrect()) {
            over = true;
        }
    }
}
