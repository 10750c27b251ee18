package org.aspas.client.api;

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
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;
import org.aspas.client.ScriptedWorld;

/** One server of a scripted world behind a real WebSocket: enough of RFC 6455 for one peer that we know. */
final class ScriptedWebSocketServer implements AutoCloseable {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final ScriptedWorld world;
    private final ScriptedWorld.Server server;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<OutputStream> sessions = ConcurrentHashMap.newKeySet();

    ScriptedWebSocketServer(ScriptedWorld world, int index) throws IOException {
        this.world = world;
        this.server = world.servers.get(index);
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "scripted-server");
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
            String key = "";
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                if (line.regionMatches(true, 0, "Sec-WebSocket-Key:", 0, 18)) {
                    key = line.substring(18).strip();
                }
            }
            out.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Accept: " + accept(key) + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            send(out, Codec.encode(server.hello()));
            while (true) {
                Frame frame = Codec.decode(message(in)).accepted().orElseThrow();
                answer(out, frame);
            }
        } catch (IOException gone) {
            open.remove(socket);
        }
    }

    private void answer(OutputStream out, Frame frame) throws IOException {
        synchronized (world) {
            boolean session = frame instanceof Frame.Plain
                    || (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof ClientSigned);
            if (session) {
                sessions.add(out);
                for (Message message : server.serve(frame)) {
                    send(out, Codec.encode(message));
                }
            } else {
                for (Signed<? extends Message> reply : server.ask(frame)) {
                    send(out, Codec.encode(reply));
                }
            }
        }
    }

    /** Tells the client of the newest certificate. */
    void confirm() {
        synchronized (world) {
            server.confirmation()
                    .ifPresent(confirmation -> sessions.forEach(out -> {
                        try {
                            send(out, Codec.encode(confirmation));
                        } catch (IOException gone) {
                            sessions.remove(out);
                        }
                    }));
        }
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
        if (in.readUnsignedByte() != 0x82) {
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

    private static void send(OutputStream out, byte[] bytes) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(10 + bytes.length).put((byte) 0x82);
        if (bytes.length < 126) {
            frame.put((byte) bytes.length);
        } else if (bytes.length < 1 << 16) {
            frame.put((byte) 126).putShort((short) bytes.length);
        } else {
            frame.put((byte) 127).putLong(bytes.length);
        }
        frame.put(bytes);
        synchronized (out) {
            out.write(frame.array(), 0, frame.position());
        }
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
