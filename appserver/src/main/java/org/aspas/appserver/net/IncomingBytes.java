package org.aspas.appserver.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Bounds the bytes that wait for the core, of all clients together. What finds no room waits at its connection, which is
 * read no further, and gets room in the order of asking. Thread-safe.
 */
final class IncomingBytes {
    private static final CompletionStage<Object> ROOM = CompletableFuture.completedFuture("room");

    private record Waiter(int bytes, CompletableFuture<Object> room) {}

    private final long most;
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    private long taken;

    /** Room for this many bytes, at least what one call of {@link #take} asks for. */
    IncomingBytes(long most) {
        this.most = most;
    }

    /**
     * Takes room, which is given back by {@link #free}.
     *
     * @return done when there is room, at once if there is now
     */
    CompletionStage<?> take(int bytes) {
        synchronized (this) {
            if (waiters.isEmpty() && taken + bytes <= most) {
                taken += bytes;
                return ROOM;
            }
            Waiter waiter = new Waiter(bytes, new CompletableFuture<>());
            waiters.add(waiter);
            return waiter.room();
        }
    }

    /** Gives room back; what had to wait for it goes on, on this thread, before this returns. */
    void free(int bytes) {
        for (Waiter next : freed(bytes)) {
            next.room().complete("room");
        }
    }

    private synchronized List<Waiter> freed(int bytes) {
        taken -= bytes;
        if (waiters.isEmpty()) {
            return List.of();
        }
        List<Waiter> next = new ArrayList<>();
        while (!waiters.isEmpty() && taken + waiters.element().bytes() <= most) {
            Waiter waiter = waiters.remove();
            taken += waiter.bytes();
            next.add(waiter);
        }
        return next;
    }
}
