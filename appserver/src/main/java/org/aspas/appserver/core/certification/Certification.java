package org.aspas.appserver.core.certification;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.Alarm;
import org.aspas.appserver.core.CoreSettings;
import org.aspas.appserver.core.Counters;
import org.aspas.appserver.core.Outbox;
import org.aspas.appserver.core.Records;
import org.aspas.appserver.core.broadcast.Broadcaster;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.broadcast.OriginLog;
import org.aspas.appserver.core.objects.Candidate;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.objects.Recomputation;
import org.aspas.certify.certificate.CertificateAssembler;
import org.aspas.certify.certificate.CertificateChain;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.codec.Digests;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.message.BftReqStable;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateContent;
import org.aspas.certify.message.CertificateContent.Exclusion;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.Head;
import org.aspas.certify.message.Share;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Stable;
import org.aspas.certify.message.VertObft;
import org.aspas.certify.stable.CausalClosure;
import org.aspas.certify.stable.Cuts;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * Reports to the bftservers, answers their request for a stable state, and adopts certificates in the order of their
 * numbers, each after comparing its roots with the own logs and its state root with the own state. For one thread.
 */
public final class Certification implements Broadcaster.Target {
    private static final int MAX_WAITING = 64;

    /** What was adopted, with the entries that it added, in canonical order. */
    public record Adopted(Certificate certificate, List<Entry> range) {}

    /** Who is told what becomes of the log. */
    public interface Listener {
        /** A certificate was adopted. */
        void adopted(Adopted adopted);

        /**
         * The end of an origin's log was taken back.
         *
         * @param origin whose
         * @param kept the last sequence number that stays
         * @param revoked what had been delivered of any origin's log in the same step
         */
        void takenBack(int origin, long kept, List<Entry> revoked);
    }

    private final CoreSettings settings;
    private final Logs logs;
    private final ObjectStore objects;
    private final Outbox outbox;
    private final Counters counters;
    private final CertificateVerifier verifier;
    private final CertificateAssembler assembler;
    private final Listener listener;
    private final TreeMap<Long, Certificate> retained = new TreeMap<>();
    private final TreeMap<Long, Certificate> waiting = new TreeMap<>();
    private final Map<Integer, BftReqStable> asked = new TreeMap<>();
    private @Nullable BftReqStable goal;
    private @Nullable Candidate candidate;
    private @Nullable Signed<Stable> answer;
    private @Nullable Certificate newest;
    private Hash digest = Hash.ZERO;
    private VersionVector certified;
    private VersionVector reported;
    private @Nullable Signed<VertObft> lastReport;
    private long answeredAt;
    private long askedAt = Long.MIN_VALUE / 2;
    private long reportedAt = Long.MIN_VALUE / 2;
    private long now;
    private boolean diverged;

    /** A server that has adopted nothing yet. */
    public Certification(
            CoreSettings settings,
            Logs logs,
            ObjectStore objects,
            Outbox outbox,
            Counters counters,
            Listener listener) {
        this.settings = settings;
        this.logs = logs;
        this.objects = objects;
        this.outbox = outbox;
        this.counters = counters;
        this.listener = listener;
        this.verifier = new CertificateVerifier(settings.quorums(), settings.bftserverKeys(), settings.verifier());
        this.assembler = new CertificateAssembler(verifier);
        this.certified = VersionVector.zero(settings.quorums().appservers());
        this.reported = certified;
    }

    /** The newest adopted certificate. */
    public Optional<Certificate> newest() {
        return Optional.ofNullable(newest);
    }

    /** The number of the newest adopted certificate; 0 before the first. */
    public long number() {
        return newest == null ? 0 : newest.number();
    }

    /** The digest of the whole newest adopted certificate; {@code Hash.ZERO} before the first. */
    public Hash digest() {
        return digest;
    }

    /** The certified version. */
    public VersionVector certified() {
        return certified;
    }

    /** A retained certificate; number 0 names the newest. */
    public Optional<Certificate> find(long number) {
        return number == 0 ? newest() : Optional.ofNullable(retained.get(number));
    }

    /** Whether the own state differs from what was certified. */
    public boolean diverged() {
        return diverged;
    }

    /** The version that must be pulled: the goal and the certificates that wait. */
    public VersionVector wanted() {
        VersionVector wanted = goal == null ? certified : certified.join(goal.version());
        for (Certificate certificate : waiting.values()) {
            wanted = wanted.join(certificate.content().version());
        }
        return wanted;
    }

    /** Whether a certificate is known of that is not held. */
    public boolean lacks() {
        long next = number() + 1;
        return !waiting.containsKey(next) && (!waiting.isEmpty() || (goal != null && goal.number() > next));
    }

    /** Whether a certificate waits for the entries that it covers. */
    public boolean waiting(long number) {
        return waiting.containsKey(number);
    }

    /** Takes one replica's request for a stable state. */
    public void request(NodeId from, Signed<BftReqStable> signed) {
        BftReqStable request = signed.message();
        BftReqStable held = asked.get(request.replica());
        if ((goal != null && !later(request, goal)) || (held != null && !later(request, held))) {
            return;
        }
        Optional<PublicKey> key = settings.key(from);
        boolean valid = from.equals(NodeId.bftserver(request.replica()))
                && request.version().size() == certified.size()
                && key.isPresent()
                && signed.verify(settings.verifier(), key.get(), Domain.BFTREQSTABLE);
        if (!valid) {
            counters.count("refused_bftreqstable");
            return;
        }
        asked.put(request.replica(), request);
        long equal =
                asked.values().stream().filter(other -> same(other, request)).count();
        if (equal >= settings.quorums().oneCorrectBftserver()) {
            goal = request;
            askedAt = now;
            answer = null;
            counters.count("goals");
            progress();
        }
    }

    private static boolean later(BftReqStable one, BftReqStable than) {
        return one.epoch() > than.epoch() || (one.epoch() == than.epoch() && one.round() > than.round());
    }

    private static boolean same(BftReqStable one, BftReqStable other) {
        return one.epoch() == other.epoch()
                && one.round() == other.round()
                && one.number() == other.number()
                && one.previous().equals(other.previous())
                && one.version().equals(other.version())
                && one.exclusions().equals(other.exclusions());
    }

    /** Takes one replica's share of a certificate. */
    public void share(NodeId from, Share share) {
        if (!from.equals(NodeId.bftserver(share.replica()))) {
            counters.count("refused_share");
            return;
        }
        assembler.add(share).ifPresent(certificate -> {
            counters.count("certificates_assembled");
            waiting.put(certificate.number(), certificate);
            progress();
        });
    }

    /** Takes a certificate from anybody. */
    public void certificate(Certificate certificate) {
        long number = certificate.number();
        boolean wanted = number > number() && number <= number() + MAX_WAITING && !waiting.containsKey(number);
        if (!wanted) {
            return;
        }
        Optional<String> wrong = verifier.verify(certificate);
        if (wrong.isPresent()) {
            counters.count("refused_certificate");
            return;
        }
        waiting.put(number, certificate);
        progress();
    }

    /** Takes back a certificate from the store, where it was put after it was verified. */
    public void restore(Certificate certificate) {
        waiting.put(certificate.number(), certificate);
        progress();
        if (number() != certificate.number()) {
            throw new IllegalStateException(
                    "the stored certificate " + certificate.number() + " does not follow from the stored entries");
        }
    }

    /** Adopts what can be adopted and answers what can be answered; to be called when entries came. */
    public void progress() {
        while (!diverged) {
            Certificate next = waiting.get(number() + 1);
            if (next == null || !adopt(next)) {
                break;
            }
        }
        BftReqStable current = goal;
        if (!diverged && answer == null && current != null) {
            answer(current);
        }
    }

    /** Sends what is due. */
    public void tick(long nowMillis) {
        now = nowMillis;
        report(now - reportedAt >= settings.limits().repeatMillis() && !reported.equals(certified));
        Signed<Stable> current = answer;
        BftReqStable asking = goal;
        if (current != null
                && asking != null
                && asking.number() == number() + 1
                && now - answeredAt >= settings.limits().repeatMillis()) {
            sendAnswer(current);
        }
    }

    /** A link to a bftserver came up: what it may have missed is sent again. */
    public void connected(NodeId replica) {
        Signed<VertObft> last = lastReport;
        if (last != null) {
            outbox.node(replica, last);
        }
        BftReqStable asking = goal;
        if (answer != null && asking != null && asking.number() == number() + 1) {
            outbox.node(replica, answer);
        }
    }

    /** Reports what is new, once for each question: what comes after a report goes with the next one. */
    private void report(boolean repeat) {
        if (now - Math.max(reportedAt, askedAt) < settings.limits().reportMillis() || diverged) {
            return;
        }
        List<Signed<Head>> heads = new ArrayList<>();
        VersionVector version = VersionVector.zero(certified.size());
        for (int origin = 0; origin < certified.size(); origin++) {
            Optional<Signed<Head>> head = logs.of(origin).deliveredHead();
            if (head.isPresent()) {
                heads.add(head.get());
                long delivered = logs.of(origin).delivered();
                version = version.with(
                        origin, Math.min(delivered, head.get().message().size()));
            }
        }
        // No head that is held may reach an excluded origin's cut: the machine reads that component at the cut in any
        // case.
        VersionVector covered = logs.cuts().clip(version);
        version = logs.cuts().fix(version);
        if (heads.isEmpty() || (!repeat && version.equals(reported))) {
            return;
        }
        reported = version;
        reportedAt = now;
        Signed<VertObft> report = settings.sealer().seal(new VertObft(settings.index(), covered, heads));
        lastReport = report;
        settings.bftservers().forEach(replica -> outbox.node(replica, report));
        counters.count("reports");
    }

    private void answer(BftReqStable request) {
        boolean follows = request.number() == number() + 1
                && request.previous().equals(newest == null ? Hash.ZERO : newest.hash());
        if (!follows || !request.version().dominates(certified) || !logs.holds(request.version())) {
            return;
        }
        Cuts cuts = new Cuts(request.exclusions());
        // What is accepted need not be delivered: where a log is forked, entries may wait for each other, and are left
        // out.
        Candidate state = candidateUpTo(CausalClosure.of(
                certified,
                request.version(),
                (origin, sequence) -> cuts.clip(logs.of(origin).entry(sequence).dependencies())));
        VersionVector closed = state.version();
        Signed<Stable> stable = settings.sealer()
                .seal(new Stable(
                        settings.index(),
                        request.epoch(),
                        request.round(),
                        request.previous(),
                        request.version(),
                        logs.rootsAt(request.version()),
                        closed,
                        logs.rootsAt(closed),
                        state.root()));
        answer = stable;
        counters.count("stables");
        sendAnswer(stable);
    }

    private void sendAnswer(Signed<Stable> stable) {
        answeredAt = now;
        settings.bftservers().forEach(replica -> outbox.node(replica, stable));
    }

    /** The state at a version, or before what in it waits for each other. */
    private Candidate candidateUpTo(VersionVector version) {
        Candidate known = candidate;
        if (known != null && known.version().equals(version)) {
            return known;
        }
        List<Entry> between = new ArrayList<>();
        for (int origin = 0; origin < version.size(); origin++) {
            for (long sequence = certified.get(origin) + 1; sequence <= version.get(origin); sequence++) {
                between.add(logs.of(origin).entry(sequence));
            }
        }
        Candidate computed = objects.candidate(certified, between);
        candidate = computed;
        return computed;
    }

    private boolean adopt(Certificate next) {
        VersionVector version = next.content().version();
        if (!new Cuts(next.content().exclusions()).equals(logs.cuts()) && !carryOutExclusions(next)) {
            return false;
        }
        if (repair(next) || !logs.version().dominates(version)) {
            return false;
        }
        Optional<Alarm.NotOurHistory> wrong = mismatch(next);
        if (wrong.isPresent()) {
            diverged = true;
            counters.count("certificates_mismatched");
            outbox.alarm(wrong.get());
            return false;
        }
        Candidate state = candidateUpTo(version);
        objects.commit(state);
        candidate = null;
        certified = version;
        newest = next;
        digest = Digests.certificate(next);
        keep(next);
        for (int origin = 0; origin < version.size(); origin++) {
            logs.of(origin).release(version.get(origin));
        }
        outbox.persist(Records.certificate(next));
        counters.count("certificates_adopted");
        listener.adopted(new Adopted(next, state.range()));
        return true;
    }

    private Optional<Alarm.NotOurHistory> mismatch(Certificate next) {
        Optional<CertificateChain.Break> unchained =
                newest == null ? first(next) : CertificateChain.wrong(newest, next);
        if (unchained.isPresent()) {
            return Optional.of(new Alarm.NotChained(next.number(), number(), unchained.get()));
        }
        List<Integer> others = otherLogs(next.content());
        if (!others.isEmpty()) {
            return Optional.of(new Alarm.LogsDiverged(next.number(), others));
        }
        Hash certifiedState = next.content().state();
        Candidate state = candidateUpTo(next.content().version());
        boolean sameState =
                state.version().equals(next.content().version()) && state.root().equals(certifiedState);
        return sameState
                ? Optional.empty()
                : Optional.of(new Alarm.StateDiverged(next.number(), state.version(), state.root(), certifiedState));
    }

    /** The origins whose logs here have other roots than a content says. */
    private List<Integer> otherLogs(CertificateContent content) {
        List<Hash> own = logs.rootsAt(content.version());
        List<Integer> others = new ArrayList<>();
        for (int origin = 0; origin < own.size(); origin++) {
            if (!own.get(origin).equals(content.roots().get(origin))) {
                others.add(origin);
            }
        }
        return others;
    }

    /** Cuts the logs of the origins that the next certificate excludes; false when what is certified of them is not here. */
    private boolean carryOutExclusions(Certificate next) {
        CertificateContent content = next.content();
        for (Exclusion one : content.exclusions()) {
            OriginLog log = logs.of(one.origin());
            if (log.size() < one.cut()) {
                return false;
            }
            if (!log.rootAt(one.cut()).equals(content.roots().get(one.origin()))) {
                takeBack(one.origin(), next);
                return false;
            }
        }
        outbox.persist(Records.exclusion(next));
        exclude(content);
        return true;
    }

    /** Takes back a carried out exclusion from the store. */
    public void restoreExclusion(Certificate certificate) {
        exclude(certificate.content());
    }

    private void exclude(CertificateContent content) {
        Cuts before = logs.cuts();
        Cuts cuts = new Cuts(content.exclusions());
        List<Entry> revoked = logs.exclude(cuts);
        for (Exclusion one : content.exclusions()) {
            if (!before.excludes(one.origin())) {
                counters.count("exclusions");
                outbox.alarm(new Alarm.Excluded(one.origin(), one.cut(), content.number(), one.evidence()));
                listener.takenBack(one.origin(), one.cut(), revoked);
            }
        }
        candidate = null;
        logs.deliverReady();
    }

    /** Whether a certificate follows the newest adopted one. */
    private boolean follows(Certificate next) {
        return newest == null
                ? next.number() == 1
                : CertificateChain.wrong(newest, next).isEmpty();
    }

    /**
     * Takes back the logs that differ from what is certified, so that it is pulled; whether there are any. Entries that
     * wait count too: on the wrong branch they may wait for ever.
     */
    private boolean repair(Certificate next) {
        CertificateContent content = next.content();
        boolean follows = follows(next);
        boolean repairing = false;
        for (int origin = 0; follows && origin < certified.size(); origin++) {
            long size = content.version().get(origin);
            if (origin != settings.index()
                    && size > certified.get(origin)
                    && logs.of(origin).size() >= size
                    && !logs.of(origin).rootAt(size).equals(content.roots().get(origin))) {
                takeBack(origin, next);
                repairing = true;
            }
        }
        return repairing;
    }

    @Override
    public Optional<CertificateContent> next() {
        Certificate next = waiting.get(number() + 1);
        return next == null || diverged || !follows(next) ? Optional.empty() : Optional.of(next.content());
    }

    @Override
    public void offLog(int origin) {
        Certificate next = waiting.get(number() + 1);
        if (next != null) {
            takeBack(origin, next);
        }
    }

    private void takeBack(int origin, Certificate next) {
        counters.count("repairs");
        outbox.alarm(new Alarm.LogTakenBack(
                origin, certified.get(origin), logs.of(origin).size(), next.number()));
        logs.repair(origin, next.content().version().get(origin));
        outbox.persist(Records.takenBack(origin, certified.get(origin)));
        restoreTakenBack(origin, certified.get(origin));
    }

    /** Takes back the end of a log as it was taken back before. */
    public void restoreTakenBack(int origin, long kept) {
        List<Entry> revoked = logs.takeBackWrongBranch(origin, kept);
        candidate = null;
        listener.takenBack(origin, kept, revoked);
    }

    /** The version of a certificate that answers can be inspected against; zero for number 0. */
    public Optional<VersionVector> versionAt(long number) {
        if (number < Recomputation.oldest(number()) || number > number()) {
            return Optional.empty();
        }
        return number == 0
                ? Optional.of(VersionVector.zero(certified.size()))
                : find(number).map(certificate -> certificate.content().version());
    }

    private static Optional<CertificateChain.Break> first(Certificate next) {
        return next.number() == 1 ? Optional.empty() : Optional.of(CertificateChain.Break.NUMBER);
    }

    private void keep(Certificate adopted) {
        assembler.adopted(adopted.number());
        waiting.headMap(adopted.number(), true).clear();
        retained.put(adopted.number(), adopted);
        while (retained.size() > settings.limits().retainedCertificates()) {
            retained.pollFirstEntry();
        }
    }
}
