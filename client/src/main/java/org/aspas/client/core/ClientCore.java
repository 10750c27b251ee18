package org.aspas.client.core;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Sealer;
import org.aspas.client.core.ClientEvent.Why;

/**
 * The client (paper §3.4, §3.6; the protocol page, docs/protocol.md §3 and §6-§9) as a state machine. Single-threaded; the
 * same events give the same effects.
 */
public final class ClientCore {
    private final Step step;
    private final Servers servers;
    private final Inspections inspections;
    private final VerifiedCertificates certificates;
    private final Window window;
    private final EffectCheck effects;
    private final UpdateAnswers answers;
    private final Updates updates;
    private final Reads reads;
    private final PendingCalls calls;
    private final ServerSession session;
    private final SessionFrames frames;
    private final ServerMonitor monitor;
    private final SwitchPolicy switching;
    private final SwitchBudget budget;
    private final ResponseTimeout response;
    private final SendGate gate;

    /**
     * A client that is not connected.
     *
     * @param state what earlier clients with this key left; {@link ClientState#FRESH} for a fresh key
     * @param tolerance τ at the start: from 1, or 0 for unbounded
     * @param random chooses what to inspect and where to turn; the same numbers give the same choices
     */
    public ClientCore(
            ClientSettings settings,
            Sealer sealer,
            CertificateCheck verifier,
            ClientState state,
            long tolerance,
            RandomGenerator random) {
        this.step = new Step(settings.persistent());
        Policy policy = settings.policy();
        Identity self = new Identity(settings.self(), sealer);
        this.servers = new Servers(settings, random, step);
        this.budget = new SwitchBudget(policy.graceMillis(), step);
        this.switching = new SwitchPolicy(settings, servers, budget, step);
        this.certificates = new VerifiedCertificates(settings, verifier, step, state.certificate());
        PeerQueries peers = new PeerQueries(settings, self, servers, step);
        this.response = new ResponseTimeout(policy, settings.bounds().readMillis() / 2, peers, step);
        Complaints complaints = new Complaints(settings.judge(), peers, step);
        this.inspections = new Inspections(policy, peers, complaints, random, step);
        ResponseCheck check = new ResponseCheck(settings, servers, certificates, complaints::file);
        this.reads = new Reads(settings, self, servers, certificates, inspections, step);
        this.window = new Window(self.id(), settings.bounds().unconfirmed(), state, tolerance);
        this.effects = new EffectCheck(reads, step);
        this.answers = new UpdateAnswers(servers, window, check, certificates, inspections, effects, step);
        this.gate = new SendGate(settings.bounds().unanswered(), window, peers, budget, step);
        RefusedUpdates refusals = new RefusedUpdates(policy, servers, step);
        SessionTagger tagger =
                new SessionTagger(settings.tagging(), settings.verifier().deployment(), self.id());
        this.updates = new Updates(settings, self, window, answers, refusals, gate, tagger::frame, step);
        CertificateQueries queries = new CertificateQueries(settings.bounds(), certificates, step);
        this.calls = new PendingCalls(updates, reads, queries, servers, step);
        this.session = new ServerSession(self, servers, check, tagger, step);
        StaleServerCheck stale = new StaleServerCheck(policy, peers, certificates, step);
        this.frames = new SessionFrames(session, calls, check, certificates, switching, stale, step);
        this.monitor = new ServerMonitor(
                peers,
                new UnconfirmedTimeout(policy, window, peers, certificates, inspections, answers, step),
                new NewestCertificateQuery(policy, peers, certificates, step),
                stale,
                response,
                updates,
                inspections,
                complaints);
        reads.certifiedWait(!monitor.newestKnown());
    }

    public int server() {
        return servers.current();
    }

    public int unconfirmed() {
        return window.size();
    }

    /** How many updates wait for room in the window. */
    public int waiting() {
        return updates.waiting();
    }

    /** How many updates τ made wait: for room in the window, or with τ = 1 for their own confirmation. */
    public long waited() {
        return updates.waited();
    }

    /** The most updates that were unconfirmed at once in this run. */
    public int exposure() {
        return window.exposure();
    }

    /** τ now: from 1, or 0 for unbounded. */
    public long tolerance() {
        return window.tolerance();
    }

    public int pendingReads() {
        return reads.pending();
    }

    public long inspections() {
        return inspections.started();
    }

    public InspectionCounts inspected() {
        return inspections.counts();
    }

    /** The newest certificate verified in this run. */
    public Optional<Certificate> newestCertificate() {
        return certificates.newest();
    }

    public long verificationFailures() {
        return step.verificationFailures();
    }

    /** Takes one event, and returns what to do, in order. */
    public List<Effect> step(Event event) {
        if (event instanceof Event.Persisted persisted) {
            step.persisted(persisted.ticket());
        } else if (session.ended()) {
            if (event instanceof Event.Call late) {
                step.fail(late.call(), new Failure.Closed());
            }
        } else {
            handle(event);
            consequences();
            persist();
        }
        return step.take();
    }

    private void persist() {
        step.persist(() -> window.record(certificates.highest()));
    }

    private void handle(Event event) {
        if (event instanceof Event.Call call) {
            calls.submit(call);
        } else if (event instanceof Event.FrameReceived received) {
            frames.frame(received.frame());
        } else if (event instanceof Event.FromServer other) {
            monitor.frame(other.server(), other.frame());
        } else if (event instanceof Event.FrameRejected rejected) {
            frames.broken("bytes that are no frame: " + rejected.reason());
        } else if (event instanceof Event.Connected) {
            session.connected();
        } else if (event instanceof Event.Disconnected gone) {
            disconnected();
            step.notice(new Notice.Disconnected(gone.reason()));
        } else if (event instanceof Event.ToleranceChanged changed) {
            tolerance(changed.tolerance());
        } else if (event instanceof Event.ServerChosen chosen) {
            moveTo(chosen.server());
        } else if (event instanceof Event.Withdrawn withdrawn) {
            updates.withdraw(withdrawn.call(), withdrawn.why());
        } else if (event instanceof Event.Tick tick) {
            tick(tick.nowMillis());
        } else if (event instanceof Event.End end) {
            end(end.why());
        }
    }

    private void tick(long nowMillis) {
        step.advance(nowMillis);
        switching.tick();
        calls.tick();
        effects.tick();
        monitor.tick();
        session.tick(window.tolerance());
        if (session.catchingUp()) {
            step.send(new GetCertificate(CertificateNumber.NONE));
        }
        response.tick(session.up(), gate.awaitedSince(), gate.answerMillis(), reads.awaitedSince());
        response.late(gate.lateness(), reads.lateness());
    }

    private void disconnected() {
        session.disconnected();
        calls.disconnected();
        step.disconnected();
    }

    private void tolerance(long tolerance) {
        boolean changed = tolerance != window.tolerance();
        updates.tolerance(tolerance);
        if (changed && session.greeted()) {
            session.open(tolerance);
        }
    }

    // ---- What the event led to ----

    private void consequences() {
        Failure end = step.takeEnd();
        if (end != null) {
            end(end);
        }
        if (session.ended()) {
            return;
        }
        reads.certifiedWait(!monitor.newestKnown());
        if (answers.announce(certificates.highest())) {
            switching.progress();
            monitor.progress();
        }
        Certificate newest = certificates.takeAdvanced();
        if (newest != null) {
            for (Exclusion exclusion : newest.content().exclusions()) {
                if (servers.exists(exclusion.origin())) {
                    servers.convict(exclusion.origin(), exclusion.evidence());
                }
            }
            answers.cut(newest.content().exclusions());
        }
        Refusal refusal = step.takeRefusal();
        if (refusal != null && switching.refused(refusal)) {
            end(new Failure.Refused(refusal.reason(), refusal.detail()));
            return;
        }
        Step.Leave leave = switching.due();
        if (leave != null) {
            leave(leave);
        }
    }

    private void leave(Step.Leave leave) {
        int from = servers.current();
        if (servers.moveOn(leave.why(), response.better(leave.why())).isPresent()) {
            turned(from, leave.why(), leave.detail());
        } else {
            response.turned(leave.why());
        }
    }

    private void moveTo(int server) {
        int from = servers.current();
        if (servers.moveTo(server)) {
            turned(from, Why.CHOSEN, "the application chose appserver " + server);
        }
    }

    private void turned(int from, Why why, String detail) {
        response.turned(why);
        budget.turned(why.doubt());
        disconnected();
        session.await(certificates.highest());
        updates.switched();
        reads.switched();
        monitor.switched();
        step.happened(new ClientEvent.Switched(from, servers.current(), why, detail));
        step.now(new Effect.TurnTo(servers.current()));
    }

    /** The record is as it was before the end: what is unconfirmed is in it. */
    private void end(Failure why) {
        persist();
        session.end();
        calls.end(why);
        step.add(new Effect.Ended(why));
    }
}
