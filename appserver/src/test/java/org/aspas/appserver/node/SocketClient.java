package org.aspas.appserver.node;

import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** A client on a bare WebSocket that sends what it is told to and keeps what it gets. */
final class SocketClient implements WebSocket.Listener {
    private static final int SECONDS = 10;

    final ClientId id;
    final Sealer sealer;
    final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
    private final WebSocket socket;

    SocketClient(InetSocketAddress server, SigningKey key, Hash deployment) {
        this.id = new ClientId(key.publicKey());
        this.sealer = new Sealer(key, deployment);
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + server.getPort() + "/v1/session"), this)
                .join();
    }

    Request increment(long number, String key) {
        return new Request(id, number, key, "pn-counter", Operation.of("increment", Value.of(1)));
    }

    void send(byte[] bytes) {
        socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
    }

    void sendText(String text) {
        socket.sendText(text, true).join();
    }

    void send(Message message) {
        send(Codec.encode(message));
    }

    void sendSigned(Message message) {
        send(Codec.encode(sealer.seal(message)));
    }

    <M extends Message> M next(Class<M> type) throws InterruptedException {
        Message message = inbox.poll(SECONDS, TimeUnit.SECONDS);
        if (!type.isInstance(message)) {
            throw new AssertionError("expected a " + type.getSimpleName() + " but got " + message);
        }
        return type.cast(message);
    }

    void awaitClosed() {
        closed.orTimeout(SECONDS, TimeUnit.SECONDS).join();
    }

    void abort() {
        socket.abort();
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket webSocket, ByteBuffer data, boolean last) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        partial.writeBytes(bytes);
        if (last) {
            Frame frame = Codec.decode(partial.toByteArray()).accepted().orElseThrow();
            partial.reset();
            inbox.add(
                    frame instanceof Frame.Plain plain
                            ? plain.message()
                            : ((Frame.Sealed) frame).signed().message());
        }
        webSocket.request(1);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
        closed.complete(null);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onError(WebSocket webSocket, Throwable error) {
        closed.complete(null);
    }
}
