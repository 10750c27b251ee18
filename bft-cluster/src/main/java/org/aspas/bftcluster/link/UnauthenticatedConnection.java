package org.aspas.bftcluster.link;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.TlsIdentity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An accepted connection until its dialler is known. TLS begins with its first bytes, so that a connection that says nothing
 * costs little. Whatever the other side does or leaves, the connection ends after the time of a handshake, and it ends at
 * once: TLS would first send its own end, and wait some seconds until that has left. Runs on the acceptor's event loop,
 * until {@link #replay}.
 */
final class UnauthenticatedConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(UnauthenticatedConnection.class);

    private enum State {
        /** It has sent nothing. */
        SILENT,
        /** TLS has begun. */
        HANDSHAKE,
        /** It is one of the nodes; what it sends is kept until the connection has moved. */
        AUTHENTICATED,
        /** It was rejected, has left, or made room for another one. */
        OVER
    }

    private final LinkAcceptor acceptor;
    private final SocketChannel channel;
    private final List<Object> early = new ArrayList<>();
    private final ScheduledFuture<?> deadline;
    private ConnectionPlaces.Place place;
    private State state = State.SILENT;

    /** Takes a place, which an older connection may have to leave. On the acceptor's event loop. */
    UnauthenticatedConnection(LinkAcceptor acceptor, SocketChannel channel) {
        this.acceptor = acceptor;
        this.channel = channel;
        this.place = acceptor.enterSilent(channel, this::giveWay);
        this.deadline = channel.eventLoop()
                .schedule(
                        () -> reject("is too slow", null),
                        acceptor.limits().handshakeTimeoutMillis(),
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        switch (state) {
            case SILENT -> {
                beginHandshake(ctx);
                ctx.pipeline().fireChannelRead(message);
            }
            case AUTHENTICATED -> early.add(message);
            case HANDSHAKE, OVER -> ReferenceCountUtil.release(message);
        }
    }

    private void beginHandshake(ChannelHandlerContext ctx) {
        state = State.HANDSHAKE;
        place.leave();
        place = acceptor.enterHandshake(channel, this::giveWay);
        ctx.pipeline().addBefore(ctx.name(), null, acceptor.newTlsHandler());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (state != State.HANDSHAKE || !(event instanceof SslHandshakeCompletionEvent handshake)) {
            return;
        }
        if (!handshake.isSuccess()) {
            reject("fails its handshake", handshake.cause());
            return;
        }
        Optional<NodeId> peer = TlsIdentity.peerKey(
                        ctx.pipeline().get(SslHandler.class).engine().getSession())
                .flatMap(acceptor::nodeOf);
        if (peer.isEmpty()) {
            reject("has no key of the deployment", null);
            return;
        }
        finish(State.AUTHENTICATED);
        channel.config().setAutoRead(false);
        // Later, because TLS is in the middle of what it has read.
        ctx.executor().execute(() -> acceptor.handOver(peer.get(), channel, this::replay));
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        reject("leaves", null);
        early.forEach(ReferenceCountUtil::release);
        early.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        reject("fails", cause);
        cut();
    }

    private void reject(String why, @Nullable Throwable cause) {
        if (state == State.AUTHENTICATED || state == State.OVER) {
            return;
        }
        finish(State.OVER);
        acceptor.meter().handshakesRejected.increment();
        LOG.debug("connection from {} {}", channel.remoteAddress(), why, cause);
        cut();
    }

    private void giveWay() {
        finish(State.OVER);
        acceptor.meter().connectionsRefused.increment();
        LOG.debug("connection from {} makes room for another one", channel.remoteAddress());
        cut();
    }

    private void finish(State end) {
        state = end;
        place.leave();
        deadline.cancel(false);
    }

    /** Closes the connection without passing through the TLS handler. */
    private void cut() {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        if (first == null) {
            channel.close();
        } else {
            // What the first handler asks for passes no other handler.
            first.close();
        }
    }

    /** On the event loop to which the connection has moved: what came meanwhile is for the handlers behind this one. */
    private void replay() {
        ChannelHandlerContext ctx = channel.pipeline().context(this);
        if (ctx == null) {
            return;
        }
        early.forEach(ctx::fireChannelRead);
        early.clear();
        // Or what is answered to it would not be flushed before something more is read.
        ctx.fireChannelReadComplete();
        channel.pipeline().remove(this);
    }
}
