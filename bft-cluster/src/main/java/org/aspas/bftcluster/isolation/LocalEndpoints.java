package org.aspas.bftcluster.isolation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.aspas.bftcluster.engine.InMemoryServerSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the local library finds its peers: a server socket that is bound to no port, for the higher-numbered ones, and a
 * loopback port for each lower-numbered one, chosen anew at each start. Thread-safe.
 */
final class LocalEndpoints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalEndpoints.class);

    private final int self;
    private final IsolationOptions options;
    private final byte[] ownHandshake;
    private final InMemoryServerSocket serverSocket;
    private final List<Integer> ports;

    /** Chooses ports; none is bound yet. */
    LocalEndpoints(int self, int replicas, KeyPair own, IsolationOptions options) {
        this.self = self;
        this.options = options;
        this.ownHandshake = Handshake.of(own);
        this.ports = LoopbackPorts.pairs(replicas);
        try {
            this.serverSocket = new InMemoryServerSocket();
        } catch (IOException impossible) {
            throw new UncheckedIOException("a socket that is not bound", impossible);
        }
    }

    /** Where the library accepts the connections of higher-numbered peers. */
    InMemoryServerSocket serverSocket() {
        return serverSocket;
    }

    /** What the library says first on each connection. */
    byte[] ownHandshake() {
        return ownHandshake;
    }

    /** The replicas' addresses as the library is to see them, by index. */
    List<InetSocketAddress> addresses() {
        return ports.stream()
                .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .toList();
    }

    /** The library's connection for a peer, not yet open. */
    LibraryConnection connection(int peer, LibraryOutputHandler handler) {
        return peer > self
                ? new InMemoryConnection(peer, serverSocket, ownHandshake, options, handler)
                : new LoopbackConnection(self, peer, ports.get(peer) + 1, ownHandshake, options, handler);
    }

    @Override
    public void close() {
        try {
            serverSocket.close();
        } catch (IOException impossible) {
            LOG.debug("closing a socket that is not bound", impossible);
        }
    }

    /**
     * Stands for a lower-numbered peer, which the library dials. It listens at a loopback port, chosen anew at each start,
     * and takes one connection at a time. It does not listen before the peer's handshake is known: a refused connection
     * does the library no harm, one that is accepted and not answered would. Thread-safe.
     */
    private static final class LoopbackConnection implements LibraryConnection {
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
                int self,
                int peer,
                int port,
                byte[] ownHandshake,
                IsolationOptions options,
                LibraryOutputHandler handler) {
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

    /**
     * Chooses ports for a replica and its loopback connections. They are unpredictable, below the range from which systems
     * take the ports of outgoing connections, and below 20000, where the ports of nodes begin.
     */
    private static final class LoopbackPorts {
        private static final int FIRST = 10_240;
        private static final int LAST = 19_990;
        private static final int ATTEMPTS = 1_000;

        private LoopbackPorts() {}

        /** So many ports, each followed by another free one. */
        static List<Integer> pairs(int count) {
            SecureRandom random = new SecureRandom();
            List<Integer> found = new ArrayList<>();
            for (int attempt = 0; attempt < ATTEMPTS && found.size() < count; attempt++) {
                int port = FIRST + 2 * random.nextInt((LAST - FIRST) / 2);
                if (!found.contains(port) && isFree(port) && isFree(port + 1)) {
                    found.add(port);
                }
            }
            if (found.size() < count) {
                throw new IllegalStateException("no free ports from " + FIRST + " to " + LAST);
            }
            return List.copyOf(found);
        }

        private static boolean isFree(int port) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(port));
                return true;
            } catch (IOException taken) {
                return false;
            }
        }
    }

    /**
     * Stands for a higher-numbered peer, which would dial the library. It puts a connection that is made of queues into the
     * library's {@link InMemoryServerSocket}, so there is no port. Thread-safe.
     */
    private static final class InMemoryConnection implements LibraryConnection {
        private final int peer;
        private final InMemoryServerSocket serverSocket;
        private final byte[] ownHandshake;
        private final IsolationOptions options;
        private final LibraryOutputHandler handler;
        private byte @Nullable [] peerHandshake;
        private @Nullable Connection current;
        private boolean closed;

        InMemoryConnection(
                int peer,
                InMemoryServerSocket serverSocket,
                byte[] ownHandshake,
                IsolationOptions options,
                LibraryOutputHandler handler) {
            this.peer = peer;
            this.serverSocket = serverSocket;
            this.ownHandshake = ownHandshake;
            this.options = options;
            this.handler = handler;
        }

        @Override
        public synchronized void open(byte[] handshake) {
            peerHandshake = handshake;
            connect();
        }

        private synchronized void connect() {
            byte[] handshake = peerHandshake;
            if (closed || handshake == null) {
                return;
            }
            Connection made = new Connection();
            // All that the library waits for is there before it sees the connection.
            made.toLibrary.offer(ByteBuffer.allocate(Integer.BYTES + handshake.length)
                    .putInt(peer)
                    .put(handshake)
                    .array());
            current = serverSocket.enter(made) ? made : null;
        }

        @Override
        public synchronized boolean deliver(byte[] frame) {
            return current != null && current.toLibrary.offer(frame);
        }

        @Override
        public synchronized void close() {
            closed = true;
            if (current != null) {
                current.toLibrary.close();
            }
        }

        /** The library closes a connection when it stops, and on errors of its own; then it waits for a new one. */
        private synchronized void onClosed(Connection which) {
            if (which == current) {
                current = null;
                connect();
            }
        }

        /** A socket without a network. */
        private final class Connection extends Socket {
            private final FrameQueue toLibrary = new FrameQueue(options.maxQueuedBytes());
            /** One for all: the library asks for the stream more than once. */
            private final FrameInput input = new FrameInput(toLibrary);

            private final LibraryFrameDecoder output =
                    new LibraryFrameDecoder(ownHandshake, options.maxFrameBytes(), () -> {}, handler);

            @Override
            public boolean isConnected() {
                return true;
            }

            @Override
            public void setTcpNoDelay(boolean on) {
                // There is no TCP.
            }

            @Override
            public InputStream getInputStream() {
                return input;
            }

            @Override
            public OutputStream getOutputStream() {
                return new OutputStream() {
                    @Override
                    public void write(int octet) throws IOException {
                        write(new byte[] {(byte) octet}, 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int offset, int length) throws IOException {
                        if (toLibrary.isClosed() || !output.feed(bytes, offset, length)) {
                            toLibrary.close();
                            throw new IOException("the connection for replica " + peer + " is closed");
                        }
                    }
                };
            }

            @Override
            public void close() {
                toLibrary.close();
                onClosed(this);
            }
        }

        /** Reads whole frames one after the other; ends only between two. Used by one thread. */
        private static final class FrameInput extends InputStream {
            private final FrameQueue queue;
            private byte[] frame = new byte[0];
            private int at;

            FrameInput(FrameQueue queue) {
                this.queue = queue;
            }

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                if (length == 0) {
                    return 0;
                }
                while (at == frame.length) {
                    byte[] next = take();
                    if (next == null) {
                        return -1;
                    }
                    frame = next;
                    at = 0;
                }
                int part = Math.min(length, frame.length - at);
                System.arraycopy(frame, at, bytes, offset, part);
                at += part;
                return part;
            }

            private byte @Nullable [] take() throws IOException {
                try {
                    return queue.take();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", interrupted);
                }
            }
        }
    }

    /** Whole frames on their way to the local library, bounded in bytes. Thread-safe. */
    private static final class FrameQueue {
        private final long maxBytes;
        private final Deque<byte[]> frames = new ArrayDeque<>();
        private long bytes;
        private boolean closed;

        FrameQueue(long maxBytes) {
            this.maxBytes = maxBytes;
        }

        /** Takes a frame; false when it is closed or has no room. */
        synchronized boolean offer(byte[] frame) {
            if (closed || bytes + frame.length > maxBytes) {
                return false;
            }
            frames.add(frame);
            bytes += frame.length;
            notifyAll();
            return true;
        }

        /** Waits for a frame; null when it is closed. */
        synchronized byte @Nullable [] take() throws InterruptedException {
            while (frames.isEmpty() && !closed) {
                wait();
            }
            if (closed) {
                return null;
            }
            byte[] next = frames.remove();
            bytes -= next.length;
            return next;
        }

        synchronized void close() {
            closed = true;
            frames.clear();
            bytes = 0;
            notifyAll();
        }

        synchronized boolean isClosed() {
            return closed;
        }
    }

    /**
     * Cuts what the local library writes on one connection into frames: first the handshake, which must be the expected one to
     * the byte, then frames. A frame that is too long is left out. Not thread-safe.
     */
    private static final class LibraryFrameDecoder {
        private static final int LENGTH_BYTES = 4;
        private static final int CODE_BYTES = 16;

        private final byte[] handshake;
        private final int maxFrameBytes;
        private final Runnable introduced;
        private final LibraryOutputHandler handler;
        private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
        private int handshakeSeen;
        /** The length of the frame being read; 0 while its length field is incomplete. */
        private long frameBytes;

        private long seen;

        /**
         * Cuts what begins with a handshake.
         *
         * @param introduced told of the handshake's end
         * @param handler told of what follows
         */
        LibraryFrameDecoder(byte[] handshake, int maxFrameBytes, Runnable introduced, LibraryOutputHandler handler) {
            this.handshake = handshake.clone();
            this.maxFrameBytes = maxFrameBytes;
            this.introduced = introduced;
            this.handler = handler;
        }

        /** Takes bytes; false when they are not what this library says, and the connection must end. */
        boolean feed(byte[] bytes, int offset, int length) {
            int at = offset;
            int end = offset + length;
            if (handshakeSeen < handshake.length) {
                int part = Math.min(handshake.length - handshakeSeen, length);
                if (!Arrays.equals(handshake, handshakeSeen, handshakeSeen + part, bytes, offset, offset + part)) {
                    return false;
                }
                handshakeSeen += part;
                at += part;
                if (handshakeSeen == handshake.length) {
                    introduced.run();
                }
            }
            while (at < end) {
                int taken = frameBytes == 0 ? length(bytes, at, end) : body(bytes, at, end);
                if (taken < 0) {
                    return false;
                }
                at += taken;
            }
            return true;
        }

        boolean isIntroduced() {
            return handshakeSeen == handshake.length;
        }

        private int length(byte[] bytes, int at, int end) {
            int part = Math.min(LENGTH_BYTES - pending.size(), end - at);
            pending.write(bytes, at, part);
            if (pending.size() == LENGTH_BYTES) {
                int length = java.nio.ByteBuffer.wrap(pending.toByteArray()).getInt();
                if (length < 0) {
                    return -1;
                }
                seen = LENGTH_BYTES;
                // A frame always has its code: the library is set up to send one with every message.
                frameBytes = (long) LENGTH_BYTES + length + 1 + CODE_BYTES;
            }
            return part;
        }

        private int body(byte[] bytes, int at, int end) {
            int part = (int) Math.min(frameBytes - seen, end - at);
            boolean keep = frameBytes <= maxFrameBytes;
            if (keep) {
                pending.write(bytes, at, part);
            }
            seen += part;
            if (seen == frameBytes) {
                if (keep) {
                    handler.onFrame(pending.toByteArray());
                } else {
                    handler.onTooLong(frameBytes);
                }
                pending.reset();
                frameBytes = 0;
            }
            return part;
        }
    }
}
