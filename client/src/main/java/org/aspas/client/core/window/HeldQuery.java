package org.aspas.client.core.window;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.client.core.guard.PeerQueries;
import org.aspas.client.core.step.Servers;
import org.aspas.client.core.step.Step;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server that the client has turned to which updates it holds at the places that earlier servers answered with, in as
 * many questions as it takes.
 */
final class HeldQuery {
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
