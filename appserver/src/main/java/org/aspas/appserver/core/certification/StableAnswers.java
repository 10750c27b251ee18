package org.aspas.appserver.core.certification;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.object.Candidate;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.machine.CausalClosure;
import org.aspas.certify.machine.Cuts;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * Answers the bftservers' request for a stable state, once b+1 of them ask for the same and the logs hold the version that they
 * ask for. For one thread.
 */
final class StableAnswers extends CorePart {
    private final Logs logs;
    private final CertifiedHistory history;
    private final NextState states;
    private final Map<Integer, BftReqStable> asked = new TreeMap<>();
    private @Nullable BftReqStable goal;
    private @Nullable Signed<Stable> answer;
    private long answeredAt;
    private long askedAt = Long.MIN_VALUE / 2;

    StableAnswers(CoreState context, Logs logs, CertifiedHistory history, NextState states) {
        super(context);
        this.logs = logs;
        this.history = history;
        this.states = states;
    }

    /** When enough bftservers last asked for something new. */
    long askedAt() {
        return askedAt;
    }

    /** A version joined with the one that is asked for. */
    VersionVector joined(VersionVector version) {
        return goal == null ? version : version.join(goal.version());
    }

    /** Whether the bftservers ask for the state of a later certificate than this one. */
    boolean askedBeyond(CertificateNumber number) {
        return goal != null && goal.number().isAfter(number);
    }

    /** Takes one bftserver's request; whether enough of them ask for the same by now. */
    boolean request(NodeId from, Signed<BftReqStable> signed) {
        BftReqStable request = signed.message();
        BftReqStable held = asked.get(request.replica());
        if ((goal != null && !later(request, goal)) || (held != null && !later(request, held))) {
            return false;
        }
        boolean valid = from.equals(NodeId.bftserver(request.replica()))
                && request.version().size() == settings.quorums().appservers()
                && settings.signedBy(from, signed, Domain.BFTREQSTABLE);
        if (!valid) {
            counters.count("refused_bftreqstable");
            return false;
        }
        asked.put(request.replica(), request);
        long equal =
                asked.values().stream().filter(other -> same(other, request)).count();
        boolean enough = equal >= settings.quorums().oneCorrectBftserver();
        if (enough) {
            goal = request;
            askedAt = time.now();
            answer = null;
            counters.count("goals");
        }
        return enough;
    }

    private static boolean later(BftReqStable one, BftReqStable than) {
        return one.epoch().isAfter(than.epoch()) || (one.epoch().equals(than.epoch()) && one.round() > than.round());
    }

    private static boolean same(BftReqStable one, BftReqStable other) {
        return one.epoch().equals(other.epoch())
                && one.round() == other.round()
                && one.number().equals(other.number())
                && one.previous().equals(other.previous())
                && one.version().equals(other.version())
                && one.exclusions().equals(other.exclusions());
    }

    /** Answers what is asked and was not answered, if it can be. */
    void answer() {
        BftReqStable request = goal;
        if (answer != null || request == null) {
            return;
        }
        Hash previous = history.newest().map(Certificate::hash).orElse(Hash.ZERO);
        boolean follows = request.number().equals(history.number().next())
                && request.previous().equals(previous);
        if (!follows || !request.version().dominates(history.certified()) || !logs.holds(request.version())) {
            return;
        }
        Signed<Stable> stable = settings.sealer().seal(stable(request));
        answer = stable;
        counters.count("stables");
        send(stable);
    }

    private Stable stable(BftReqStable request) {
        Cuts cuts = new Cuts(request.exclusions());
        // What is accepted need not be delivered: where a log is forked, entries may wait for each other, and are left
        // out.
        Candidate state = states.at(CausalClosure.of(
                history.certified(),
                request.version(),
                (origin, sequence) -> cuts.clip(logs.of(origin).entry(sequence).dependencies())));
        VersionVector closed = state.version();
        return new Stable(
                settings.index(),
                request.epoch(),
                request.round(),
                request.previous(),
                request.version(),
                logs.rootsAt(request.version()),
                closed,
                logs.rootsAt(closed),
                state.root());
    }

    private void send(Signed<Stable> stable) {
        answeredAt = time.now();
        settings.bftservers().forEach(replica -> outbox.node(replica, stable));
    }

    /** The answer, while the certificate that it is for is not adopted. */
    private Optional<Signed<Stable>> open() {
        boolean next = goal != null && goal.number().equals(history.number().next());
        return next ? Optional.ofNullable(answer) : Optional.empty();
    }

    /** Repeats an answer from which no certificate came. */
    void tick() {
        open().filter(any -> time.now() - answeredAt >= settings.limits().repeatMillis())
                .ifPresent(this::send);
    }

    /** A link to a bftserver came up: it may have missed the answer. */
    void connected(NodeId replica) {
        open().ifPresent(stable -> outbox.node(replica, stable));
    }
}
