package org.aspas.client.core;

import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.bound.Backoff;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.client.core.ClientEvent.Why;
import org.aspas.crdt.clock.Dot;
import org.jspecify.annotations.Nullable;

/**
 * The decision about an update that stays unconfirmed for longer than the grace time (the protocol page, §6): does the
 * own server withhold, did it never spread the update, or is the back end slow? Silence of the others decides nothing.
 */
public final class UnconfirmedTimeout {
    private static final int LONGEST = 8;

    /** One question to all others about one update. */
    private static final class Round {
        final long nonce;
        final PendingUpdate update;
        final TreeMap<Integer, Boolean> holds = new TreeMap<>();
        int covered;

        Round(long nonce, PendingUpdate update) {
            this.nonce = nonce;
            this.update = update;
        }
    }

    private final Window window;
    private final PeerQueries peers;
    private final Servers servers;
    private final VerifiedCertificates certificates;
    private final Inspections inspections;
    private final UpdateAnswers answers;
    private final Step step;
    private @Nullable Round round;
    private long nextQuestion;
    private Backoff pause;
    /** How long an update may stay unconfirmed: longer with each switch, until one is confirmed. */
    private Backoff patience;

    public UnconfirmedTimeout(
            Policy policy,
            Window window,
            PeerQueries peers,
            VerifiedCertificates certificates,
            Inspections inspections,
            UpdateAnswers answers,
            Step step) {
        this.window = window;
        this.peers = peers;
        this.servers = peers.servers();
        this.certificates = certificates;
        this.inspections = inspections;
        this.answers = answers;
        this.step = step;
        this.pause = Backoff.upTo(policy.graceMillis(), LONGEST);
        this.patience = pause;
    }

    /** An update was confirmed: the present server is of use. */
    public void progress() {
        patience = patience.reset();
        calm();
    }

    /** The client turned to another server, which gets more time than the last one as long as nothing is confirmed. */
    public void switched() {
        patience = patience.next();
        calm();
    }

    private void calm() {
        round = null;
        nextQuestion = 0;
        pause = pause.reset();
    }

    public void tick() {
        PendingUpdate oldest = window.oldestHeld();
        long now = step.now();
        if (!servers.switching() || oldest == null || now - oldest.since < patience.pause()) {
            return;
        }
        if (covered(oldest)) {
            notProved(oldest);
        } else if (now >= nextQuestion) {
            if (round != null && lacking(round) >= servers.oneCorrect()) {
                notSpread(round);
            } else {
                ask(oldest, now);
            }
        }
    }

    private boolean answeredHere(PendingUpdate update) {
        return update.answers.containsKey(servers.current());
    }

    /** Whether a verified certificate covers its place: the one at the present server, or else that of an earlier one. */
    private boolean covered(PendingUpdate update) {
        Certificate newest = certificates.newest().orElse(null);
        if (newest == null || answeredHere(update)) {
            return newest != null && covers(newest, update.dotAt(servers.current()));
        }
        return update.answers.values().stream().anyMatch(answer -> covers(newest, PendingUpdate.dotOf(answer)));
    }

    /**
     * The proof may be on its way, and gets half the time. Whoever only holds what another server answered is given the update
     * before it is doubted.
     */
    private void notProved(PendingUpdate update) {
        if (update.coveredSince < 0) { // For all at once: a server that proves one at a time gains nothing.
            window.all().stream()
                    .filter(held -> held.since >= 0 && held.coveredSince < 0 && covered(held))
                    .forEach(held -> held.coveredSince = step.now());
            update.coveredSince = step.now();
        }
        if (step.now() - update.coveredSince < patience.pause() / 2) {
            return;
        }
        if (answeredHere(update)) {
            leave(update, Why.WITHHELD, "a certificate covers request " + update.number + ", not proved here");
        } else {
            window.all().stream()
                    .filter(held -> held.since >= 0 && !answeredHere(held) && covered(held))
                    .forEach(answers::giveAgain);
        }
    }

    private void ask(PendingUpdate oldest, long now) {
        Round asked = new Round(peers.nonce(), oldest);
        var named = new AskStanding.Named(oldest.number, oldest.body.identity());
        peers.send(servers.others(), peers.seal(new AskStanding(oldest.client(), asked.nonce, List.of(named))));
        round = asked;
        nextQuestion = now + pause.pause();
        pause = pause.next();
    }

    /** Takes a standing whose signature is right. */
    public void standing(Standing standing) {
        Round asked = round;
        if (asked == null
                || standing.nonce() != asked.nonce
                || !standing.client().equals(asked.update.client())
                || standing.updates().size() != 1
                || standing.updates().get(0).number() != asked.update.number
                || asked.holds.containsKey(standing.server())) {
            return;
        }
        Dot dot = standing.updates().get(0).dot();
        asked.holds.put(standing.server(), dot != null);
        Certificate newest = standing.certificate();
        if (newest != null && certificates.verify(newest).isEmpty() && dot != null && covers(newest, dot)) {
            asked.covered++;
        }
        decide(asked);
    }

    private boolean covers(Certificate certificate, Dot dot) {
        return servers.exists(dot.origin()) && certificate.content().version().covers(dot);
    }

    private void decide(Round asked) {
        int enough = servers.oneCorrect();
        int silent = servers.others().size() - asked.holds.size();
        int holding = asked.holds.size() - lacking(asked);
        if (asked.update.since < 0) {
            return; // It is being given to another server, or again.
        }
        if (covered(asked.update) || asked.covered >= enough) {
            notProved(asked.update);
        } else if (lacking(asked) >= enough && holding + silent < enough - 1) {
            notSpread(asked);
        }
    }

    private static int lacking(Round asked) {
        return (int) asked.holds.values().stream().filter(holds -> !holds).count();
    }

    private void notSpread(Round asked) {
        int holding = asked.holds.size() - lacking(asked);
        if (holding >= servers.oneCorrect() - 1) {
            // If the own server is Byzantine, at most f-1 others are. So a correct server holds it, and it will spread:
            // the
            // back end is slow, or the network is cut in two halves.
            ask(asked.update, step.now());
        } else {
            leave(asked.update, Why.NOT_SPREAD, lacking(asked) + " servers do not hold request " + asked.update.number);
        }
    }

    /** Whoever leaves shows the others the answer that it doubts: they know what to hold it against. */
    private void leave(PendingUpdate update, Why why, String detail) {
        Signed<Response> answer = update.answers.get(servers.current());
        if (answer != null) {
            inspections.doubt(answer, update.question());
        }
        step.leave(why, detail);
    }
}
