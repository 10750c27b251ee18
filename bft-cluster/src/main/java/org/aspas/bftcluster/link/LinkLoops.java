package org.aspas.bftcluster.link;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The event loops of established links, which all nodes of a process share: one for each processor, from 2 to 8. They are made for
 * the first node and end with the last one. Thread-safe.
 */
final class LinkLoops {
    private static final int FEWEST = 2;
    private static final int MOST = 8;
    private static final Object LOCK = new Object();

    private static @Nullable EventLoopGroup shared;
    private static int users;

    private LinkLoops() {}

    /** The loops for one more node, which calls {@link #release} once in the end. */
    static EventLoopGroup acquire() {
        synchronized (LOCK) {
            EventLoopGroup loops = shared;
            if (loops == null) {
                int processors = Runtime.getRuntime().availableProcessors();
                loops = new MultiThreadIoEventLoopGroup(
                        Math.max(FEWEST, Math.min(processors, MOST)),
                        new DefaultThreadFactory("link", true),
                        NioIoHandler.newFactory());
                shared = loops;
            }
            users++;
            return loops;
        }
    }

    /** A node is done, and its channels are closed. After the last node, waits a few seconds at most for the threads to end. */
    static void release() {
        EventLoopGroup last;
        synchronized (LOCK) {
            users--;
            if (users > 0) {
                return;
            }
            last = shared;
            shared = null;
        }
        if (last != null) {
            last.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
        }
    }
}
