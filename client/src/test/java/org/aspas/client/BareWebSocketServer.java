package org.aspas.client;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A bare WebSocket server on loopback: enough of RFC 6455 for clients that we know. One thread for each connection. */
public final class BareWebSocketServer implements AutoCloseable {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int LAST_FRAGMENT = 0x80;
    private static final int CONTINUATION = 0x00;
    private static final int BINARY = 0x02;

    private final ServerSocket listening;
    private final Conversation conversation;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** What the server says. A failure ends the connection. */
    public interface Conversation {
        /** A client is connected. */
        default void opened(Peer peer) throws IOException {
            // The client speaks first.
        }

        /** A client sent a whole message. */
        void received(Peer peer, byte[] message) throws IOException;
    }

    /** One connected client. Thread-safe. */
    public static final class Peer {
        private final OutputStream out;

        private Peer(OutputStream out) {
            this.out = out;
        }

        /** Sends one message. */
        public void send(byte[] message) throws IOException {
            fragment(LAST_FRAGMENT | BINARY, message, 0, message.length);
        }

        /** Sends one message in two fragments, split in the middle. */
        public void sendInTwo(byte[] message) throws IOException {
            int middle = message.length / 2;
            fragment(BINARY, message, 0, middle);
            fragment(LAST_FRAGMENT | CONTINUATION, message, middle, message.length);
        }

        private void fragment(int opcode, byte[] bytes, int from, int to) throws IOException {
            int length = to - from;
            ByteBuffer frame = ByteBuffer.allocate(10 + length).put((byte) opcode);
            if (length < 126) {
                frame.put((byte) length);
            } else if (length < 1 << 16) {
                frame.put((byte) 126).putShort((short) length);
            } else {
                frame.put((byte) 127).putLong(length);
            }
            frame.put(bytes, from, length);
            synchronized (out) {
                out.write(frame.array(), 0, frame.position());
            }
        }
    }

    /** Listens at a free port from now on. */
    public BareWebSocketServer(Conversation conversation) throws IOException {
        this.conversation = conversation;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Where it listens. */
    public int port() {
        return listening.getLocalPort();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "bare-websocket-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                open.add(socket);
                start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The test is over, or the server was stopped.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            shakeHands(in, out);
            Peer peer = new Peer(out);
            conversation.opened(peer);
            while (true) {
                conversation.received(peer, message(in));
            }
        } catch (IOException gone) {
            open.remove(socket);
        }
    }

    private static void shakeHands(DataInputStream in, OutputStream out) throws IOException {
        String key = "";
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.regionMatches(true, 0, "Sec-WebSocket-Key:", 0, 18)) {
                key = line.substring(18).strip();
            }
        }
        out.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: " + accept(key) + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private static String accept(String key) throws IOException {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IOException(impossible);
        }
    }

    private static byte[] message(DataInputStream in) throws IOException {
        if (in.readUnsignedByte() != (LAST_FRAGMENT | BINARY)) {
            throw new IOException("not one whole binary message");
        }
        int length = in.readUnsignedByte() & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = Math.toIntExact(in.readLong());
        }
        byte[] mask = in.readNBytes(4);
        byte[] payload = in.readNBytes(length);
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i % 4];
        }
        return payload;
    }

    /** Stops; connections break. */
    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : List.copyOf(open)) {
            socket.close();
        }
    }
}
