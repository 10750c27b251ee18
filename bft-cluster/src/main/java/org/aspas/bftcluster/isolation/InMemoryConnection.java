package org.aspas.bftcluster.isolation;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.aspas.bftcluster.replica.InMemoryServerSocket;
import org.jspecify.annotations.Nullable;

/**
 * Stands for a higher-numbered peer, which would dial the library. It puts a connection that is made of queues into the
 * library's {@link InMemoryServerSocket}, so there is no port. Thread-safe.
 */
final class InMemoryConnection implements LibraryConnection {
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
