package org.aspas.client.core;

import java.util.List;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Standing;
import org.aspas.client.core.ClientEvent.Why;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a server whose certificates have fallen behind (the protocol page, docs/protocol.md §6). An unconfirmed update shows that
 * sooner ({@code UnconfirmedTimeout}); a client that only reads would never learn it, for each certified value that it gets is
 * genuine, and old.
 *
 * <p>A client that is at work asks its server and one other for their newest certificate about once a minute, another one each
 * time. A certificate proves itself, so that one witness is enough, and a liar cannot name one that does not exist. If the other
 * has a newer one, the own server gets the grace time twice to catch up. Only then does that certificate bind reads: a server that
 * is a moment behind is to refuse none. For one thread.
 */
public final class StaleServerCheck {
    /** The pause between two comparisons, in grace times: a minute, usually. */
    private static final int PAUSE = 12;

    private final long graceMillis;
    private final PeerQueries peers;
    private final Servers servers;
    private final VerifiedCertificates certificates;
    private final Step step;
    private long nextAt;
    /** Whether the application heard of the server since the last comparison. */
    private boolean atWork;
    /** The question that is open; 0 for none. */
    private long nonce;

    private long askedAt;
    /** Whether the server is asked for the second time. */
    private boolean again;
    /** The newest certificate that the other server shows, not verified yet. */
    private @Nullable Certificate elsewhere;
    /** The newest certificate number that the present server has named since the question. */
    private CertificateNumber here = CertificateNumber.NONE;

    private boolean heard;
    private int turn;

    public StaleServerCheck(Policy policy, PeerQueries peers, VerifiedCertificates certificates, Step step) {
        this.graceMillis = policy.graceMillis();
        this.peers = peers;
        this.servers = peers.servers();
        this.certificates = certificates;
        this.step = step;
        this.nextAt = PAUSE * graceMillis;
    }

    /** An answer of the present server names its newest certificate. */
    public void named(CertificateNumber number) {
        atWork = true;
        heard = true;
        here = CertificateNumber.max(here, number);
    }

    /** Takes a standing whose signature is right. */
    public void standing(Standing standing) {
        if (nonce == 0 || standing.nonce() != nonce) {
            return;
        }
        Certificate newest = standing.certificate();
        if (standing.server() == servers.current()) {
            heard = true;
            if (newest != null && certificates.verify(newest).isEmpty()) {
                here = CertificateNumber.max(here, newest.number());
            }
        } else if (!again) {
            elsewhere = newest;
        }
    }

    public void switched() {
        over();
    }

    public void tick() {
        long now = step.now();
        if (!servers.switching() || servers.others().isEmpty()) {
            return;
        }
        if (nonce == 0) {
            if (atWork && now >= nextAt) {
                again = false;
                elsewhere = null;
                here = CertificateNumber.NONE;
                ask(List.of(servers.current(), other()));
            }
        } else if (now - askedAt >= graceMillis) {
            judge();
        }
    }

    private void judge() {
        Certificate newer = elsewhere;
        if (newer == null || !newer.number().isAfter(here)) {
            over();
        } else if (!again) {
            again = true;
            ask(List.of(servers.current()));
        } else {
            if (heard && certificates.verify(newer).isEmpty()) {
                step.leave(
                        Why.STALE,
                        "appserver " + servers.current() + " is at certificate " + here
                                + ", and another one has long had " + newer.number());
            }
            over();
        }
    }

    private void ask(List<Integer> whom) {
        nonce = peers.nonce();
        askedAt = step.now();
        heard = false;
        peers.send(whom, peers.seal(new AskStanding(peers.self(), nonce, List.of())));
    }

    private int other() {
        List<Integer> others = servers.others();
        return others.get(turn++ % others.size());
    }

    private void over() {
        nonce = 0;
        atWork = false;
        nextAt = step.now() + PAUSE * graceMillis;
    }
}
