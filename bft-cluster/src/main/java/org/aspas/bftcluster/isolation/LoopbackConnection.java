package org.aspas.bftcluster.isolation;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for a lower-numbered peer, which the library dials. It listens at a loopback port, chosen anew at each start,
 * and takes one connection at a time. It does not listen before the peer's handshake is known: a refused connection
 * does the library no harm, one that is accepted and not answered would. Thread-safe.
 */
final class LoopbackConnection implements LibraryConnection {
    private static final Logger LOG = LoggerFactory.getLogger(LoopbackConnection.class);
    private static final int HANDSHAKE_MILLIS = 5_000;
    private static final int READ_BYTES = 64 << 10;

    private final int self;
    private final int peer;
    private final InetSocketAddress address;
    private final byte[] ownHandshake;
    private final IsolationOptions options;
    private final LibraryOutputHandler handler;
    private volatile @Nullable ServerSocket listening;
    private volatile @Nullable Socket connected;
    private volatile @Nullable FrameQueue toLibrary;
    private volatile boolean closed;

    LoopbackConnection(
            int self, int peer, int port, byte[] ownHandshake, IsolationOptions options, LibraryOutputHandler handler) {
        this.self = self;
        this.peer = peer;
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.ownHandshake = ownHandshake;
        this.options = options;
        this.handler = handler;
    }

    @Override
    public void open(byte[] peerHandshake) {
        start("accept", () -> accept(peerHandshake));
    }

    private void start(String what, Runnable task) {
        Thread thread = new Thread(task, "replica-" + self + "-loopback-" + peer + "-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(byte[] peerHandshake) {
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.bind(address, 4);
            listening = server;
            while (!closed) {
                try (Socket socket = server.accept()) {
                    serve(socket, peerHandshake);
                } catch (IOException ended) {
                    LOG.debug("the connection of replica {} for {} has ended", self, peer, ended);
                }
            }
        } catch (IOException taken) {
            LOG.error("replica {} cannot reach {}: no port {}", self, peer, address.getPort(), taken);
        }
    }

    private void serve(Socket socket, byte[] peerHandshake) throws IOException {
        connected = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(HANDSHAKE_MILLIS);
        OutputStream out = socket.getOutputStream();
        FrameQueue queue = new FrameQueue(options.maxQueuedBytes());
        queue.offer(peerHandshake);
        LibraryFrameDecoder output = new LibraryFrameDecoder(
                ByteBuffer.allocate(Integer.BYTES + ownHandshake.length)
                        .putInt(self)
                        .put(ownHandshake)
                        .array(),
                options.maxFrameBytes(),
                () -> onHandshake(queue, out),
                handler);
        try {
            byte[] buffer = new byte[READ_BYTES];
            int count = socket.getInputStream().read(buffer);
            while (count >= 0 && output.feed(buffer, 0, count)) {
                if (output.isIntroduced() && socket.getSoTimeout() != 0) {
                    socket.setSoTimeout(0);
                }
                count = socket.getInputStream().read(buffer);
            }
        } finally {
            toLibrary = null;
            queue.close();
        }
    }

    private void onHandshake(FrameQueue queue, OutputStream out) {
        toLibrary = queue;
        start("write", () -> write(queue, out));
    }

    private static void write(FrameQueue queue, OutputStream out) {
        try {
            byte[] next = queue.take();
            while (next != null) {
                out.write(next);
                next = queue.take();
            }
        } catch (IOException ended) {
            queue.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean deliver(byte[] frame) {
        FrameQueue queue = toLibrary;
        return queue != null && queue.offer(frame);
    }

    @Override
    public void close() {
        closed = true;
        closeQuietly(listening);
        closeQuietly(connected);
    }

    private static void closeQuietly(java.io.@Nullable Closeable socket) {
        if (socket == null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            LOG.debug("closing", alreadyGone);
        }
    }
}
