package org.aspas.client.core;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.bound.Backoff;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Blacklist.Finding;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;

/**
 * COMPLAIN and BLACKLIST (paper §3.6; the protocol page, §8): brings evidence to all appservers but the accused and
 * counts their verdicts. Evidence that would not stand is never filed, for it would count against this client.
 */
public final class Complaints {
    private static final int MOST_OPEN = 8;
    private static final int MOST_TRIES = 8;
    private static final Backoff PAUSES_MILLIS = Backoff.upTo(1_000, 1 << MOST_TRIES);

    private static final class Case {
        final int accused;
        final Hash evidence;
        final Signed<Message> complain;
        final TreeMap<Integer, Finding> findings = new TreeMap<>();
        Backoff pause = PAUSES_MILLIS;
        long nextTry;
        int tries = 1;

        Case(int accused, Hash evidence, Signed<Message> complain) {
            this.accused = accused;
            this.evidence = evidence;
            this.complain = complain;
        }

        List<Integer> guilty() {
            List<Integer> judges = new ArrayList<>();
            findings.forEach((judge, finding) -> {
                if (finding == Finding.GUILTY) {
                    judges.add(judge);
                }
            });
            return judges;
        }
    }

    private final EvidenceJudge judge;
    private final PeerQueries peers;
    private final Servers servers;
    private final Step step;
    private final TreeMap<Hash, Case> cases = new TreeMap<>();

    public Complaints(EvidenceJudge judge, PeerQueries peers, Step step) {
        this.judge = judge;
        this.peers = peers;
        this.servers = peers.servers();
        this.step = step;
    }

    /** Complains, unless the evidence would not stand, or it is known, or too many complaints are open. */
    public void file(Evidence evidence) {
        if (!(evidence.accused() instanceof Accused.Server accused)
                || !servers.exists(accused.index())
                || servers.convicted(accused.index())
                || cases.size() >= MOST_OPEN
                || !stands(judge.judge(evidence))) {
            return;
        }
        Hash hash = Digests.evidence(evidence);
        if (cases.containsKey(hash)) {
            return;
        }
        Signed<Message> complain = peers.seal(new Complain(peers.self(), peers.nonce(), evidence));
        Case filed = new Case(accused.index(), hash, complain);
        filed.nextTry = step.now() + filed.pause.pause();
        cases.put(hash, filed);
        step.happened(new ClientEvent.Complained(accused.index(), evidence.kind(), hash));
        peers.send(servers.allBut(accused.index()), complain);
    }

    private static boolean stands(Judgement judgement) {
        return judgement instanceof Judgement.Guilty || judgement instanceof Judgement.NeedsReplay;
    }

    public void tick() {
        long now = step.now();
        for (Iterator<Case> all = cases.values().iterator(); all.hasNext(); ) {
            Case open = all.next();
            if (now < open.nextTry) {
                continue;
            }
            if (open.tries >= MOST_TRIES || servers.convicted(open.accused)) {
                all.remove();
                continue;
            }
            open.tries++;
            open.pause = open.pause.next();
            open.nextTry = now + open.pause.pause();
            List<Integer> undecided = servers.allBut(open.accused);
            undecided.removeAll(open.guilty());
            peers.send(undecided, open.complain);
        }
    }

    /** Takes a verdict whose signature is right. */
    public void verdict(Blacklist verdict) {
        Case open = cases.get(verdict.evidence());
        if (open == null
                || verdict.server() == open.accused
                || !verdict.accused().equals(new Accused.Server(open.accused))) {
            return;
        }
        open.findings.put(verdict.server(), verdict.finding());
        if (open.guilty().size() >= servers.oneCorrect()) {
            cases.remove(open.evidence);
            servers.convict(open.accused, open.evidence);
        }
    }
}
