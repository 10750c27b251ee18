package org.aspas.bftcluster.proxy;

import bftsmart.tom.core.messages.TOMMessage;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One identity towards the replicas: a fresh client id, one connection per replica, and a sequence of commands that goes
 * to all of them. A replica takes a client's commands only in an unbroken sequence, so a connection that was not there
 * from the first command on is not used by this session at all; a later session uses it. Runs on one event loop.
 */
final class ProxySession {
    private static final Logger LOG = LoggerFactory.getLogger(ProxySession.class);
    private static final int CONNECT_TIMEOUT_MILLIS = 3_000;

    private final int client;
    private final int session;
    private final int enough;
    private final int maxMessageBytes;
    private final @Nullable Channel[] channels;
    private final ReplicaWire[] wires;
    private final Map<Integer, ProxiedCommand> pending = new LinkedHashMap<>();
    private int unsettled;
    private int nextSequence;

    /**
     * Begins to connect.
     *
     * @param enough how many equal answers prove that a correct replica gave them
     * @param settled told once, when every connection is made or has failed
     */
    ProxySession(
            int client,
            int session,
            List<InetSocketAddress> replicas,
            int enough,
            int maxMessageBytes,
            EventLoop loop,
            Consumer<ProxySession> settled) {
        this.client = client;
        this.session = session;
        this.enough = enough;
        this.maxMessageBytes = maxMessageBytes;
        this.channels = new Channel[replicas.size()];
        this.wires = new ReplicaWire[replicas.size()];
        this.unsettled = replicas.size();
        for (int i = 0; i < replicas.size(); i++) {
            wires[i] = new ReplicaWire(client, i);
            open(i, replicas.get(i), loop, settled);
        }
    }

    private void open(int replica, InetSocketAddress address, EventLoop loop, Consumer<ProxySession> settled) {
        ChannelFuture attempt = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        int most = maxMessageBytes + ReplicaWire.OVERHEAD_BYTES;
                        channel.pipeline().addLast(new LengthFieldBasedFrameDecoder(most, 0, 4, 0, 4, true));
                        channel.pipeline().addLast(new Replies(replica));
                    }
                })
                .connect(new InetSocketAddress(address.getHostString(), address.getPort()));
        attempt.addListener(connected -> {
            if (connected.isSuccess()) {
                channels[replica] = attempt.channel();
            }
            unsettled--;
            if (unsettled == 0) {
                settled.accept(this);
            }
        });
    }

    int reached() {
        int count = 0;
        for (Channel channel : channels) {
            if (channel != null && channel.isActive()) {
                count++;
            }
        }
        return count;
    }

    boolean isIdle() {
        return pending.isEmpty();
    }

    void submit(ProxiedCommand submission) {
        int sequence = nextSequence++;
        submission.begin(channels.length);
        pending.put(sequence, submission);
        byte[] message = ReplicaWire.message(client, session, sequence, submission.command());
        for (int i = 0; i < channels.length; i++) {
            Channel channel = channels[i];
            if (channel != null && channel.isActive()) {
                var unused = channel.writeAndFlush(wires[i].frame(message));
            } else {
                channels[i] = null;
            }
        }
    }

    /** Fails what was submitted before this moment; whether there was any. */
    boolean expire(long nowNanos) {
        int before = pending.size();
        pending.values().removeIf(submission -> submission.expire(nowNanos));
        return pending.size() < before;
    }

    void close() {
        pending.values().forEach(submission -> submission.fail("the ordering proxy is closed"));
        pending.clear();
        for (Channel channel : channels) {
            if (channel != null) {
                var unused = channel.close();
            }
        }
    }

    private void onReply(int replica, TOMMessage reply) {
        ProxiedCommand submission = pending.get(reply.getSequence());
        if (submission == null || reply.getSession() != session) {
            return;
        }
        byte[] content = reply.getContent();
        if (submission.answer(replica, content == null ? new byte[0] : content, enough)) {
            pending.remove(reply.getSequence());
        }
    }

    private final class Replies extends SimpleChannelInboundHandler<ByteBuf> {
        private final int replica;

        Replies(int replica) {
            this.replica = replica;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf frame) {
            wires[replica].reply(frame).ifPresentOrElse(reply -> onReply(replica, reply), () -> close(ctx));
        }

        private static void close(ChannelHandlerContext connection) {
            var unused = connection.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            LOG.debug("connection to replica {} fails", replica, cause);
            close(ctx);
        }
    }
}
