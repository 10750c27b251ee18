package org.aspas.client.api;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.certify.bound.Backoff;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.client.core.port.Event;
import org.aspas.client.core.port.Failure;
import org.aspas.client.transport.SerialExecutor;
import org.aspas.client.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the present server: made again whenever it is gone, after a pause that doubles with each failure in a
 * row. Turns what happens on it into events. Confined to the client's mailbox, but for the figures.
 */
final class SessionConnection {
    private static final Backoff PAUSES_MILLIS = Backoff.of(100, 5_000);

    private final List<Transport> transports;
    private final ScheduledExecutorService scheduler;
    private final int mostAttempts;
    private final SerialExecutor mailbox;
    private final Consumer<Event> core;
    private Transport.@Nullable Connection connection;
    /** Names the present connection, so that what comes of an earlier one is dropped. */
    private long generation;

    private int failedAttempts;
    private Backoff reconnecting = PAUSES_MILLIS;
    private boolean over;

    volatile int server;
    volatile long connections;
    volatile long switches;

    /**
     * Makes no connection yet.
     *
     * @param mailbox runs the client's steps; what the transport received runs on the transport's own thread if the
     *     client is idle
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

    /** The session is open: the next failure is the first in a row. */
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

    /** Gives up the present connection, and makes another one to the same server. */
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

    /** Leaves the connection as it is, because nothing runs any more that could close it. */
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
