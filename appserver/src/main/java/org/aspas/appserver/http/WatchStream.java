package org.aspas.appserver.http;

import akka.util.ByteString;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for one reader of {@code /v1/watch}. When they are too many the oldest is dropped, and the reader is told how
 * many were, before the next one. Thread-safe.
 */
final class WatchStream {
    private final Set<String> keys;
    private final Optional<InetAddress> address;
    private final boolean textual;
    private final int most;
    private final Deque<ByteString> queue = new ArrayDeque<>();
    private @Nullable CompletableFuture<Optional<ByteString>> waiting;
    private long dropped;
    private boolean ended;
    private boolean read;

    /**
     * A stream without events.
     *
     * @param textual whether it wants integers as texts
     * @param most how many events wait at most
     */
    WatchStream(List<String> keys, Optional<InetAddress> address, boolean textual, int most) {
        this.keys = Set.copyOf(keys);
        this.address = address;
        this.textual = textual;
        this.most = most;
    }

    Set<String> keys() {
        return keys;
    }

    Optional<InetAddress> address() {
        return address;
    }

    boolean isTextual() {
        return textual;
    }

    /**
     * Adds an event.
     *
     * @return whether the oldest was dropped for it
     */
    boolean offer(ByteString event) {
        CompletableFuture<Optional<ByteString>> reader;
        synchronized (this) {
            if (ended) {
                return false;
            }
            reader = waiting;
            waiting = null;
            if (reader == null) {
                queue.addLast(event);
                if (queue.size() <= most) {
                    return false;
                }
                queue.removeFirst();
                dropped++;
                return true;
            }
        }
        reader.complete(Optional.of(event));
        return false;
    }

    /** All events that wait, or the next one when it comes; nothing at the end. To be called again when this is done. */
    synchronized CompletionStage<Optional<ByteString>> next() {
        read = true;
        if (!queue.isEmpty()) {
            ByteString all = dropped == 0 ? ByteString.emptyByteString() : WatchEvents.dropped(dropped);
            for (ByteString event : queue) {
                all = all.concat(event);
            }
            queue.clear();
            dropped = 0;
            return CompletableFuture.completedFuture(Optional.of(all));
        }
        if (ended) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        CompletableFuture<Optional<ByteString>> reader = new CompletableFuture<>();
        waiting = reader;
        return reader;
    }

    /** Whether somebody reads it, or did. */
    synchronized boolean isRead() {
        return read;
    }

    /** Ends the stream after what waits. */
    void end() {
        CompletableFuture<Optional<ByteString>> reader;
        synchronized (this) {
            ended = true;
            reader = waiting;
            waiting = null;
        }
        if (reader != null) {
            reader.complete(Optional.empty());
        }
    }
}
