package org.aspas.appserver.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.ClientPort;
import org.aspas.bftcluster.link.ConnectionPlaces;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** What waits for clients that do not read is bounded in bytes, for one and for all. */
class ConversationTest {
    private static final int MOST_OF_AN_ANSWER = 20_000;
    private static final int MOST_OF_A_REQUEST = 1_000;
    private static final int MOST_OF_ONE = 50_000;
    private static final int MOST_OF_ALL = 100_000;
    private static final SigningKey KEY = SigningKey.of(new byte[32]);
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {3});
    private final ConversationCounters counters = new ConversationCounters();
    private final ConnectionPlaces sessionless = new ConnectionPlaces(100);
    private final OutgoingBytes outgoing = new OutgoingBytes(MOST_OF_ONE, MOST_OF_ALL);

    private static final class NoServer implements ClientPort {
        @Override
        public ConnectionId open(ClientOutlet outlet) {
            return new ConnectionId(1);
        }

        @Override
        public CompletionStage<?> receive(ConnectionId connection, Frame frame) {
            return CompletableFuture.completedFuture("taken");
        }

        @Override
        public void close(ConnectionId connection) {}

        @Override
        public CompletionStage<CoreStatus> status() {
            return new CompletableFuture<>();
        }
    }

    /** A conversation and the client's end of it, which takes a message only when it is told to. */
    private final class Line implements Outbound {
        final Conversation conversation = new Conversation(
                new NoServer(),
                new ClientAdmission(new Verifier(DEPLOYMENT), client -> true, MOST_OF_A_REQUEST, true),
                counters,
                MOST_OF_AN_ANSWER,
                outgoing,
                new IncomingBytes(1),
                new Turns(1).open(),
                null);
        private final Queue<byte[]> queue = new ArrayDeque<>();
        boolean cut;

        Line() {
            conversation.begin(this, end -> sessionless.enter(Optional.empty(), end));
        }

        Optional<byte[]> next() {
            Optional<byte[]> next = Optional.ofNullable(queue.poll());
            next.ifPresent(message -> conversation.sent(message.length));
            return next;
        }

        @Override
        public boolean offer(byte[] message) {
            return queue.offer(message);
        }

        @Override
        public void complete() {}

        @Override
        public void fail() {
            cut = true;
            queue.clear();
        }
    }

    private static Answer answer(long nonce, int bytes) {
        return new Answer(
                new Sealer(KEY, DEPLOYMENT)
                        .seal(new Response(
                                0,
                                1,
                                new ClientId(KEY.publicKey()),
                                nonce,
                                Value.of("x".repeat(bytes)),
                                null,
                                Hash.ZERO,
                                VersionVector.zero(4),
                                Hash.ZERO,
                                CertificateNumber.NONE,
                                Hash.ZERO)),
                null,
                null);
    }

    @Test
    void aClientThatDoesNotReadIsCutOffBeforeTooManyBytesWait() {
        Line line = new Line();
        for (int i = 0; i < 900; i++) {
            line.conversation.send(answer(i, 1_000));
            assertThat(outgoing.waiting()).isLessThanOrEqualTo(MOST_OF_ONE);
        }
        assertThat(counters.slowClients.sum()).isEqualTo(1);
        assertThat(line.cut).isTrue();
        assertThat(outgoing.waiting()).isZero();
    }

    @Test
    void theOneForWhomMostWaitsIsCutOffWhenTooMuchWaitsForAll() {
        Line reader = new Line();
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            lines.add(new Line());
        }
        for (int i = 0; i < 400; i++) {
            lines.get(i % 8).conversation.send(answer(i, 1_000));
            reader.conversation.send(answer(i, 1_000));
            assertThat(reader.next()).isPresent();
            assertThat(outgoing.waiting()).isLessThanOrEqualTo(MOST_OF_ALL);
        }
        assertThat(counters.slowClients.sum()).isPositive();
        reader.conversation.send(answer(500, 1_000));
        assertThat(reader.next()).isPresent();
    }

    @Test
    void aValueLargerThanAMessageIsRefused() {
        Line line = new Line();
        line.conversation.send(answer(7, MOST_OF_AN_ANSWER));
        Frame frame = Codec.decode(line.next().orElseThrow()).accepted().orElseThrow();
        assertThat(frame)
                .isEqualTo(new Frame.Plain(
                        new Refusal(7, true, Refusal.Reason.TOO_LARGE, "The value is larger than a message may be.")));
    }
}
