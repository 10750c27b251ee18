package org.aspas.client.core;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
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

    /**
     * Asks the server that the client has turned to which updates it holds at the places that earlier servers answered with, in as
     * many questions as it takes.
     */
    private static final class HeldQuery {
        private static final long REPEAT_MILLIS = 2_000;

        private final Window window;
        private final PeerQueries peers;
        private final Servers servers;
        private final Step step;
        /** The updates that are still to be asked about, by their numbers. */
        private final TreeMap<Long, PendingUpdate> open = new TreeMap<>();
        /** The updates that the open question is about, in order. */
        private List<PendingUpdate> asked = List.of();

        private long nonce;
        /** The question that is open: repeats are the same, so that a standing that takes longer than their pause counts too. */
        private @Nullable Signed<Message> question;

        private long askedLast;
        /** Since when the present server owes a standing that it never gave, over all connections; negative when it does not. */
        private long since = -1;
        /** The highest number that the present server has given a standing on. */
        private long reached;

        HeldQuery(Window window, PeerQueries peers, Step step) {
            this.window = window;
            this.peers = peers;
            this.servers = peers.servers();
            this.step = step;
        }

        /** The present server can be asked, from the start. */
        void connected() {
            open.clear();
            for (PendingUpdate update : window.all()) {
                if (update.place > 0 && !update.answers.isEmpty() && !update.answers.containsKey(servers.current())) {
                    open.put(update.number, update);
                }
            }
            ask();
        }

        private void ask() {
            open.values().removeIf(update -> window.get(update.number) != update);
            asked = open.values().stream().limit(AskStanding.MAX_UPDATES).toList();
            if (asked.isEmpty()) {
                since = -1;
                return;
            }
            List<AskStanding.Named> named = asked.stream()
                    .map(update -> new AskStanding.Named(update.number, update.body.identity()))
                    .toList();
            nonce = peers.nonce();
            since = since < 0 ? step.now() : since;
            send(peers.seal(new AskStanding(peers.self(), nonce, named)));
        }

        private void send(Signed<Message> asking) {
            question = asking;
            askedLast = step.now();
            peers.send(List.of(servers.current()), asking);
        }

        /** Takes a standing whose signature is right, and gives what the present server says to hold at an answered place. */
        void standing(Standing standing, Consumer<PendingUpdate> held) {
            if (!isOpen()
                    || standing.nonce() != nonce
                    || !standing.client().equals(peers.self())
                    || standing.server() != servers.current()) {
                return;
            }
            for (Standing.Held one : standing.updates()) {
                PendingUpdate update = open.get(one.number());
                if (update != null && window.get(one.number()) == update && update.isAt(one.dot())) {
                    held.accept(update);
                }
            }
            long last = asked.get(asked.size() - 1).number;
            if (last > reached) {
                reached = last; // What it has said on an earlier connection gives it no more time.
                since = step.now();
            }
            open.headMap(last, true).clear();
            ask();
        }

        /** Whether the present server is asked, and has not said everything. */
        boolean isOpen() {
            return !asked.isEmpty();
        }

        /** Since when the present server owes a standing; negative when it does not. */
        long since() {
            return since;
        }

        void tick() {
            Signed<Message> again = question;
            if (again == null || !isOpen() || step.now() - askedLast < REPEAT_MILLIS) {
                return;
            }
            if (asked.stream().anyMatch(update -> window.get(update.number) == update)) {
                send(again);
            } else {
                ask();
            }
        }

        void disconnected() {
            asked = List.of();
        }

        void switched() {
            asked = List.of();
            since = -1;
            reached = 0;
        }
    }
}
