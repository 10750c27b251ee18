package org.aspas.emulab.rivals.shell;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.client.transport.Transport;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * A client of a server behind the appserver's shells: it sends the frames that a client of ASPAS sends, and signs and checks
 * nothing. What is not answered when its connection ends fails, and is not sent again. Thread-safe.
 */
public final class ShellSession extends UncertifiedSession {
    private final ClientId id;
    /** Complete once the transport has returned it; frames may come before. */
    private final CompletableFuture<Transport.Connection> connection = new CompletableFuture<>();

    private final CompletableFuture<ShellSession> ready = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<Value>> updates = new ConcurrentHashMap<>();
    private final Map<Long, CompletableFuture<Value>> reads = new ConcurrentHashMap<>();
    private final AtomicLong nonces = new AtomicLong();
    private long numbers;
    private volatile String lost = "";

    private ShellSession(Transport transport) {
        this.id = freshName();
        connection.complete(transport.connect(new Inbox()));
    }

    /** Connects; done when the server has answered. */
    static CompletionStage<ShellSession> open(Transport transport) {
        return new ShellSession(transport).ready;
    }

    /** What comes over the connection, one call at a time. */
    private final class Inbox implements Transport.Listener {
        @Override
        public void connected() {
            // The server speaks first.
        }

        @Override
        public void received(byte[] frame, Runnable consumed) {
            Decoded<Frame> decoded = Codec.decode(frame);
            if (decoded instanceof Decoded.Accepted<Frame> accepted && accepted.value() instanceof Frame.Plain plain) {
                take(plain.message());
            } else {
                fail("the server sent what is no message to a client");
            }
            consumed.run();
        }

        @Override
        public void closed(String reason) {
            fail(reason);
        }
    }

    private void take(Message message) {
        if (message instanceof Answer answer) {
            answered(answer.response().message());
        } else if (message instanceof Refusal refusal) {
            CompletableFuture<Value> asked = (refusal.read() ? reads : updates).remove(refusal.reference());
            if (asked != null) {
                asked.completeExceptionally(new IllegalStateException("refused: " + refusal.detail()));
            }
        } else if (message instanceof Hello) {
            send(NoSignatures.seal(new OpenSession(id, 1, OpenSession.UNBOUNDED)));
        }
    }

    private void send(Signed<?> message) {
        send(Codec.encode(message));
    }

    private void send(byte[] frame) {
        connection.thenAccept(made -> made.send(frame));
    }

    private void answered(Response response) {
        if (response.isUpdate() && response.reference() == 0) {
            ready.complete(this);
            return;
        }
        CompletableFuture<Value> asked = (response.isUpdate() ? updates : reads).remove(response.reference());
        if (asked != null) {
            asked.complete(response.result());
        }
    }

    private void fail(String reason) {
        lost = "the connection is gone: " + reason;
        IllegalStateException gone = new IllegalStateException(lost);
        ready.completeExceptionally(gone);
        for (Map<Long, CompletableFuture<Value>> waiting : List.of(updates, reads)) {
            waiting.keySet().forEach(number -> {
                CompletableFuture<Value> asked = waiting.remove(number);
                if (asked != null) {
                    asked.completeExceptionally(gone);
                }
            });
        }
    }

    @Override
    protected CompletionStage<Value> update(String key, DataType type, Operation operation) {
        CompletableFuture<Value> answer = new CompletableFuture<>();
        synchronized (this) {
            long number = ++numbers;
            updates.put(number, answer);
            send(NoSignatures.seal(new Request(id, number, key, type.name(), operation)));
        }
        failIfLost(answer);
        return answer;
    }

    @Override
    protected CompletionStage<Value> read(String key, DataType type) {
        CompletableFuture<Value> answer = new CompletableFuture<>();
        long nonce = nonces.incrementAndGet();
        reads.put(nonce, answer);
        send(Codec.encode(new Read(nonce, key, type.name(), false, CertificateNumber.NONE)));
        failIfLost(answer);
        return answer;
    }

    /** The connection may have ended before the question was noted. */
    private void failIfLost(CompletableFuture<Value> answer) {
        if (!lost.isEmpty()) {
            answer.completeExceptionally(new IllegalStateException(lost));
        }
    }

    @Override
    public CompletionStage<?> close() {
        connection.thenAccept(Transport.Connection::close);
        return CompletableFuture.completedFuture("closed");
    }
}
