package org.aspas.emulab.baselines.bft;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.shell.NoSignatures;
import org.aspas.emulab.baselines.shell.UncertifiedSession;

/** A client whose every update and read is ordered. Thread-safe. */
final class OrderedSession extends UncertifiedSession {
    /** Reads of all clients of this process have different nonces, for the answer to a read names no client. */
    private static final AtomicLong NONCES = new AtomicLong();

    /** The way to the replicas. */
    interface Order {
        /** Has a frame ordered; done with an answer that b+1 replicas gave. */
        CompletionStage<byte[]> ask(AskedCommand question, byte[] frame);

        void close();
    }

    private final ClientId id;
    private final Order order;
    private final AtomicLong numbers = new AtomicLong();

    OrderedSession(Order order) {
        this.id = freshName();
        this.order = order;
    }

    @Override
    protected CompletionStage<Value> update(String key, DataType type, Operation operation) {
        long number = numbers.incrementAndGet();
        byte[] frame = Codec.encode(NoSignatures.seal(new Request(id, number, key, type.name(), operation)));
        return order.ask(new AskedCommand(id, true, number), frame).thenApply(OrderedSession::result);
    }

    @Override
    protected CompletionStage<Value> read(String key, DataType type) {
        long nonce = NONCES.incrementAndGet();
        byte[] frame = Codec.encode(new Read(nonce, key, type.name(), false, CertificateNumber.NONE));
        return order.ask(new AskedCommand(OrderedStore.NOBODY, false, nonce), frame)
                .thenApply(OrderedSession::result);
    }

    private static Value result(byte[] answer) {
        return Codec.decode(answer, Answer.class)
                .accepted()
                .orElseThrow(() -> new IllegalStateException("b+1 replicas gave what is no answer"))
                .response()
                .message()
                .result();
    }

    @Override
    public CompletionStage<?> close() {
        order.close();
        return CompletableFuture.completedFuture("closed");
    }
}
