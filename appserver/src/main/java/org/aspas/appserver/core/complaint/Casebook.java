package org.aspas.appserver.core.complaint;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.Alarm;
import org.aspas.appserver.core.CoreSettings;
import org.aspas.appserver.core.Counters;
import org.aspas.appserver.core.Outbox;
import org.aspas.appserver.core.Records;
import org.aspas.appserver.core.complaint.Cases.Case;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Digests;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.message.Accused;
import org.aspas.certify.message.Blacklist;
import org.aspas.certify.message.Blacklist.Finding;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateContent.Exclusion;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.InspectReply;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Verdict;
import org.aspas.certify.message.WrongAnswer;

/**
 * The evidence that an appserver holds and what became of it: it is judged, handed to the other appservers, and what is
 * proved is taken to the BFT cluster until a certificate excludes the accused. For one thread.
 */
public final class Casebook {
    private static final int MOST_CLIENTS = 100_000;
    private static final int MOST_ATTEMPTS = 60;
    private static final int MOST_STRANGE_WORDS = 256;
    private static final long REPEAT_MILLIS = 1000;
    /** How many verdicts against one server are before the BFT cluster at once. */
    private static final int MOST_VERDICTS = 2;
    /** How much of what needs the verdicts of several servers is kept across a crash, for each accused server. */
    private static final int MOST_RECORDED = 8;

    private final CoreSettings settings;
    private final Inspector inspector;
    private final EvidenceJudge judge;
    private final Outbox outbox;
    private final Counters counters;
    private final Cases cases = new Cases();
    private final List<Signed<Blacklist>> strangeWords = new ArrayList<>();
    private final TreeMap<Integer, LinkedHashMap<Hash, Signed<Verdict>>> open = new TreeMap<>();
    private final TreeMap<Integer, Long> excludedSince = new TreeMap<>();
    private final TreeMap<Integer, Exclusion> excluded = new TreeMap<>();
    private final LinkedHashMap<ClientId, Hash> excludedClients = new LinkedHashMap<>();
    private final UnansweredEvidence unanswered;
    private final Map<Integer, Integer> recorded = new TreeMap<>();
    private long repeatedAt = Long.MIN_VALUE / 2;

    Casebook(CoreSettings settings, Inspector inspector, Outbox outbox, Counters counters) {
        this.settings = settings;
        this.inspector = inspector;
        this.outbox = outbox;
        this.counters = counters;
        this.unanswered = new UnansweredEvidence(settings, outbox, counters);
        List<PublicKey> appservers = new ArrayList<>();
        for (int server = 0; server < settings.quorums().appservers(); server++) {
            settings.key(NodeId.appserver(server)).ifPresent(appservers::add);
        }
        this.judge = new EvidenceJudge(
                settings.quorums(), appservers, settings.bftserverKeys(), settings.admits(), settings.verifier());
    }

    /** Whether a client is refused for good. */
    boolean excludes(ClientId client) {
        return excludedClients.containsKey(client);
    }

    /** Whoever is excluded by a certificate, in origin order. */
    Collection<Exclusion> excluded() {
        return excluded.values();
    }

    /** The number of the first certificate that excludes a server. */
    long since(int server) {
        return excludedSince.getOrDefault(server, 0L);
    }

    /** Evidence by its hash. */
    Optional<Evidence> find(Hash evidence) {
        return Optional.ofNullable(cases.get(evidence)).map(one -> one.evidence);
    }

    /** The clients that are refused for good, with the hash of the evidence. */
    Map<ClientId, Hash> excludedClients() {
        return excludedClients;
    }

    /**
     * Takes evidence from anybody, and acts on it when it is new; what this server finds. Evidence that no command could
     * carry to the bftservers counts as false: no correct server makes it, and no client can send it in one frame.
     */
    Finding take(Evidence evidence) {
        if (evidence.accused() instanceof Accused.Client client && excludes(client.id())) {
            return Finding.GUILTY;
        }
        if (Codec.encode(evidence).length > settings.limits().maxEvidenceBytes()) {
            counters.count("evidence_too_large");
            return Finding.FALSE;
        }
        Hash hash = Digests.evidence(evidence);
        Case known = cases.get(hash);
        Finding finding = known == null || known.finding == Finding.UNCONFIRMED ? judged(evidence) : known.finding;
        if (finding == Finding.FALSE) {
            counters.count("evidence_false");
            return finding;
        }
        boolean decided = finding == Finding.GUILTY && (known == null || known.finding != Finding.GUILTY);
        Case one = known == null ? opened(hash, evidence, finding) : known;
        one.finding = finding;
        if (decided) {
            act(hash, one);
        }
        return finding;
    }

    private Case opened(Hash hash, Evidence evidence, Finding finding) {
        Case one = new Case(evidence, finding);
        keep(hash, one);
        settings.peers().forEach(peer -> outbox.node(peer, evidence));
        counters.count("evidence_taken");
        return one;
    }

    private Finding judged(Evidence evidence) {
        Judgement judgement = judge.judge(evidence);
        if (judgement instanceof Judgement.Guilty) {
            return Finding.GUILTY;
        }
        if (judgement instanceof Judgement.NeedsReplay && evidence instanceof WrongAnswer wrong) {
            InspectReply.Outcome outcome = inspector.inspect(wrong.response(), wrong.question());
            return outcome == InspectReply.Outcome.DIFFERS ? Finding.GUILTY : Finding.UNCONFIRMED;
        }
        return Finding.FALSE;
    }

    private void keep(Hash hash, Case one) {
        cases.put(hash, one);
        strangeWords.removeIf(word -> {
            boolean about = word.message().evidence().equals(hash);
            if (about) {
                one.words.put(word.message().server(), word);
            }
            return about;
        });
    }

    private void act(Hash hash, Case one) {
        Accused accused = one.evidence.accused();
        if (accused instanceof Accused.Client client) {
            excludedClients.put(client.id(), hash);
            if (excludedClients.size() > MOST_CLIENTS) {
                excludedClients.remove(excludedClients.keySet().iterator().next());
            }
            unanswered.sent(hash, one.evidence, null);
            outbox.persist(Records.evidence(one.evidence));
            counters.count("clients_excluded");
            return;
        }
        if (!(accused instanceof Accused.Server server) || server.index() == settings.index()) {
            return;
        }
        if (one.evidence instanceof WrongAnswer) {
            Signed<Blacklist> word = word(one.evidence, Finding.GUILTY);
            one.words.put(settings.index(), word);
            if (!excluded.containsKey(server.index())) {
                record(server.index(), one);
                unanswered.sent(hash, one.evidence, word);
            }
            settings.peers().forEach(peer -> outbox.node(peer, word));
            submitIfAgreed(one, server.index());
        } else {
            submit(server.index(), one, List.of(), hash);
        }
    }

    /** What this server gives its word on, it must know after a crash: whoever has f+1 such words brings it no more. */
    private void record(int accused, Case one) {
        if (recorded.merge(accused, 1, Integer::sum) <= MOST_RECORDED) {
            persist(one);
        }
    }

    private void persist(Case one) {
        if (!one.recorded) {
            one.recorded = true;
            outbox.persist(Records.evidence(one.evidence));
        }
    }

    /** This server's signed verdict on evidence. */
    Signed<Blacklist> word(Evidence evidence, Finding finding) {
        return settings.sealer()
                .seal(new Blacklist(settings.index(), Digests.evidence(evidence), evidence.accused(), finding));
    }

    /**
     * Answers another appserver that sent evidence which this one finds to be proof: with its own verdict, where the other
     * would send it again until it has that. For a client who was refused before, the verdict is the one on the first proof.
     */
    void answer(NodeId peer, Evidence evidence) {
        if (evidence.accused() instanceof Accused.Client client) {
            Hash first = excludedClients.getOrDefault(client.id(), Digests.evidence(evidence));
            outbox.node(
                    peer,
                    settings.sealer().seal(new Blacklist(settings.index(), first, evidence.accused(), Finding.GUILTY)));
        } else if (evidence instanceof WrongAnswer) {
            outbox.node(peer, word(evidence, Finding.GUILTY));
        }
    }

    /** A link to another appserver came up. */
    void connected(NodeId peer) {
        unanswered.connected(peer);
    }

    /** Takes another appserver's verdict. */
    void word(NodeId from, Signed<Blacklist> signed) {
        Blacklist word = signed.message();
        Optional<PublicKey> key = settings.key(from);
        boolean valid = NodeId.appserver(word.server()).equals(from)
                && word.finding() == Finding.GUILTY
                && key.isPresent()
                && signed.verify(settings.verifier(), key.get(), Domain.BLACKLIST);
        if (!valid) {
            counters.count("refused_blacklist");
            return;
        }
        if (word.accused() instanceof Accused.Client client) {
            Hash own = excludedClients.get(client.id());
            if (own != null) {
                unanswered.answered(own, from);
            }
            return;
        }
        unanswered.answered(word.evidence(), from);
        Case one = cases.get(word.evidence());
        if (one == null) {
            strangeWords.add(signed);
            if (strangeWords.size() > MOST_STRANGE_WORDS) {
                strangeWords.remove(0);
            }
        } else if (one.evidence.accused() instanceof Accused.Server accused
                && word.accused().equals(accused)
                && accused.index() != word.server()) {
            if (one.words.put(word.server(), signed) == null) {
                submitIfAgreed(one, accused.index());
            }
        }
    }

    private void submitIfAgreed(Case one, int accused) {
        if (!(one.evidence instanceof WrongAnswer)
                || one.words.size() < settings.quorums().oneCorrectAppserver()) {
            return;
        }
        Hash hash = Digests.evidence(one.evidence);
        List<Signed<Blacklist>> words = List.copyOf(one.words.values());
        LinkedHashMap<Hash, Signed<Verdict>> proofs = open.get(accused);
        if (proofs != null && proofs.containsKey(hash)) {
            // The bftservers do not count words of servers that they convicted meanwhile: others make up for them.
            proofs.put(hash, verdict(one.evidence, words));
        } else {
            submit(accused, one, words, hash);
        }
    }

    private Signed<Verdict> verdict(Evidence evidence, List<Signed<Blacklist>> words) {
        return settings.sealer().seal(new Verdict(settings.index(), evidence, words));
    }

    private void submit(int accused, Case one, List<Signed<Blacklist>> words, Hash hash) {
        Signed<Verdict> verdict = verdict(one.evidence, words);
        if (excluded.containsKey(accused) || !opened(accused, hash, verdict)) {
            return;
        }
        persist(one);
        outbox.alarm(new Alarm.ProvedFaulty(accused, one.evidence.kind(), hash));
        counters.count("verdicts_submitted");
        settings.bftservers().forEach(replica -> outbox.node(replica, verdict));
    }

    /**
     * Whether a verdict is new and among the shortest ones against a server: the accused may have made the first proof such
     * that nobody can act on it.
     */
    private boolean opened(int accused, Hash hash, Signed<Verdict> verdict) {
        LinkedHashMap<Hash, Signed<Verdict>> proofs = open.computeIfAbsent(accused, any -> new LinkedHashMap<>());
        if (proofs.putIfAbsent(hash, verdict) != null) {
            return false;
        }
        cases.keep(hash);
        if (proofs.size() <= MOST_VERDICTS) {
            return true;
        }
        Hash longest = hash;
        for (Map.Entry<Hash, Signed<Verdict>> one : proofs.entrySet()) {
            boolean longer = one.getValue().payload().length
                    > proofs.getOrDefault(longest, verdict).payload().length;
            longest = longer ? one.getKey() : longest;
        }
        proofs.remove(longest);
        cases.release(longest);
        return !longest.equals(hash);
    }

    /** Takes the blacklist of an adopted certificate; whether it is longer than before. */
    public boolean adopted(Certificate certificate) {
        boolean longer = false;
        for (Exclusion one : certificate.content().exclusions()) {
            if (excluded.putIfAbsent(one.origin(), one) == null) {
                excludedSince.put(one.origin(), certificate.number());
                open.remove(one.origin());
                unanswered.settled(one.origin());
                cases.keep(one.evidence());
                longer = true;
            }
        }
        return longer;
    }

    /**
     * Repeats what the BFT cluster has not acted on and what other appservers have not answered, and tries again to recompute
     * what could not be recomputed.
     */
    void tick(long now) {
        if (now - repeatedAt < REPEAT_MILLIS) {
            return;
        }
        repeatedAt = now;
        for (Map<Hash, Signed<Verdict>> proofs : open.values()) {
            proofs.values().forEach(verdict -> settings.bftservers().forEach(node -> outbox.node(node, verdict)));
        }
        unanswered.round();
        for (Case one : cases.undecided()) {
            if (one.attempts < MOST_ATTEMPTS) {
                one.attempts++;
                take(one.evidence);
            }
        }
    }
}
