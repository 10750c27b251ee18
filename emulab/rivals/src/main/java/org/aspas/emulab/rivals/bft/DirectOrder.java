package org.aspas.emulab.rivals.bft;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Codec;
import org.aspas.client.transport.Transport;

/**
 * One client's way to the contained replicas: a question goes to every replica, and is sent again while it has no answer that
 * enough of them gave. Thread-safe.
 */
final class DirectOrder implements OrderedSession.Order {
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final class Pending {
        final byte[] frame;
        final EqualAnswers answers;
        final CompletableFuture<byte[]> result = new CompletableFuture<>();
        volatile long sentNanos = System.nanoTime();

        Pending(byte[] frame, int enough) {
            this.frame = frame;
            this.answers = new EqualAnswers(enough);
        }
    }

    private final DirectClients clients;
    private final int enough;
    private final List<Transport.Connection> replicas = new ArrayList<>();
    private final Map<AskedCommand, Pending> pending = new ConcurrentHashMap<>();

    /**
     * Connects a client.
     *
     * @param transports the way to each replica, by index
     * @param enough how many equal answers are believed
     */
    DirectOrder(DirectClients clients, List<Transport> transports, int enough) {
        this.clients = clients;
        this.enough = enough;
        for (int replica = 0; replica < transports.size(); replica++) {
            replicas.add(transports.get(replica).connect(new Answers(replica)));
        }
    }

    /** What one replica answers. */
    private final class Answers implements Transport.Listener {
        private final int replica;

        Answers(int replica) {
            this.replica = replica;
        }

        @Override
        public void connected() {
            // The links are there already.
        }

        @Override
        public void received(byte[] frame, Runnable consumed) {
            Codec.decode(frame, Answer.class).accepted().ifPresent(answer -> answered(replica, frame, answer));
            consumed.run();
        }

        @Override
        public void closed(String reason) {
            // What waits is failed by whoever closes the client.
        }
    }

    @Override
    public CompletionStage<byte[]> ask(AskedCommand command, byte[] frame) {
        Pending asked = new Pending(frame, enough);
        pending.put(command, asked);
        clients.expect(command, this);
        replicas.forEach(replica -> replica.send(frame));
        return asked.result;
    }

    /** Sends again what has waited for long. */
    void sendAgain(long nowNanos) {
        pending.values().forEach(asked -> {
            if (nowNanos - asked.sentNanos > AGAIN_NANOS) {
                asked.sentNanos = nowNanos;
                replicas.forEach(replica -> replica.send(asked.frame));
            }
        });
    }

    private void answered(int replica, byte[] frame, Answer answer) {
        AskedCommand command = AskedCommand.of(answer.response().message());
        Pending asked = pending.get(command);
        if (asked == null) {
            return;
        }
        boolean believed;
        synchronized (asked.answers) {
            believed = asked.answers.take(replica, frame);
        }
        if (believed && pending.remove(command, asked)) {
            clients.answered(command);
            asked.result.complete(frame);
        }
    }

    @Override
    public void close() {
        clients.left(this);
        replicas.forEach(Transport.Connection::close);
        pending.keySet().forEach(clients::answered);
        pending.values().forEach(asked -> asked.result.completeExceptionally(new IllegalStateException("closed")));
    }
}
