package org.aspas.bftcluster.shield;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.aspas.bftcluster.replica.Door;
import org.jspecify.annotations.Nullable;

/**
 * Stands for a higher-numbered peer, which would dial the library. The connection goes through the replica's door and
 * is made of queues, so there is no port. Thread-safe.
 */
final class Doorway implements LibraryLine {
    private final int peer;
    private final Door door;
    private final byte[] ownGreeting;
    private final ShieldOptions options;
    private final ToPeer toPeer;
    private byte @Nullable [] peerGreeting;
    private @Nullable Connection current;
    private boolean closed;

    Doorway(int peer, Door door, byte[] ownGreeting, ShieldOptions options, ToPeer toPeer) {
        this.peer = peer;
        this.door = door;
        this.ownGreeting = ownGreeting;
        this.options = options;
        this.toPeer = toPeer;
    }

    @Override
    public synchronized void open(byte[] greeting) {
        peerGreeting = greeting;
        connect();
    }

    private synchronized void connect() {
        byte[] greeting = peerGreeting;
        if (closed || greeting == null) {
            return;
        }
        Connection made = new Connection();
        // All that the library waits for is there before it sees the connection.
        made.toLibrary.offer(ByteBuffer.allocate(Integer.BYTES + greeting.length)
                .putInt(peer)
                .put(greeting)
                .array());
        current = door.enter(made) ? made : null;
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

        private final LibraryOutput output =
                new LibraryOutput(ownGreeting, options.maxFrameBytes(), () -> {}, toPeer::frame, toPeer::tooLong);

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
