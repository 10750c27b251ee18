package org.aspas.client.core;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.codec.Digests;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Accused;
import org.aspas.certify.message.Blacklist;
import org.aspas.certify.message.Blacklist.Finding;
import org.aspas.certify.message.Complain;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;

/**
 * COMPLAIN and BLACKLIST (paper §3.6; the protocol page, §8): brings evidence to all appservers but the accused and
 * counts their verdicts. Evidence that would not stand is never filed, for it would count against this client.
 */
final class Complaints {
    private static final int MOST_OPEN = 8;
    private static final int MOST_TRIES = 8;
    private static final long FIRST_PAUSE_MILLIS = 1_000;

    /** One complaint. */
    private static final class Case {
        final int accused;
        final Hash evidence;
        final Signed<Message> complain;
        final TreeMap<Integer, Finding> findings = new TreeMap<>();
        long pause = FIRST_PAUSE_MILLIS;
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
    private final Others others;
    private final Convictions convictions;
    private final Outbox outbox;
    private final TreeMap<Hash, Case> cases = new TreeMap<>();

    Complaints(EvidenceJudge judge, Others others, Convictions convictions, Outbox outbox) {
        this.judge = judge;
        this.others = others;
        this.convictions = convictions;
        this.outbox = outbox;
    }

    /** Complains, unless the evidence would not stand, or it is known, or too many complaints are open. */
    void file(Evidence evidence) {
        if (!(evidence.accused() instanceof Accused.Server accused)
                || !others.servers.exists(accused.index())
                || others.servers.convicted(accused.index())
                || cases.size() >= MOST_OPEN
                || judge.judge(evidence) instanceof Judgement.Unfounded) {
            return;
        }
        Hash hash = Digests.evidence(evidence);
        if (cases.containsKey(hash)) {
            return;
        }
        Signed<Message> complain = others.seal(new Complain(others.self, others.nonce(), evidence));
        Case filed = new Case(accused.index(), hash, complain);
        filed.nextTry = others.ticks.now() + filed.pause;
        cases.put(hash, filed);
        outbox.happened(new ClientEvent.Complained(accused.index(), evidence.kind(), hash));
        others.send(others.servers.allBut(accused.index()), complain);
    }

    void tick() {
        long now = others.ticks.now();
        for (Iterator<Case> all = cases.values().iterator(); all.hasNext(); ) {
            Case open = all.next();
            if (now < open.nextTry) {
                continue;
            }
            if (open.tries >= MOST_TRIES || others.servers.convicted(open.accused)) {
                all.remove();
                continue;
            }
            open.tries++;
            open.pause *= 2;
            open.nextTry = now + open.pause;
            List<Integer> undecided = others.servers.allBut(open.accused);
            undecided.removeAll(open.guilty());
            others.send(undecided, open.complain);
        }
    }

    /** Takes a verdict whose signature is right. */
    void verdict(Blacklist verdict) {
        Case open = cases.get(verdict.evidence());
        if (open == null
                || verdict.server() == open.accused
                || !verdict.accused().equals(new Accused.Server(open.accused))) {
            return;
        }
        open.findings.put(verdict.server(), verdict.finding());
        if (open.guilty().size() >= others.servers.oneCorrect()) {
            cases.remove(open.evidence);
            convictions.convicted(open.accused, open.evidence);
        }
    }
}
