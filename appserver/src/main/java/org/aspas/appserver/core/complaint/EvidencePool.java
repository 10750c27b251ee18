package org.aspas.appserver.core.complaint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.aspas.appserver.core.complaint.EvidencePool.RememberedEvidence.Piece;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Records;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
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
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Verdict;
import org.aspas.certify.wire.WrongAnswer;
import org.jspecify.annotations.Nullable;

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

    public EvidencePool(CoreState context, Inspector inspector) {
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

    /** What this server finds of evidence: by signatures, and by its own recomputation where these do not suffice. For one thread. */
    private static final class EvidenceFindings {
        private final EvidenceJudge judge;
        private final Inspector inspector;

        EvidenceFindings(CoreSettings settings, Inspector inspector) {
            this.inspector = inspector;
            this.judge = new EvidenceJudge(
                    settings.quorums(),
                    settings.appserverKeys(),
                    settings.bftserverKeys(),
                    settings.admits(),
                    settings.verifier());
        }

        /**
         * What this server finds; empty for what names an incarnation of an appserver that is not open here.
         *
         * @param recomputed whether this server recomputed the answer before, and found another one
         */
        Optional<Finding> of(Evidence evidence, boolean recomputed) {
            Judgement judgement = judge.judge(evidence);
            if (judgement instanceof Judgement.CannotConfirm) {
                return Optional.empty();
            }
            if (judgement instanceof Judgement.Guilty) {
                return Optional.of(Finding.GUILTY);
            }
            if (judgement instanceof Judgement.NeedsReplay && evidence instanceof WrongAnswer wrong) {
                boolean differs = recomputed
                        || inspector.inspect(wrong.response(), wrong.question()) == InspectReply.Outcome.DIFFERS;
                return Optional.of(differs ? Finding.GUILTY : Finding.UNCONFIRMED);
            }
            return Optional.of(Finding.FALSE);
        }
    }

    /** Who is out: the appservers that a certificate excludes, and the clients whom this server refuses for good. For one thread. */
    private static final class ExcludedParties {
        private static final int MOST_CLIENTS = 100_000;

        private record Server(Exclusion exclusion, CertificateNumber since) {}

        private final TreeMap<Integer, Server> servers = new TreeMap<>();
        private final BoundedMap<ClientId, Hash> clients = new BoundedMap<>(MOST_CLIENTS);

        /** A certificate excludes an appserver; whether it is the first that does. */
        boolean exclude(Exclusion exclusion, CertificateNumber certificate) {
            return servers.putIfAbsent(exclusion.origin(), new Server(exclusion, certificate)) == null;
        }

        void refuse(ClientId client, Hash evidence) {
            clients.put(client, evidence);
        }

        /** The refused clients, with the hashes of the evidence against them. */
        Map<ClientId, Hash> refused() {
            return Collections.unmodifiableMap(clients);
        }

        boolean excludes(int server) {
            return servers.containsKey(server);
        }

        /** The hash of the evidence for which a client is refused, if it is. */
        Optional<Hash> refused(ClientId client) {
            return Optional.ofNullable(clients.get(client));
        }

        /** The excluded appservers in order, then the refused clients. */
        List<CoreStatus.Excluded> blacklist(Function<Hash, Optional<Evidence>> find) {
            List<CoreStatus.Excluded> all = new ArrayList<>();
            for (Server one : servers.values()) {
                Exclusion exclusion = one.exclusion();
                all.add(new CoreStatus.Excluded(
                        new Accused.Server(exclusion.origin()),
                        exclusion.cut(),
                        one.since(),
                        exclusion.evidence(),
                        find.apply(exclusion.evidence())));
            }
            clients.forEach((client, evidence) -> all.add(new CoreStatus.Excluded(
                    new Accused.Client(client), 0, CertificateNumber.NONE, evidence, find.apply(evidence))));
            return all;
        }
    }

    /** The verdicts that are before the BFT cluster: sent until a certificate excludes the accused. For one thread. */
    private static final class OpenVerdicts extends CorePart {
        /** How many verdicts against one server are before the BFT cluster at once. */
        private static final int MOST_VERDICTS = 2;

        private final RememberedEvidence remembered;
        private final TreeMap<Integer, LinkedHashMap<Hash, Signed<Verdict>>> open = new TreeMap<>();

        OpenVerdicts(CoreState context, RememberedEvidence remembered) {
            super(context);
            this.remembered = remembered;
        }

        Signed<Verdict> verdict(Evidence evidence, List<Signed<Blacklist>> words) {
            return settings.sealer().seal(new Verdict(settings.index(), evidence, words));
        }

        /** Puts a verdict with more words in the place of one on the same evidence; whether there was one. */
        boolean replace(int accused, Hash hash, Evidence evidence, List<Signed<Blacklist>> words) {
            LinkedHashMap<Hash, Signed<Verdict>> proofs = open.get(accused);
            if (proofs == null || !proofs.containsKey(hash)) {
                return false;
            }
            proofs.put(hash, verdict(evidence, words));
            return true;
        }

        /**
         * Opens a verdict, if it is new and among the shortest ones against a server: the accused may have made the first proof
         * such that nobody can act on it.
         */
        boolean open(int accused, Hash hash, Signed<Verdict> verdict) {
            LinkedHashMap<Hash, Signed<Verdict>> proofs = open.computeIfAbsent(accused, any -> new LinkedHashMap<>());
            if (proofs.putIfAbsent(hash, verdict) != null) {
                return false;
            }
            remembered.keep(hash);
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
            remembered.release(longest);
            return !longest.equals(hash);
        }

        /** Sends a verdict to all bftservers. */
        void send(Signed<Verdict> verdict) {
            settings.bftservers().forEach(replica -> outbox.node(replica, verdict));
        }

        /** Sends again what the BFT cluster has not acted on. */
        void repeat() {
            open.values().forEach(proofs -> proofs.values().forEach(this::send));
        }

        /** A server is excluded. */
        void settled(int accused) {
            open.remove(accused);
        }
    }

    /**
     * The evidence that is remembered, with what became of it: so much about clients, and so much about each server, so that no
     * flood of one kind makes another forgotten. For one thread.
     */
    static final class RememberedEvidence {
        private static final int MOST_OF_CLIENTS = 256;
        private static final int MOST_OF_A_SERVER = 64;

        /** A piece of evidence and what became of it. */
        static final class Piece {
            final Evidence evidence;
            Finding finding;
            final TreeMap<Integer, Signed<Blacklist>> words = new TreeMap<>();
            int attempts;
            boolean recorded;

            Piece(Evidence evidence, Finding finding) {
                this.evidence = evidence;
                this.finding = finding;
            }
        }

        private final LinkedHashMap<Hash, Piece> clients = new LinkedHashMap<>();
        private final TreeMap<Integer, LinkedHashMap<Hash, Piece>> servers = new TreeMap<>();
        private final Set<Hash> kept = new HashSet<>();

        @Nullable
        Piece get(Hash evidence) {
            Piece found = clients.get(evidence);
            for (Map<Hash, Piece> one : servers.values()) {
                found = found == null ? one.get(evidence) : found;
            }
            return found;
        }

        /** Remembers a piece; the eldest of its kind that is not kept may be forgotten. */
        void put(Hash hash, Piece one) {
            boolean server = one.evidence.accused() instanceof Accused.Server;
            LinkedHashMap<Hash, Piece> kind = one.evidence.accused() instanceof Accused.Server accused
                    ? servers.computeIfAbsent(accused.index(), any -> new LinkedHashMap<>())
                    : clients;
            kind.put(hash, one);
            if (kind.size() > (server ? MOST_OF_A_SERVER : MOST_OF_CLIENTS)) {
                kind.keySet().stream()
                        .filter(old -> !kept.contains(old) && !old.equals(hash))
                        .findFirst()
                        .ifPresent(kind::remove);
            }
        }

        void keep(Hash evidence) {
            kept.add(evidence);
        }

        void release(Hash evidence) {
            kept.remove(evidence);
        }

        List<Piece> all() {
            List<Piece> all = new ArrayList<>(clients.values());
            servers.values().forEach(one -> all.addAll(one.values()));
            return all;
        }

        /** The pieces that could not be decided yet: about servers, for about clients signatures decide. */
        List<Piece> undecided() {
            List<Piece> undecided = new ArrayList<>();
            for (Map<Hash, Piece> one : servers.values()) {
                one.values().stream()
                        .filter(open -> open.finding == Finding.UNCONFIRMED)
                        .forEach(undecided::add);
            }
            return undecided;
        }
    }
}
