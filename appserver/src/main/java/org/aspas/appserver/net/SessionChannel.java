package org.aspas.appserver.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.aspas.bftcluster.link.ConnectionPlaces;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One binary session. Frames are decoded and verified on the connection's event loop, one at a time; while one of them waits for
 * its turn, or the client has to wait for what it did, the connection is not read. Messages to the client wait in a queue, and
 * those that wait together are flushed together. A side that hears nothing for a while is sent an empty frame, and answers
 * one by another.
 */
final class SessionChannel extends ChannelInboundHandlerAdapter implements Outbound {
    private static final Logger LOG = LoggerFactory.getLogger(SessionChannel.class);
    private static final int LENGTH_BYTES = 4;
    private static final long QUIET_SECONDS = 15;
    private static final long SILENT_SECONDS = 4 * QUIET_SECONDS;
    private static final long LAST_WORDS_SECONDS = 5;

    private final SocketChannel channel;
    private final ConversationLimits limits;
    private final Conversation conversation;
    private final Queue<byte[]> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    /** How many frames wait, so that it is not read. On the event loop only. */
    private int holds;

    private volatile boolean completed;
    private boolean faulty;

    private SessionChannel(SocketChannel channel, Conversations conversations) {
        this.channel = channel;
        this.limits = conversations.limits();
        this.conversation = conversations.open();
    }

    /**
     * Makes a connection, which has shown that it is a client's, into a conversation.
     *
     * @param enter gives it a place among those without a session
     */
    static void install(
            SocketChannel channel, Conversations conversations, Function<Runnable, ConnectionPlaces.Place> enter) {
        ConversationLimits limits = conversations.limits();
        SessionChannel session = new SessionChannel(channel, conversations);
        channel.pipeline()
                .addLast(new IdleStateHandler(SILENT_SECONDS, QUIET_SECONDS, 0, TimeUnit.SECONDS))
                .addLast(new FrameReader(
                        limits.maxFrameBytes(), limits.frameTimeout().toNanos()))
                // Of what was read already, a connection that is paused keeps the frames back.
                .addLast(new FlowControlHandler())
                .addLast(session);
        session.conversation.begin(session, enter);
    }

    // ---- In ----

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        byte[] frame = (byte[]) message;
        if (frame.length == 0) {
            return;
        }
        long pause = conversation.pauseNanos();
        if (pause == 0) {
            take(frame);
            return;
        }
        hold();
        channel.eventLoop().schedule(() -> release(() -> take(frame)), pause, TimeUnit.NANOSECONDS);
    }

    /** Handles a frame when it is this session's turn. */
    private void take(byte[] frame) {
        CompletionStage<?> room = conversation.room(frame.length);
        if (room.toCompletableFuture().isDone()) {
            handle(frame);
            return;
        }
        hold();
        room.thenRun(() -> onLoop(() -> release(() -> handle(frame))));
    }

    private void handle(byte[] frame) {
        boolean begun = false;
        try {
            CompletionStage<?> done = conversation.received(frame);
            begun = true;
            if (done.toCompletableFuture().isDone()) {
                conversation.free(frame.length);
            } else {
                done.whenComplete((end, failure) -> conversation.free(frame.length));
            }
        } finally {
            if (!begun) {
                conversation.free(frame.length);
            }
        }
    }

    private void hold() {
        holds++;
        channel.config().setAutoRead(false);
    }

    /** What was held goes on; then, if nothing holds it again, the connection is read. */
    private void release(Runnable next) {
        next.run();
        holds--;
        if (holds == 0) {
            channel.config().setAutoRead(true); // Which may bring the next frames before it returns.
        }
    }

    private void onLoop(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException closing) {
            LOG.trace("the event loops have ended");
        }
    }

    // ---- Out ----

    @Override
    public boolean offer(byte[] message) {
        if (queued.incrementAndGet() > limits.clientQueue()) {
            queued.decrementAndGet();
            return false;
        }
        waiting.add(message);
        wake();
        return true;
    }

    private void wake() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            onLoop(this::drain);
        }
    }

    /** Writes as much as the channel takes; the rest when it takes more. */
    private void drain() {
        scheduled.set(false);
        boolean written = false;
        while (channel.isWritable()) {
            byte[] message = waiting.poll();
            if (message == null) {
                break;
            }
            queued.decrementAndGet();
            ByteBuf frame = channel.alloc().ioBuffer(LENGTH_BYTES + message.length);
            channel.write(frame.writeInt(message.length).writeBytes(message));
            conversation.sent(message.length);
            written = true;
        }
        if (written) {
            channel.flush();
        }
        if (completed && waiting.isEmpty()) {
            channel.writeAndFlush(channel.alloc().ioBuffer(0)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable()) {
            drain();
        }
    }

    @Override
    public void complete() {
        completed = true;
        wake();
        onLoop(() -> channel.eventLoop().schedule(() -> channel.close(), LAST_WORDS_SECONDS, TimeUnit.SECONDS));
    }

    @Override
    public void fail() {
        SessionPort.cut(channel);
    }

    // ---- The connection ----

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent idle && idle.state() == IdleState.READER_IDLE) {
            if (holds == 0) { // Else it is not the client that is silent.
                LOG.debug("a session is ended: its client is silent");
                context.close();
            }
        } else if (event instanceof IdleStateEvent) {
            context.writeAndFlush(context.alloc().ioBuffer(LENGTH_BYTES).writeInt(0));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        conversation.onEnd();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        boolean oversized = cause instanceof TooLongFrameException;
        if (faulty || !(oversized || cause instanceof TimeoutException)) {
            LOG.debug("a session is ended", cause);
            context.close();
            return;
        }
        faulty = true;
        conversation.faulty(oversized ? Conversation.Fault.OVERSIZED : Conversation.Fault.BROKEN);
    }

    /** Reads frames behind their lengths: four bytes, big-endian. Of a frame that has begun, the rest has to come in time. */
    private static final class FrameReader extends ByteToMessageDecoder {
        private static final int LENGTH_BYTES = 4;

        private final int maxFrameBytes;
        private final long timeoutNanos;
        private boolean begun;
        private boolean watched;
        private long since;

        FrameReader(int maxFrameBytes, long timeoutNanos) {
            this.maxFrameBytes = maxFrameBytes;
            this.timeoutNanos = timeoutNanos;
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
            begun = false;
            if (in.readableBytes() < LENGTH_BYTES) {
                return;
            }
            long length = in.getUnsignedInt(in.readerIndex());
            if (length > maxFrameBytes) {
                in.skipBytes(in.readableBytes());
                throw new TooLongFrameException("a frame of " + length + " bytes");
            }
            if (in.readableBytes() - LENGTH_BYTES >= length) {
                in.skipBytes(LENGTH_BYTES);
                byte[] frame = new byte[(int) length];
                in.readBytes(frame);
                out.add(frame);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) throws Exception {
            if (actualReadableBytes() == 0) {
                begun = false;
            } else if (!begun) {
                begun = true;
                since = System.nanoTime();
                watch(context, timeoutNanos);
            }
            super.channelReadComplete(context);
        }

        private void watch(ChannelHandlerContext context, long nanos) {
            if (!watched) {
                watched = true;
                context.executor().schedule(() -> look(context), nanos, TimeUnit.NANOSECONDS);
            }
        }

        private void look(ChannelHandlerContext context) {
            watched = false;
            if (!begun || context.isRemoved()) {
                return;
            }
            if (!context.channel().config().isAutoRead()) {
                since = System.nanoTime(); // It is not read just now.
            }
            long left = since + timeoutNanos - System.nanoTime();
            if (left > 0) {
                watch(context, left);
            } else {
                context.fireExceptionCaught(new TimeoutException("a frame that did not arrive whole in time"));
            }
        }
    }
}
