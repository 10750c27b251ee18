package org.aspas.client.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection, from the attempt on: ends once, and sends. Frames that wait together are flushed together. They wait
 * here, and not in the channel, while the channel has enough to send. Thread-safe where nothing else is said.
 */
final class SocketConnection implements Transport.Connection {
    /** What the client says first: the name of the protocol and its version in ASCII, and a line feed. */
    static final String PREFACE = "ASPAS/1\n";

    /** The bytes of a frame's length field. */
    static final int LENGTH_BYTES = 4;

    private static final byte[] PREFACE_BYTES = PREFACE.getBytes(StandardCharsets.US_ASCII);

    private final EventLoop loop;
    private final Transport.Listener listener;
    private final int maxQueuedFrames;
    private final Queue<byte[]> queue = new ConcurrentLinkedQueue<>();
    /** How many frames are in the queue or in the channel. */
    private final AtomicInteger queued = new AtomicInteger();

    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Runnable drain = this::drain;
    private final ChannelFutureListener written = this::onWritten;
    private volatile @Nullable Channel dialled;
    /** The channel from the moment on that frames can be sent. */
    private volatile @Nullable Channel open;

    /**
     * A connection that is not dialled yet.
     *
     * @param loop runs the channel, and makes all calls to the listener
     * @param maxQueuedFrames how many frames may wait to be sent; from 1
     */
    SocketConnection(EventLoop loop, Transport.Listener listener, int maxQueuedFrames) {
        this.loop = loop;
        this.listener = listener;
        this.maxQueuedFrames = maxQueuedFrames;
    }

    /** The attempt has a channel, which ends with this connection. Called on the event loop. */
    void dialled(Channel channel) {
        dialled = channel;
    }

    /** TCP is up. Called on the event loop. */
    void opened(Channel channel) {
        if (closed.get()) {
            return;
        }
        var unused = channel.write(Unpooled.wrappedBuffer(PREFACE_BYTES));
        open = channel;
        listener.connected();
        write(channel);
        channel.flush();
    }

    @Override
    public void send(byte[] frame) {
        if (closed.get()) {
            return;
        }
        if (open == null) {
            throw new IllegalStateException("nowhere to send it: not connected yet");
        }
        int now = queued.incrementAndGet();
        if (now > maxQueuedFrames) {
            failed("more than " + maxQueuedFrames + " frames wait to be sent");
            return;
        }
        queue.add(frame);
        schedule();
    }

    /** Sends what waits, soon: because more of it waits, or the channel can take more. */
    void schedule() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            onLoop(drain);
        }
    }

    private void drain() {
        scheduled.set(false);
        flush();
    }

    /** Sends what waits, as far as the channel takes it. Called on the event loop. */
    void flush() {
        Channel channel = open;
        if (channel != null && write(channel)) {
            channel.flush();
        }
    }

    /** Hands frames to the channel as long as it takes more; false if there was none. */
    private boolean write(Channel channel) {
        boolean any = false;
        while (channel.isWritable()) {
            byte[] frame = queue.poll();
            if (frame == null) {
                break;
            }
            // The channel would copy what is not in a direct buffer.
            ByteBuf whole = channel.alloc().directBuffer(LENGTH_BYTES + frame.length);
            whole.writeInt(frame.length).writeBytes(frame);
            channel.write(whole).addListener(written);
            any = true;
        }
        return any;
    }

    /** Answers an empty frame of the server's by another, unless more waits to be sent anyway. Called on the event loop. */
    void stillHere() {
        Channel channel = open;
        if (channel != null && channel.isWritable() && queue.isEmpty()) {
            channel.writeAndFlush(channel.alloc().directBuffer(LENGTH_BYTES).writeInt(0), channel.voidPromise());
        }
    }

    private void onWritten(ChannelFuture write) {
        Throwable failure = write.cause();
        if (failure == null) {
            queued.decrementAndGet();
        } else if (!(failure instanceof ClosedChannelException)) {
            // Else the channel is closed for a reason that it is about to tell.
            failed("sending failed: " + SocketTransport.describe(failure));
        }
    }

    @Override
    public void close() {
        failed("closed by this client");
    }

    /** Whether it has ended, so that nothing is delivered any more. */
    boolean isClosed() {
        return closed.get();
    }

    /** Ends the connection once, for a reason. The listener hears of it later, on the event loop. */
    void failed(String reason) {
        if (closed.compareAndSet(false, true)) {
            try {
                loop.execute(() -> end(reason));
            } catch (RejectedExecutionException over) {
                end(reason); // The loop has ended, and nobody else can call the listener.
            }
        }
    }

    /** The channel is gone. Called on the event loop, which may be about to end and run no task any more; never within a call of the listener. */
    void lost(String reason) {
        if (closed.compareAndSet(false, true)) {
            end(reason);
        }
    }

    private void end(String reason) {
        Channel channel = dialled;
        if (channel != null) {
            var unused = channel.close();
        }
        queue.clear();
        listener.closed(reason);
    }

    /** Runs a task of this connection on its event loop, later. Without the loop, ends the connection. */
    void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException over) {
            failed("the event loops of this client have ended");
        }
    }
}
