package org.aspas.client.core.window;

import org.aspas.certify.wire.Standing;
import org.aspas.client.core.guard.LateAnswers;
import org.aspas.client.core.guard.Lateness;
import org.aspas.client.core.guard.PeerQueries;
import org.aspas.client.core.step.Servers;
import org.aspas.client.core.step.Step;
import org.aspas.client.core.step.SwitchBudget;
import org.jspecify.annotations.Nullable;

/**
 * How many updates the present server may be given, and when. A client that may leave its server keeps what the server is too
 * slow for, since whatever is on its way there when the client leaves is entered twice:
 *
 * <ul>
 *   <li>Nothing more is sent while the oldest update on its way has waited for half a second.
 *   <li>At first few are on their way; each prompt answer allows one more, each late one half as many.
 *   <li>After a switch the new server is first asked what it holds ({@link HeldQuery}). An update at a place that an earlier
 *       server answered with is confirmed there, and is not given again ({@link UnconfirmedTimeout} gives it when that proves
 *       wrong).
 * </ul>
 */
public final class SendGate {
    private static final int FEW = 4;

    private final int most;
    private final Window window;
    private final HeldQuery held;
    private final Servers servers;
    private final SwitchBudget budget;
    private final Step step;
    private int allowed = FEW;
    private long answerMillis;
    private final LateAnswers lateAnswers = new LateAnswers();

    /**
     * Begins with a server that has been given nothing.
     *
     * @param most how many updates may be on their way at once, from 1
     */
    public SendGate(int most, Window window, PeerQueries peers, SwitchBudget budget, Step step) {
        this.most = most;
        this.window = window;
        this.held = new HeldQuery(window, peers, step);
        this.servers = peers.servers();
        this.budget = budget;
        this.step = step;
    }

    /** The present server can be given everything unconfirmed, once it has said what it holds. */
    void connected() {
        allowed = Math.min(FEW, most);
        window.all().forEach(update -> update.sentAt = -1);
        held.connected();
    }

    /** Takes a standing whose signature is right; {@link Updates#pump} is to follow. */
    void standing(Standing standing) {
        held.standing(standing, update -> {
            update.heldHere(step.now());
            window.queue().done(update.place);
        });
    }

    void disconnected() {
        held.disconnected();
    }

    void tick() {
        held.tick();
    }

    /** The next update to send; null when none may be sent now. */
    @Nullable
    PendingUpdate next() {
        if (held.isOpen() || (servers.switching() && oldestIsLate())) {
            return null;
        }
        PendingUpdate next = window.send(servers.switching() ? allowed : most);
        if (next != null) {
            if (next.sentTo >= 0 && next.sentTo != servers.current()) {
                budget.resubmitted();
            }
            next.sentTo = servers.current();
            next.sentAt = next.sentAt < 0 ? step.now() : next.sentAt;
            next.givenAt = next.givenAt < 0 ? step.now() : next.givenAt;
        }
        return next;
    }

    private boolean oldestIsLate() {
        PendingUpdate oldest = window.queue().oldestOnItsWay();
        return oldest != null && step.now() - oldest.sentAt >= LateAnswers.LATE_MILLIS;
    }

    void answered(PendingUpdate update) {
        answerMillis = step.now() - update.sentAt;
        budget.answered();
        boolean late = answerMillis >= LateAnswers.LATE_MILLIS;
        allowed = late ? Math.max(allowed / 2, 1) : Math.min(allowed + 1, most);
        lateAnswers.answered(step.now(), answerMillis, late);
    }

    /** Since when the present server owes an answer; negative when it owes none. */
    public long awaitedSince() {
        return held.since() >= 0 ? held.since() : window.awaitedSince();
    }

    /** How long the last answer took; 0 before the first one of the present server. */
    public long answerMillis() {
        return answerMillis;
    }

    public Lateness lateness() {
        return lateAnswers.lateness();
    }

    void switched() {
        answerMillis = 0;
        lateAnswers.switched();
        held.switched();
    }
}
