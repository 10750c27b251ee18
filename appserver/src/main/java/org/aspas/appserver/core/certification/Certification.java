package org.aspas.appserver.core.certification;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.object.Candidate;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Counters;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.certificate.CertificateAssembler;
import org.aspas.certify.certificate.CertificateChain;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.machine.Cuts;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;

/**
 * Reports to the bftservers, answers their request for a stable state, and adopts certificates in the order of their
 * numbers, each after comparing its roots with the own logs and its state root with the own state. For one thread.
 */
public final class Certification extends CorePart {
    /** What one step towards the newest certificate did, for others to act on before the next step. */
    public sealed interface Step permits Adopted, LogsCut {}

    /** A certificate was adopted, with the entries that it added, in canonical order. */
    public record Adopted(Certificate certificate, List<Entry> range) implements Step {}

    private final Logs logs;
    private final ObjectStore objects;
    private final CertifiedHistory history;
    private final NextState states;
    private final WaitingCertificates waiting;
    private final VersionReporter reporter;
    private final StableAnswers answers;
    private final LogRepair repair;
    private final CertificationLag lag;

    public Certification(CoreState context, Logs logs, ObjectStore objects, CertifiedHistory history) {
        super(context);
        this.logs = logs;
        this.objects = objects;
        this.history = history;
        this.states = new NextState(logs, objects, history);
        this.waiting = new WaitingCertificates(context, history);
        this.reporter = new VersionReporter(context, logs);
        this.answers = new StableAnswers(context, logs, history, states);
        this.repair = new LogRepair(context, logs, history, states);
        this.lag = new CertificationLag(context.time(), logs, history);
    }

    /** The version that must be pulled: the one that is asked for, and the certificates that wait. */
    public VersionVector wanted() {
        return waiting.joined(answers.joined(history.certified()));
    }

    /** Whether a certificate is known of that is not held. */
    public boolean lacks() {
        CertificateNumber next = history.number().next();
        return !waiting.holds(next) && (!waiting.isEmpty() || answers.askedBeyond(next));
    }

    /** Whether a certificate waits for the entries that it covers. */
    public boolean waiting(CertificateNumber number) {
        return waiting.holds(number);
    }

    /** Takes one bftserver's request for a stable state; whether there is something new to answer. */
    public boolean request(NodeId from, Signed<BftReqStable> signed) {
        return answers.request(from, signed);
    }

    /** Takes one bftserver's share of a certificate; whether a certificate is complete by it. */
    public boolean share(NodeId from, Share share) {
        return waiting.share(from, share);
    }

    /** Takes a certificate from anybody; whether it is a right one that was wanted. */
    public boolean certificate(Certificate certificate) {
        return waiting.certificate(certificate);
    }

    /** Takes back a certificate from the store, where it was put after it was verified. */
    public void restore(Certificate certificate) {
        waiting.hold(certificate);
    }

    /** Answers what is asked, if it can be; to be called when all is adopted that can be. */
    public void answer() {
        if (vouches()) {
            answers.answer();
        }
    }

    /** Sends what is due. */
    public void tick() {
        lag.tick();
        objects.remembered().tick(time.now());
        report();
        if (!condition.amnesiac() && !history.incomplete()) {
            answers.tick();
        }
    }

    /** Reports what is delivered under heads, if that is new and it is time; if it is not, a tick will. */
    public void report() {
        if (vouches()) {
            reporter.report(answers.askedAt(), history.certified());
        }
    }

    /** Whether this server can say of its logs and objects that they are the certified ones, and more. */
    private boolean vouches() {
        return !condition.diverged() && !condition.amnesiac() && !history.incomplete();
    }

    public void measure(Map<String, Long> gauges) {
        lag.measure(gauges);
    }

    /** A link to a bftserver came up: what it may have missed is sent again. */
    public void connected(NodeId replica) {
        if (!condition.amnesiac()) {
            reporter.connected(replica);
            answers.connected(replica);
        }
    }

    /** Adopts the next certificate, or makes the logs ready for it, if either can be done. */
    public Optional<Step> adoptNext() {
        Optional<Certificate> waits = condition.diverged() || history.incomplete() ? Optional.empty() : waiting.next();
        if (waits.isEmpty()) {
            return Optional.empty();
        }
        Certificate next = waits.get();
        if (!repair.carriedOut(next)) {
            return repair.carryOut(next).map(Step.class::cast);
        }
        Optional<LogsCut> repaired = repair.repair(next);
        if (repaired.isPresent() || !logs.version().dominates(next.content().version())) {
            return repaired.map(Step.class::cast);
        }
        Optional<Alarm.NotOurHistory> wrong = mismatch(next);
        if (wrong.isPresent()) {
            condition.become(ServerState.DIVERGED, "certificate " + next.number() + " is of another history");
            counters.count("certificates_mismatched");
            outbox.alarm(wrong.get());
            return Optional.empty();
        }
        return Optional.of(adopt(next));
    }

    private Adopted adopt(Certificate next) {
        VersionVector version = next.content().version();
        Candidate state = states.at(version);
        objects.commit(state);
        states.forget();
        history.adopted(next);
        lag.adopted();
        waiting.adopted(next.number());
        reporter.adopted(answers.askedAt());
        for (int origin = 0; origin < version.size(); origin++) {
            logs.of(origin).release(version.get(origin));
        }
        outbox.persist(Records.certificate(next));
        counters.count("certificates_adopted");
        return new Adopted(next, state.range());
    }

    /** A snapshot at a certificate was installed: objects and logs are those of it. */
    public void installed(Certificate certificate) {
        VersionVector version = certificate.content().version();
        states.forget();
        history.installed(certificate);
        lag.adopted();
        waiting.adopted(certificate.number());
        for (int origin = 0; origin < version.size(); origin++) {
            logs.of(origin).release(version.get(origin));
        }
        if (new Cuts(certificate.content().exclusions()).excludes(settings.index())) {
            condition.become(ServerState.EXCLUDED, "certificate " + certificate.number() + " excludes this server");
        }
    }

    private Optional<Alarm.NotOurHistory> mismatch(Certificate next) {
        Optional<CertificateChain.Break> unchained = history.broken(next);
        if (unchained.isPresent()) {
            return Optional.of(new Alarm.NotChained(next.number(), history.number(), unchained.get()));
        }
        List<Integer> others = otherLogs(next.content());
        if (!others.isEmpty()) {
            return Optional.of(new Alarm.LogsDiverged(next.number(), others));
        }
        Hash certifiedState = next.content().state();
        Candidate state = states.at(next.content().version());
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

    /** The content of the certificate that is to be adopted next, to which logs can be led without heads. */
    public Optional<CertificateContent> next() {
        return condition.diverged() || history.incomplete()
                ? Optional.empty()
                : waiting.next().filter(next -> history.broken(next).isEmpty()).map(Certificate::content);
    }

    /** The log of an origin is not a prefix of what is certified next: it is taken back. */
    public Optional<LogsCut> offLog(int origin) {
        return waiting.next().map(next -> repair.takeBack(origin, next));
    }

    public LogsCut restoreExclusion(Certificate certificate) {
        return repair.exclude(certificate.content());
    }

    /** Repeats, as the store says, that the end of a log was taken back. */
    public LogsCut restoreTakenBack(int origin, long kept) {
        return repair.takenBack(origin, kept);
    }

    /** The certificates that are here and cannot be adopted yet: for lack of entries, or of those before them. For one thread. */
    private static final class WaitingCertificates {
        private static final int MAX_WAITING = 64;

        private final CertifiedHistory history;
        private final Counters counters;
        private final CertificateVerifier verifier;
        private final CertificateAssembler assembler;
        private final TreeMap<CertificateNumber, Certificate> waiting = new TreeMap<>();

        WaitingCertificates(CoreState context, CertifiedHistory history) {
            CoreSettings settings = context.settings();
            this.history = history;
            this.counters = context.counters();
            this.verifier = new CertificateVerifier(settings.quorums(), settings.bftserverKeys(), settings.verifier());
            this.assembler = new CertificateAssembler(verifier);
        }

        /** Takes a bftserver's share of a certificate; whether a certificate is complete by it. */
        boolean share(NodeId from, Share share) {
            if (!from.equals(NodeId.bftserver(share.replica()))) {
                counters.count("refused_share");
                return false;
            }
            Optional<Certificate> complete = assembler.add(share);
            complete.ifPresent(certificate -> {
                counters.count("certificates_assembled");
                hold(certificate);
            });
            return complete.isPresent();
        }

        /** Takes a certificate from anybody; whether it is a right one that was wanted. */
        boolean certificate(Certificate certificate) {
            CertificateNumber number = certificate.number();
            boolean wanted = number.isAfter(history.number())
                    && number.value() <= history.number().value() + MAX_WAITING
                    && !waiting.containsKey(number);
            if (!wanted) {
                return false;
            }
            if (verifier.verify(certificate).isPresent()) {
                counters.count("refused_certificate");
                return false;
            }
            hold(certificate);
            return true;
        }

        /** Takes a certificate that was verified. */
        void hold(Certificate certificate) {
            waiting.put(certificate.number(), certificate);
        }

        Optional<Certificate> next() {
            return Optional.ofNullable(waiting.get(history.number().next()));
        }

        boolean holds(CertificateNumber number) {
            return waiting.containsKey(number);
        }

        boolean isEmpty() {
            return waiting.isEmpty();
        }

        /** A version joined with the versions of all that wait. */
        VersionVector joined(VersionVector version) {
            VersionVector joined = version;
            for (Certificate certificate : waiting.values()) {
                joined = joined.join(certificate.content().version());
            }
            return joined;
        }

        void adopted(CertificateNumber number) {
            assembler.adopted(number);
            waiting.headMap(number, true).clear();
        }
    }
}
