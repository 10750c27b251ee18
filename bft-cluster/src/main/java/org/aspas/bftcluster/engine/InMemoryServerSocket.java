package org.aspas.bftcluster.engine;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The server socket that takes the place of the library's own. It is bound to no port and accepts only connections that
 * this process puts in. The library's own listens on all addresses and reads from whoever connects without any time
 * limit, so that one idle connection keeps the real replicas out. Thread-safe.
 */
public final class InMemoryServerSocket extends ServerSocket {
    private static final long WAIT_MILLIS = 1_000;

    private final BlockingQueue<Socket> waiting = new LinkedBlockingQueue<>(64);
    private volatile boolean shut;

    public InMemoryServerSocket() throws IOException {
        super();
    }

    /** Puts in a connection; false when too many wait. Its bytes must come without delay: the library waits for them. */
    public boolean enter(Socket connection) {
        return !shut && waiting.offer(connection);
    }

    @Override
    public Socket accept() throws IOException {
        if (shut) {
            throw new SocketException("the server socket is closed");
        }
        try {
            Socket next = waiting.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            if (next == null) {
                throw new SocketTimeoutException();
            }
            return next;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new SocketException("interrupted");
        }
    }

    @Override
    public void close() throws IOException {
        shut = true;
        super.close();
    }
}
