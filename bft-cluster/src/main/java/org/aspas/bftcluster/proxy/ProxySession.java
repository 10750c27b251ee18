package org.aspas.bftcluster.proxy;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
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
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
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

    /**
     * The library's client protocol with one replica: a 4-byte length, a zero byte for "not signed", the message, and an
     * HMAC-SHA1. The key of that MAC is made of the two public ids, so it detects damage and proves nothing.
     */
    private static final class ReplicaWire {
        /** Length field, flag, MAC and the message's own fields, with room to spare. */
        static final int OVERHEAD_BYTES = 128;

        private static final int MAC_BYTES = 20;
        private static final int HEADER_BYTES = 8 * Integer.BYTES;

        private final int replica;
        private final Mac mac;

        ReplicaWire(int client, int replica) {
            this.replica = replica;
            try {
                SecretKey key = SecretKeyFactory.getInstance("PBEWithMD5AndDES")
                        .generateSecret(new PBEKeySpec((client + ":" + replica).toCharArray()));
                mac = Mac.getInstance("HmacSHA1");
                mac.init(key);
            } catch (GeneralSecurityException impossible) {
                throw new IllegalStateException("this JDK lacks what the ordering library needs", impossible);
            }
        }

        /** The bytes under the length, flag and MAC: the same for every replica. */
        static byte[] message(int client, int session, int sequence, byte[] command) {
            TOMMessage message =
                    new TOMMessage(client, session, sequence, sequence, command, 0, TOMMessageType.ORDERED_REQUEST);
            return TOMMessage.messageToBytes(message);
        }

        ByteBuf frame(byte[] message) {
            byte[] code = mac.doFinal(message);
            ByteBuf header = Unpooled.buffer(5)
                    .writeInt(1 + message.length + code.length)
                    .writeByte(0);
            return Unpooled.wrappedBuffer(header, Unpooled.wrappedBuffer(message), Unpooled.wrappedBuffer(code));
        }

        /** A reply of this replica; empty when the frame is damaged or names another sender. */
        Optional<TOMMessage> reply(ByteBuf frame) {
            int length = frame.readableBytes() - 1 - MAC_BYTES;
            if (length < HEADER_BYTES || frame.readByte() != 0) {
                return Optional.empty();
            }
            byte[] message = ByteBufUtil.getBytes(frame, frame.readerIndex(), length);
            byte[] code = ByteBufUtil.getBytes(frame, frame.readerIndex() + length, MAC_BYTES);
            int contentLength = frame.getInt(frame.readerIndex() + HEADER_BYTES - Integer.BYTES);
            boolean sound = MessageDigest.isEqual(mac.doFinal(message), code)
                    && (contentLength == -1 ? length == HEADER_BYTES : contentLength == length - HEADER_BYTES);
            return sound ? read(message) : Optional.empty();
        }

        private Optional<TOMMessage> read(byte[] message) {
            try {
                TOMMessage reply = new TOMMessage();
                reply.rExternal(new DataInputStream(new ByteArrayInputStream(message)));
                return reply.getSender() == replica ? Optional.of(reply) : Optional.empty();
            } catch (IOException | ClassNotFoundException malformed) {
                return Optional.empty();
            }
        }
    }
}
