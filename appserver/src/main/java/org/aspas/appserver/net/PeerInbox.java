package org.aspas.appserver.net;

import java.util.ArrayDeque;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The frames of one peer on their way to the core, in order. They are handled one after the other on an executor, one frame
 * for each turn, so that a peer holds one of its threads at most, and none of the links'. When {@value #MOST} are not
 * finished, or {@value #MOST_BYTES} bytes of them, the peer's link is paused until half of them are. Thread-safe.
 */
final class PeerInbox {
    /** The most frames of one peer that are not finished. */
    static final int MOST = 256;

    /** The most bytes of them, beyond which the last frame may go. */
    static final int MOST_BYTES = 64 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(PeerInbox.class);

    private final Executor executor;
    private final Function<byte[], CompletionStage<?>> handler;
    private final Runnable pause;
    private final Runnable resume;
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private int unfinished;
    private long bytes;
    private boolean running;
    private boolean paused;

    /**
     * An empty inbox.
     *
     * @param handler takes a frame; its answer is done when the core has handled it
     * @param pause stops the peer's frames; called by {@link #offer}
     * @param resume lets them come again
     */
    PeerInbox(Executor executor, Function<byte[], CompletionStage<?>> handler, Runnable pause, Runnable resume) {
        this.executor = executor;
        this.handler = handler;
        this.pause = pause;
        this.resume = resume;
    }

    /** Takes the next frame; returns at once. */
    void offer(byte[] frame) {
        boolean idle;
        synchronized (this) {
            waiting.add(frame);
            unfinished++;
            bytes += frame.length;
            if ((unfinished >= MOST || bytes >= MOST_BYTES) && !paused) {
                paused = true;
                pause.run();
            }
            idle = !running;
            running = true;
        }
        if (idle) {
            handleLater();
        }
    }

    private void handleLater() {
        try {
            executor.execute(this::handleOne);
        } catch (RejectedExecutionException closing) {
            LOG.trace("frames are dropped, for the links are closed", closing);
        }
    }

    private void handleOne() {
        byte[] frame = next();
        boolean handed = false;
        try {
            handler.apply(frame).whenComplete((done, failure) -> finished(frame.length));
            handed = true;
        } finally {
            if (!handed) {
                finished(frame.length);
            }
            if (more()) {
                handleLater();
            }
        }
    }

    private synchronized byte[] next() {
        return waiting.remove();
    }

    private synchronized boolean more() {
        running = !waiting.isEmpty();
        return running;
    }

    private synchronized void finished(int length) {
        unfinished--;
        bytes -= length;
        if (paused && unfinished <= MOST / 2 && bytes <= MOST_BYTES / 2) {
            paused = false;
            resume.run();
        }
    }
}
