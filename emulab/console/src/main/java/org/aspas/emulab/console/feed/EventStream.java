package org.aspas.emulab.console.feed;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The queue of events for one page. When the page is too slow, the oldest events are dropped and counted. Thread-safe. */
public final class EventStream implements AutoCloseable {
    public static final int MOST_WAITING = 512;

    private final ConsoleState state;
    private final Deque<Item> waiting = new ArrayDeque<>();
    private @Nullable Item first;
    private long dropped;
    private long total;
    private boolean over;

    /**
     * One event.
     *
     * @param data JSON in one line, as UTF-8; must not be changed
     */
    public record Item(String name, byte[] data) {}

    /** Creates a stream whose first event is never dropped. */
    EventStream(ConsoleState state, Item first) {
        this.state = state;
        this.first = first;
    }

    synchronized void offer(Item item) {
        if (waiting.size() == MOST_WAITING) {
            waiting.removeFirst();
            dropped++;
            total++;
        }
        waiting.addLast(item);
        notifyAll();
    }

    /** Ends the stream after the queued events. */
    synchronized void end() {
        over = true;
        notifyAll();
    }

    /** Returns whether the stream has ended and all its events were taken. */
    public synchronized boolean isOver() {
        return over && first == null && waiting.isEmpty();
    }

    /**
     * Waits for the next event and takes it.
     *
     * @param patienceMillis how long to wait, from 1
     * @return the event; null if none arrived in time or the stream has ended
     */
    public synchronized @Nullable Item next(long patienceMillis) throws InterruptedException {
        Item hello = first;
        if (hello != null) {
            first = null;
            return hello;
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        while (waiting.isEmpty() && !over) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return null;
            }
            wait(left);
        }
        if (dropped > 0) {
            String told = "{\"count\":" + dropped + ",\"total\":" + total + "}";
            dropped = 0;
            return new Item("dropped", told.getBytes(StandardCharsets.UTF_8));
        }
        return waiting.pollFirst();
    }

    @Override
    public void close() {
        state.closed(this);
    }
}
