package org.aspas.client.net;

import java.io.ByteArrayOutputStream;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** One WebSocket: joins partial messages, keeps one send outstanding, and reads no further while too much is not consumed. */
final class WebSocketConnection implements WebSocket.Listener, Transport.Connection {
    /** How many frames are delivered before the first of them has to be consumed, if they are small. */
    private static final int AHEAD = 64;

    private final Transport.Listener listener;
    private final int maxFrameBytes;
    private final int maxQueuedFrames;
    private final ConcurrentLinkedQueue<byte[]> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
    private int ahead;
    private long aheadBytes;
    private boolean paused;
    private volatile @Nullable WebSocket socket;

    WebSocketConnection(Transport.Listener listener, int maxFrameBytes, int maxQueuedFrames) {
        this.listener = listener;
        this.maxFrameBytes = maxFrameBytes;
        this.maxQueuedFrames = maxQueuedFrames;
    }

    @Override
    public void send(byte[] frame) {
        if (closed.get()) {
            return;
        }
        queue.add(frame);
        int now = queued.incrementAndGet();
        if (now > maxQueuedFrames) {
            failed("more than " + maxQueuedFrames + " frames wait to be sent");
        } else if (now == 1) {
            sendNext();
        }
    }

    /** Called by whoever raised the count from 0, and after each completed send while frames are left. */
    private void sendNext() {
        WebSocket open = socket;
        byte[] frame = queue.poll();
        if (closed.get()) {
            return; // And the queue may be cleared already.
        }
        if (open == null || frame == null) {
            throw new IllegalStateException("nothing to send or nowhere to send it");
        }
        open.sendBinary(ByteBuffer.wrap(frame), true).whenComplete((done, failure) -> {
            if (failure != null) {
                failed("sending failed: " + describe(failure));
            } else if (queued.decrementAndGet() > 0 && !closed.get()) {
                sendNext();
            }
        });
    }

    @Override
    public void close() {
        failed("closed by this client");
    }

    /** Ends the connection once, for a reason. */
    void failed(String reason) {
        if (closed.compareAndSet(false, true)) {
            WebSocket open = socket;
            if (open != null) {
                open.abort();
            }
            queue.clear();
            listener.closed(reason);
        }
    }

    @Override
    public void onOpen(WebSocket opened) {
        socket = opened;
        if (closed.get()) {
            opened.abort();
            return;
        }
        listener.connected();
        opened.request(1);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        if (partial.size() + data.remaining() > maxFrameBytes) {
            failed("the server sent a frame of more than " + maxFrameBytes + " bytes");
            return null;
        }
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        if (!last) {
            partial.writeBytes(bytes);
            from.request(1);
            return null;
        }
        byte[] frame = bytes;
        if (partial.size() > 0) {
            partial.writeBytes(bytes);
            frame = partial.toByteArray();
            partial.reset();
        }
        if (!closed.get()) {
            boolean more = delivered(frame.length);
            int length = frame.length;
            listener.received(frame, () -> {
                if (consumed(length)) {
                    from.request(1);
                }
            });
            if (more) {
                from.request(1);
            }
        }
        return null;
    }

    /** Whether the next frame may come now: of what is not consumed there are then less than two of the largest frames. */
    private synchronized boolean delivered(int length) {
        ahead++;
        aheadBytes += length;
        paused = !room();
        return !paused;
    }

    /** Whether the next frame, which had to wait, may come now. */
    private synchronized boolean consumed(int length) {
        ahead--;
        aheadBytes -= length;
        boolean resumed = paused && room();
        paused &= !resumed;
        return resumed;
    }

    private boolean room() {
        return ahead < AHEAD && aheadBytes < maxFrameBytes;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        failed("the server sent text");
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
        failed("the server closed the connection (" + status + (reason.isEmpty() ? ")" : ": " + reason + ")"));
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        failed(describe(error));
    }

    /** The failure without its wrappers, in words where it is a usual one. */
    static String describe(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof HttpConnectTimeoutException) {
            return "no connection in time: its host is down or cut off";
        } else if (cause instanceof HttpTimeoutException) {
            return "no answer in time on an open connection: it is stopped or overloaded";
        } else if (cause instanceof ConnectException && cause.getCause() instanceof UnresolvedAddressException) {
            return "unknown host";
        } else if (cause instanceof ConnectException) {
            return "connection refused";
        }
        if (cause instanceof SSLException) {
            return TlsWords.of(cause);
        }
        String message = cause.getMessage();
        return cause.getClass().getSimpleName() + (message == null ? "" : " (" + message + ")");
    }
}
