package org.aspas.appserver.net;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * How many frames of one connection may be under way to the core: all places where there was only this one lately, and its share
 * of them where there were others, but always one. So whoever sends much ahead takes turns with those who wait for each answer,
 * and has what they leave. What was lately is counted in frames: no clock is needed, and a silent connection has no share.
 * Thread-safe.
 */
final class Turns {
    private static final CompletionStage<Object> NOW = CompletableFuture.completedFuture("now");
    /** So that whoever is slower than the fastest by this factor counts beside it still. */
    private static final int LATELY = 4;

    private final int places;
    private final @Nullable Line[] lately;
    private int next;
    /** How many connections are among {@link #lately}. */
    private int busy;

    /** Allows a connection that is alone this many frames under way, at least 1. */
    Turns(int places) {
        this.places = places;
        this.lately = new @Nullable Line[LATELY * places];
    }

    Line open() {
        return new Line();
    }

    /** One connection. */
    final class Line {
        private int underWay;
        private int ofLately;
        private @Nullable CompletableFuture<Object> waiting;

        private Line() {}

        /**
         * Asks for one frame to be under way, which {@link #end} ends; not again before this one may.
         *
         * @return done when it may, at once if it may now
         */
        CompletionStage<?> begin() {
            synchronized (Turns.this) {
                if (waiting != null) {
                    throw new IllegalStateException("a frame waits already, behind " + underWay);
                }
                if (mayBegin()) {
                    begun();
                    return NOW;
                }
                CompletableFuture<Object> later = new CompletableFuture<>();
                waiting = later;
                return later;
            }
        }

        /** A frame is no longer under way; the one that waits may be, on this thread, before this returns. */
        void end() {
            CompletableFuture<Object> following = null;
            synchronized (Turns.this) {
                underWay--;
                if (waiting != null && mayBegin()) {
                    following = waiting;
                    waiting = null;
                    begun();
                }
            }
            if (following != null) {
                following.complete("now");
            }
        }

        private boolean mayBegin() {
            int others = ofLately > 0 ? busy - 1 : busy;
            return underWay < Math.max(1, places / (others + 1));
        }

        private void begun() {
            underWay++;
            Line forgotten = lately[next];
            if (forgotten != null && --forgotten.ofLately == 0) {
                busy--;
            }
            lately[next] = this;
            next = (next + 1) % lately.length;
            if (ofLately++ == 0) {
                busy++;
            }
        }
    }
}
