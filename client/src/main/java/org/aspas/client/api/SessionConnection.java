package org.aspas.client.api;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.certify.bound.Backoff;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.client.core.Event;
import org.aspas.client.core.Failure;
import org.aspas.client.net.SerialExecutor;
import org.aspas.client.net.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the current server. It turns what happens on the connection into events, and reconnects after every loss, with a
 * pause that doubles with each failure in a row. Confined to the client's mailbox, except for the figures.
 */
final class SessionConnection {
    private static final Backoff PAUSES_MILLIS = Backoff.of(100, 5_000);

    private final List<Transport> transports;
    private final ScheduledExecutorService scheduler;
    private final int mostAttempts;
    private final SerialExecutor mailbox;
    private final Consumer<Event> core;
    private Transport.@Nullable Connection connection;
    /** The number of the current connection, by which callbacks of earlier ones are recognized and dropped. */
    private long generation;

    private int failedAttempts;
    private Backoff reconnecting = PAUSES_MILLIS;
    private boolean over;

    volatile int server;
    volatile long connections;
    volatile long switches;

    /**
     * Prepares the connection without opening it.
     *
     * @param mailbox runs the client's steps; if the client is idle, received frames are handled on the transport's own thread
     */
    SessionConnection(
            int server,
            List<Transport> transports,
            ClientOptions options,
            ClientResources resources,
            SerialExecutor mailbox,
            Consumer<Event> core) {
        this.server = server;
        this.transports = transports;
        this.mostAttempts = options.connectAttempts;
        this.scheduler = resources.scheduler();
        this.mailbox = mailbox;
        this.core = core;
    }

    int servers() {
        return transports.size();
    }

    void connect() {
        if (over || connection != null) {
            return;
        }
        long mine = ++generation;
        try {
            connection = transports.get(server).connect(listener(mine));
        } catch (RuntimeException failed) { // It may be the application's.
            lost("the transport failed: " + failed);
        }
    }

    private Transport.Listener listener(long mine) {
        return new Transport.Listener() {
            @Override
            public void connected() {
                mailbox.execute(() -> ifCurrent(mine, SessionConnection.this::connected));
            }

            @Override
            public void received(byte[] frame, Runnable consumed) {
                mailbox.executeHere(() -> {
                    ifCurrent(mine, () -> receive(frame));
                    consumed.run();
                });
            }

            @Override
            public void closed(String reason) {
                mailbox.execute(() -> ifCurrent(mine, () -> lost(reason)));
            }
        };
    }

    private void ifCurrent(long mine, Runnable step) {
        if (mine == generation && !over) {
            step.run();
        }
    }

    private void connected() {
        connections++;
        core.accept(new Event.Connected());
    }

    private void receive(byte[] bytes) {
        Decoded<Frame> decoded = Codec.decode(bytes);
        if (decoded instanceof Decoded.Accepted<Frame> accepted) {
            core.accept(new Event.FrameReceived(accepted.value()));
        } else if (decoded instanceof Decoded.Rejected<Frame> rejected) {
            core.accept(new Event.FrameRejected(rejected.reason()));
        }
    }

    void send(byte[] frame) {
        Transport.Connection open = connection;
        if (open != null) {
            try {
                open.send(frame);
            } catch (RuntimeException failed) { // It may be the application's.
                drop("the transport failed: " + failed);
            }
        }
    }

    /** Resets the count of failures in a row, because the session is open. */
    void opened() {
        failedAttempts = 0;
        reconnecting = PAUSES_MILLIS;
    }

    void turnTo(int next) {
        generation++;
        server = next;
        switches++;
        hangUp();
        mailbox.execute(this::connect);
    }

    /** Drops the current connection and opens another one to the same server. */
    void drop(String reason) {
        Transport.Connection open = connection;
        long mine = generation;
        if (open != null) {
            open.close();
        }
        mailbox.execute(() -> ifCurrent(mine, () -> lost(reason)));
    }

    private void lost(String reason) {
        generation++;
        connection = null;
        failedAttempts++;
        core.accept(new Event.Disconnected(reason));
        if (mostAttempts > 0 && failedAttempts >= mostAttempts) {
            core.accept(new Event.End(new Failure.Unreachable(reason)));
            return;
        }
        var unused =
                scheduler.schedule(() -> mailbox.execute(this::connect), reconnecting.pause(), TimeUnit.MILLISECONDS);
        reconnecting = reconnecting.next();
    }

    /** Stops using the connection without closing it, because nothing runs any more that could do so. */
    void abandon() {
        over = true;
    }

    void close() {
        over = true;
        generation++;
        hangUp();
    }

    private void hangUp() {
        Transport.Connection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }
}
