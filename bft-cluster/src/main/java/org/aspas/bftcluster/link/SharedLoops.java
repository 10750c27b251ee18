package org.aspas.bftcluster.link;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Event loops that all nodes of a process share: one for each processor, from 2 to 8. They are made for the first user and end with
 * the last one. Thread-safe.
 */
public final class SharedLoops {
    private static final int FEWEST = 2;
    private static final int MOST = 8;

    private final String name;
    private @Nullable EventLoopGroup loops;
    private int users;

    public SharedLoops(String name) {
        this.name = name;
    }

    /** The loops for one more user, which calls {@link #release} once in the end. */
    public synchronized EventLoopGroup acquire() {
        EventLoopGroup running = loops;
        if (running == null) {
            int processors = Runtime.getRuntime().availableProcessors();
            running = new MultiThreadIoEventLoopGroup(
                    Math.max(FEWEST, Math.min(processors, MOST)),
                    new DefaultThreadFactory(name, true),
                    NioIoHandler.newFactory());
            loops = running;
        }
        users++;
        return running;
    }

    /** A user is done, and its channels are closed. After the last one, waits a few seconds at most for the threads to end. */
    public void release() {
        EventLoopGroup last = left();
        if (last != null) {
            last.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
        }
    }

    private synchronized @Nullable EventLoopGroup left() {
        users--;
        EventLoopGroup last = users == 0 ? loops : null;
        loops = users == 0 ? null : loops;
        return last;
    }
}
