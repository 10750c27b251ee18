package org.aspas.client.transport;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** A bare WebSocket server (RFC 6455) that returns each message in two fragments, split in the middle. */
final class EchoServer implements AutoCloseable {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final ServerSocket listening;

    EchoServer() throws IOException {
        listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::accept, "echo-server");
        thread.setDaemon(true);
        thread.start();
    }

    URI uri() {
        return URI.create("ws://127.0.0.1:" + listening.getLocalPort() + "/v1/session");
    }

    private void accept() {
        try {
            while (true) {
                try (Socket socket = listening.accept()) {
                    serve(socket);
                } catch (EOFException gone) {
                    // The next client may come.
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void serve(Socket socket) throws IOException {
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
        while (true) {
            byte[] message = message(in);
            int middle = message.length / 2;
            fragment(out, 0x02, message, 0, middle);
            fragment(out, 0x80, message, middle, message.length);
        }
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private static String accept(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new UncheckedIOException(new IOException(impossible));
        }
    }

    private static byte[] message(DataInputStream in) throws IOException {
        if (in.readUnsignedByte() != 0x82) {
            throw new EOFException("not one whole binary message");
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

    private static void fragment(OutputStream out, int opcode, byte[] bytes, int from, int to) throws IOException {
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
        out.write(frame.array(), 0, frame.position());
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
