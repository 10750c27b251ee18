package org.aspas.appserver.core.complaint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.complaint.RememberedEvidence.Piece;
import org.aspas.appserver.core.port.Alarm;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.appserver.core.step.Records;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Blacklist.Finding;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Verdict;
import org.aspas.certify.wire.WrongAnswer;

/**
 * The evidence that an appserver holds and what became of it: it is judged, handed to the other appservers, and what is
 * proved is taken to the BFT cluster until a certificate excludes the accused. For one thread.
 */
public final class EvidencePool extends CorePart {
    private static final int MOST_ATTEMPTS = 60;
    private static final int MOST_EARLY_WORDS = 256;
    private static final long REPEAT_MILLIS = 1000;
    private static final long EVIDENCE_BURST = 100;
    private static final long EVIDENCE_PER_SECOND = 20;
    /** How much of what needs the verdicts of several servers is kept across a crash, for each accused server. */
    private static final int MOST_RECORDED = 8;

    private final EvidenceFindings findings;
    private final RememberedEvidence remembered = new RememberedEvidence();
    private final OpenVerdicts verdicts;
    private final ExcludedParties excluded = new ExcludedParties();
    private final UnansweredEvidence unanswered;
    private final List<Signed<Blacklist>> earlyWords = new ArrayList<>();
    private final Map<Integer, Integer> recorded = new TreeMap<>();
    private final Map<NodeId, TokenBucket> servers = new TreeMap<>();
    private boolean restoring;
    private long repeatedAt = Long.MIN_VALUE / 2;

    public EvidencePool(CoreContext context, Inspector inspector) {
        super(context);
        this.verdicts = new OpenVerdicts(context, remembered);
        this.unanswered = new UnansweredEvidence(context);
        this.findings = new EvidenceFindings(settings, inspector);
    }

    /** Whether a client is refused for good. */
    boolean refuses(ClientId client) {
        return excluded.refused(client).isPresent();
    }

    /** Who is out: the excluded appservers in order, then the refused clients. */
    public List<CoreStatus.Excluded> blacklist() {
        return excluded.blacklist(
                hash -> Optional.ofNullable(remembered.get(hash)).map(one -> one.evidence));
    }

    // ---- Evidence ----

    /**
     * Takes evidence that this server found itself, stored, or was shown, and acts on it when it is new; what this server
     * finds. What names an incarnation of an appserver that is not open here is neither kept nor handed on. Evidence that no
     * command could carry to the bftservers counts as false: no correct server makes it, and no client can send it in one frame.
     */
    public Finding take(Evidence evidence) {
        if (evidence.accused() instanceof Accused.Client client && refuses(client.id())) {
            return Finding.GUILTY;
        }
        if (Codec.encode(evidence).length > settings.limits().maxEvidenceBytes()) {
            counters.count("evidence_too_large");
            return Finding.FALSE;
        }
        Hash hash = Digests.evidence(evidence);
        Piece known = remembered.get(hash);
        Optional<Finding> judged = known == null || known.finding == Finding.UNCONFIRMED
                ? findings.of(evidence, restoring)
                : Optional.of(known.finding);
        if (judged.isEmpty()) {
            counters.count("evidence_of_later_incarnation");
            return Finding.UNCONFIRMED;
        }
        Finding finding = judged.get();
        if (finding == Finding.FALSE) {
            counters.count("evidence_false");
            return finding;
        }
        boolean decided = finding == Finding.GUILTY && (known == null || known.finding != Finding.GUILTY);
        Piece one = known == null ? remember(hash, evidence, finding) : known;
        one.finding = finding;
        if (decided) {
            act(hash, one);
        }
        return finding;
    }

    /** Takes evidence back from the store, where it was put when it had convicted somebody. */
    public void restore(Evidence evidence) {
        restoring = true;
        take(evidence);
        restoring = false;
    }

    public void restore(Blacklist refused) {
        if (refused.accused() instanceof Accused.Client client && !refuses(client.id())) {
            excluded.refuse(client.id(), refused.evidence());
        }
    }

    /** The records of what convicted somebody, as far as it is remembered, and of the clients who are refused for what is not. */
    public List<byte[]> records() {
        List<byte[]> records = new ArrayList<>();
        for (Piece one : remembered.all()) {
            if (one.finding == Finding.GUILTY) {
                records.add(Records.evidence(one.evidence));
            }
        }
        excluded.refused().forEach((client, evidence) -> {
            if (remembered.get(evidence) == null) {
                Accused accused = new Accused.Client(client);
                records.add(Records.refused(new Blacklist(settings.index(), evidence, accused, Finding.GUILTY)));
            }
        });
        return records;
    }

    private Piece remember(Hash hash, Evidence evidence, Finding finding) {
        Piece one = new Piece(evidence, finding);
        remembered.put(hash, one);
        earlyWords.removeIf(word -> {
            boolean about = word.message().evidence().equals(hash);
            if (about) {
                one.words.put(word.message().server(), word);
            }
            return about;
        });
        settings.peers().forEach(peer -> outbox.node(peer, evidence));
        counters.count("evidence_taken");
        return one;
    }

    private void act(Hash hash, Piece one) {
        Accused accused = one.evidence.accused();
        if (accused instanceof Accused.Client client) {
            excluded.refuse(client.id(), hash);
            unanswered.sent(hash, one.evidence, null);
            outbox.persist(Records.evidence(one.evidence));
            counters.count("clients_excluded");
        } else if (accused instanceof Accused.Server server && server.index() != settings.index()) {
            if (one.evidence instanceof WrongAnswer) {
                vouch(hash, one, server.index());
            } else {
                submit(server.index(), one, List.of(), hash);
            }
        }
    }

    /** Gives this server's word on evidence that needs the words of f+1 servers. */
    private void vouch(Hash hash, Piece one, int accused) {
        Signed<Blacklist> word = word(one.evidence, Finding.GUILTY);
        one.words.put(settings.index(), word);
        if (!excluded.excludes(accused)) {
            // What this server gives its word on, it must know after a crash: whoever has f+1 such words brings it no
            // more.
            if (recorded.merge(accused, 1, Integer::sum) <= MOST_RECORDED) {
                persist(one);
            }
            unanswered.sent(hash, one.evidence, word);
        }
        settings.peers().forEach(peer -> outbox.node(peer, word));
        submitIfAgreed(one, accused);
    }

    private void persist(Piece one) {
        if (!one.recorded) {
            one.recorded = true;
            outbox.persist(Records.evidence(one.evidence));
        }
    }

    Signed<Blacklist> word(Evidence evidence, Finding finding) {
        return word(Digests.evidence(evidence), evidence, finding);
    }

    private Signed<Blacklist> word(Hash hash, Evidence evidence, Finding finding) {
        return settings.sealer().seal(new Blacklist(settings.index(), hash, evidence.accused(), finding));
    }

    // ---- The other servers ----

    /** Takes evidence from another server; from one that sends too much of it, nothing for a while. */
    public void evidence(NodeId from, Evidence evidence) {
        TokenBucket bucket =
                servers.computeIfAbsent(from, any -> new TokenBucket(EVIDENCE_BURST, EVIDENCE_PER_SECOND, time.now()));
        Finding finding = bucket.take(time.now()) ? take(evidence) : Finding.FALSE;
        if (finding == Finding.FALSE) {
            counters.count("refused_evidence");
        } else if (finding == Finding.GUILTY && from.role() == Role.APPSERVER) {
            answer(from, evidence);
        }
    }

    /**
     * Answers another appserver that sent evidence which this one finds to be proof: with its own verdict, where the other
     * would send it again until it has that. For a client who was refused before, the verdict is the one on the first proof.
     */
    private void answer(NodeId peer, Evidence evidence) {
        if (evidence.accused() instanceof Accused.Client client) {
            Hash first = excluded.refused(client.id()).orElseGet(() -> Digests.evidence(evidence));
            outbox.node(peer, word(first, evidence, Finding.GUILTY));
        } else if (evidence instanceof WrongAnswer) {
            outbox.node(peer, word(evidence, Finding.GUILTY));
        }
    }

    /** A link to another appserver came up: what it has not answered is sent again soon. */
    public void connected(NodeId peer) {
        unanswered.connected(peer);
    }

    public void word(NodeId from, Signed<Blacklist> signed) {
        Blacklist word = signed.message();
        boolean valid = NodeId.appserver(word.server()).equals(from)
                && word.finding() == Finding.GUILTY
                && settings.signedBy(from, signed, Domain.BLACKLIST);
        if (!valid) {
            counters.count("refused_blacklist");
        } else if (word.accused() instanceof Accused.Client client) {
            excluded.refused(client.id()).ifPresent(own -> unanswered.answered(own, from));
        } else {
            unanswered.answered(word.evidence(), from);
            count(signed);
        }
    }

    /** Counts another server's word on a server; one on evidence that is not here yet is kept for it. */
    private void count(Signed<Blacklist> signed) {
        Blacklist word = signed.message();
        Piece one = remembered.get(word.evidence());
        if (one == null) {
            earlyWords.add(signed);
            if (earlyWords.size() > MOST_EARLY_WORDS) {
                earlyWords.remove(0);
            }
        } else if (one.evidence.accused() instanceof Accused.Server accused
                && word.accused().equals(accused)
                && accused.index() != word.server()
                && one.words.put(word.server(), signed) == null) {
            submitIfAgreed(one, accused.index());
        }
    }

    // ---- The BFT cluster ----

    private void submitIfAgreed(Piece one, int accused) {
        if (!(one.evidence instanceof WrongAnswer)
                || one.words.size() < settings.quorums().oneCorrectAppserver()) {
            return;
        }
        Hash hash = Digests.evidence(one.evidence);
        List<Signed<Blacklist>> words = List.copyOf(one.words.values());
        // The bftservers do not count words of servers that they convicted meanwhile: others make up for them.
        if (!verdicts.replace(accused, hash, one.evidence, words)) {
            submit(accused, one, words, hash);
        }
    }

    private void submit(int accused, Piece one, List<Signed<Blacklist>> words, Hash hash) {
        Signed<Verdict> verdict = verdicts.verdict(one.evidence, words);
        if (excluded.excludes(accused) || !verdicts.open(accused, hash, verdict)) {
            return;
        }
        persist(one);
        outbox.alarm(new Alarm.ProvedFaulty(accused, one.evidence.kind(), hash));
        counters.count("verdicts_submitted");
        verdicts.send(verdict);
    }

    /** Takes the blacklist of an adopted certificate; whether it is longer than before. */
    public boolean adopted(Certificate certificate) {
        boolean longer = false;
        for (Exclusion one : certificate.content().exclusions()) {
            if (excluded.exclude(one, certificate.number())) {
                verdicts.settled(one.origin());
                unanswered.settled(one.origin());
                remembered.keep(one.evidence());
                longer = true;
            }
        }
        return longer;
    }

    /**
     * Repeats what the BFT cluster has not acted on and what other appservers have not answered, and tries again to recompute
     * what could not be recomputed.
     */
    public void tick() {
        if (time.now() - repeatedAt < REPEAT_MILLIS) {
            return;
        }
        repeatedAt = time.now();
        verdicts.repeat();
        unanswered.round();
        for (Piece one : remembered.undecided()) {
            if (one.attempts < MOST_ATTEMPTS) {
                one.attempts++;
                take(one.evidence);
            }
        }
    }
}
