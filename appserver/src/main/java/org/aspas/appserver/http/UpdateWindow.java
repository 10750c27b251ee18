package org.aspas.appserver.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Refusal;
import org.aspas.crdt.value.Operation;
import org.jspecify.annotations.Nullable;

/**
 * The updates of the JSON client, and their numbers: up to {@value #SIZE} are in flight, the others wait. For one thread.
 *
 * <p>When an update is refused, the core refuses those after it as {@code BEHIND}. One that does not fit its object's type is
 * given again, which enters it without effect; any other leaves its number free. The window then drains: nothing new is sent
 * until everything in flight is answered. What was only behind is sent again under new numbers, which is no equivocation as
 * long as nobody but this server, which refused them, has seen the old ones.
 *
 * <p>What was in flight when the session ended may have been entered, or not. It is given again in the next session, under its
 * numbers: a number that was never entered would close the way for all later ones.
 */
final class UpdateWindow {
    private static final int SIZE = 64;

    /**
     * An update.
     *
     * @param reply completed with the core's answer or refusal
     * @param confirmation completed with a certificate that covers the update; absent if nobody waits for that
     */
    record Update(
            String key,
            String type,
            Operation operation,
            CompletableFuture<Reply> reply,
            @Nullable CompletableFuture<Certificate> confirmation) {
        void refuse(Refusal why) {
            reply.complete(new Reply.Refused(why));
        }
    }

    /** An update that is to be sent under a number. */
    record Numbered(long number, Update update) {}

    private final Deque<Update> waiting = new ArrayDeque<>();
    private final NavigableMap<Long, Update> inFlight = new TreeMap<>();
    private final NavigableMap<Long, Update> behind = new TreeMap<>();
    private long nextNumber = 1;
    private boolean draining;

    void add(Update update) {
        waiting.add(update);
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** What is in flight, in the order of the numbers. */
    List<Numbered> flying() {
        return inFlight.entrySet().stream()
                .map(one -> new Numbered(one.getKey(), one.getValue()))
                .toList();
    }

    /** The next update, if it may be sent now; it is in flight then. */
    Optional<Numbered> next() {
        if (draining || inFlight.size() >= SIZE || waiting.isEmpty()) {
            return Optional.empty();
        }
        Numbered next = new Numbered(nextNumber++, waiting.remove());
        inFlight.put(next.number(), next.update());
        return Optional.of(next);
    }

    /** Takes the update that was answered, if it was in flight. */
    Optional<Update> answered(long number) {
        Update update = inFlight.remove(number);
        endDraining();
        return Optional.ofNullable(update);
    }

    /** An update was refused. Gives it if it is to be sent once more under its number. */
    Optional<Numbered> refused(Refusal refusal) {
        long number = refusal.reference();
        Update update = inFlight.get(number);
        if (update == null) {
            return Optional.empty();
        }
        if (refusal.reason() == Refusal.Reason.WRONG_TYPE && !update.reply().isDone()) {
            drain(number + 1);
            update.refuse(refusal);
            return Optional.of(new Numbered(number, update));
        }
        inFlight.remove(number);
        if (draining && refusal.reason() == Refusal.Reason.BEHIND) {
            behind.put(number, update);
        } else {
            drain(draining ? Math.min(nextNumber, number) : number);
            update.refuse(refusal);
        }
        endDraining();
        return Optional.empty();
    }

    /** Everything after a refused number is behind, so nothing after it was entered. */
    private void drain(long next) {
        nextNumber = next;
        draining = true;
    }

    private void endDraining() {
        if (draining && inFlight.isEmpty()) {
            draining = false;
            behind.descendingMap().values().forEach(waiting::addFirst);
            behind.clear();
        }
    }

    void refuseWaiting(Refusal why) {
        List<Update> refused = List.copyOf(waiting);
        waiting.clear();
        refused.forEach(update -> update.refuse(why));
    }

    void refuseAll(Refusal why) {
        List<Update> refused = new ArrayList<>(inFlight.values());
        refused.addAll(behind.values());
        inFlight.clear();
        behind.clear();
        draining = false;
        refused.forEach(update -> update.refuse(why));
        refuseWaiting(why);
    }
}
