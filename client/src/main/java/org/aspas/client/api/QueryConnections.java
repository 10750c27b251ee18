package org.aspas.client.api;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.client.net.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Short-lived connections without a session, to servers other than the client's own. They are opened for a question and closed when
 * idle. Frames that cannot be sent are dropped, because the core repeats its questions. Confined to the client's mailbox.
 */
final class QueryConnections {
    private static final int MOST_QUEUED = 64;
    private static final long IDLE_MILLIS = 10_000;

    interface Receiver {
        void received(int server, Frame frame);
    }

    private static final class Side {
        final ArrayDeque<byte[]> queue = new ArrayDeque<>();
        Transport.@Nullable Connection connection;
        boolean open;
        boolean over;
        long moved;
    }

    private final List<Transport> transports;
    private final Executor mailbox;
    private final Receiver receiver;
    private final TreeMap<Integer, Side> sides = new TreeMap<>();
    private long now;

    QueryConnections(List<Transport> transports, Executor mailbox, Receiver receiver) {
        this.transports = transports;
        this.mailbox = mailbox;
        this.receiver = receiver;
    }

    void send(int server, byte[] frame) {
        Side side = sides.get(server);
        if (side == null) {
            side = new Side();
            sides.put(server, side);
            try {
                side.connection = transports.get(server).connect(listener(server, side));
            } catch (RuntimeException failed) { // It may be the application's.
                drop(server, side);
                return;
            }
        }
        side.moved = now;
        if (side.open) {
            send(server, side, frame);
        } else if (side.queue.size() < MOST_QUEUED) {
            side.queue.add(frame);
        }
    }

    private void send(int server, Side side, byte[] frame) {
        Transport.Connection connection = side.connection;
        if (connection != null) {
            try {
                connection.send(frame);
            } catch (RuntimeException failed) { // It may be the application's.
                drop(server, side);
            }
        }
    }

    private Transport.Listener listener(int server, Side side) {
        return new Transport.Listener() {
            @Override
            public void connected() {
                mailbox.execute(() -> opened(server, side));
            }

            @Override
            public void received(byte[] frame, Runnable consumed) {
                mailbox.execute(() -> {
                    if (!side.over) {
                        side.moved = now;
                        Codec.decode(frame).accepted().ifPresent(decoded -> receiver.received(server, decoded));
                    }
                    consumed.run();
                });
            }

            @Override
            public void closed(String reason) {
                mailbox.execute(() -> {
                    side.over = true;
                    sides.remove(server, side);
                });
            }
        };
    }

    private void opened(int server, Side side) {
        if (side.over || side.connection == null) {
            return;
        }
        side.open = true;
        while (!side.over && !side.queue.isEmpty()) {
            send(server, side, side.queue.remove());
        }
    }

    void tick(long nowMillis) {
        now = nowMillis;
        new ArrayList<>(sides.entrySet()).forEach(entry -> {
            if (now - entry.getValue().moved >= IDLE_MILLIS) {
                drop(entry.getKey(), entry.getValue());
            }
        });
    }

    private void drop(int server, Side side) {
        side.over = true;
        sides.remove(server, side);
        Transport.Connection connection = side.connection;
        if (connection != null) {
            connection.close();
        }
    }

    void close() {
        new ArrayList<>(sides.entrySet()).forEach(entry -> drop(entry.getKey(), entry.getValue()));
    }
}
