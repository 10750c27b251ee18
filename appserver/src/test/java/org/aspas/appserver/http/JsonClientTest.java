package org.aspas.appserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.ClientPort;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the client of all JSON users sends, and what it does when its connection ends. */
class JsonClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<ClientOutlet> outlets = new CopyOnWriteArrayList<>();
    private final List<Message> sent = new CopyOnWriteArrayList<>();
    private final JsonClient client = new JsonClient(new Scripted(), SigningKey.of(new byte[32]), Hash.ZERO, 10);

    private final class Scripted implements ClientPort {
        @Override
        public ConnectionId open(ClientOutlet outlet) {
            outlets.add(outlet);
            return new ConnectionId(outlets.size());
        }

        @Override
        public CompletionStage<?> receive(ConnectionId connection, Frame frame) {
            sent.add(frame.message());
            return CompletableFuture.completedFuture("taken");
        }

        @Override
        public void close(ConnectionId connection) {}

        @Override
        public CompletionStage<CoreStatus> status() {
            return new CompletableFuture<>();
        }
    }

    @AfterEach
    void close() {
        client.close();
    }

    private void awaitSent(Class<?>... kinds) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(sent).extracting(Object::getClass).containsExactly(kinds));
    }

    private CompletableFuture<Reply> refusedReader() {
        CompletableFuture<Reply> read = client.read("c", "pn-counter", false, null);
        awaitSent(OpenSession.class, Read.class);
        outlets.get(0).send(new Hello(Hash.ZERO, 0));
        outlets.get(0).send(new Refusal(0, false, Refusal.Reason.UNKNOWN_CLIENT, "not admitted"));
        return read;
    }

    @Test
    void readsHaveASessionToo() {
        assertThat(client.read("c", "pn-counter", false, null)).isNotDone();
        awaitSent(OpenSession.class, Read.class);
    }

    @Test
    void whereTheKeyIsNotAdmittedReadsGoWithoutASession() {
        assertThat(refusedReader()).isNotDone();
        assertThat(client.read("d", "pn-counter", false, null)).isNotDone();
        awaitSent(OpenSession.class, Read.class, Read.class);
    }

    @Test
    void whatWasAskedWhenAnIdleConnectionEndedIsAskedAgain() throws Exception {
        CompletableFuture<Reply> read = refusedReader();
        outlets.get(0).close();
        awaitSent(OpenSession.class, Read.class, Read.class);
        assertThat(outlets).hasSize(2);
        Read again = (Read) sent.get(2);
        outlets.get(1).send(new Refusal(again.nonce(), true, Refusal.Reason.WRONG_TYPE, "another type"));
        assertThat(read.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(Reply.Refused.class);
    }

    /** Else the next session would be given number 2, and the server would say for ever that it lacks number 1. */
    @Test
    void whatWasInFlightWhenTheSessionEndedIsGivenAgainUnderItsNumber() {
        CompletableFuture<Reply> update =
                client.update("c", "pn-counter", Operation.of("increment", Value.of(1)), null);
        awaitSent(OpenSession.class);
        outlets.get(0).send(new Hello(Hash.ZERO, 0));
        outlets.get(0).send(answer(1, 0));
        awaitSent(OpenSession.class, Request.class);
        outlets.get(0).close();
        awaitSent(OpenSession.class, Request.class, OpenSession.class);
        outlets.get(1).send(new Hello(Hash.ZERO, 0));
        outlets.get(1).send(answer(2, 0));
        awaitSent(OpenSession.class, Request.class, OpenSession.class, Request.class);
        assertThat(sent.get(3)).isEqualTo(sent.get(1));
        assertThat(update).isNotDone();
        outlets.get(1).send(answer(3, 1));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(update).isCompletedWithValueMatching(Reply.Answered.class::isInstance));
    }

    /** An answer to a session record, with reference 0, or to an update. */
    private static Answer answer(long sequence, long reference) {
        SigningKey key = SigningKey.of(new byte[32]);
        Response response = new Response(
                0,
                sequence,
                new ClientId(key.publicKey()),
                reference,
                Value.of(1),
                new Dot(0, sequence),
                Hash.ZERO,
                VersionVector.zero(4).with(0, sequence),
                Hash.ZERO,
                CertificateNumber.NONE,
                Hash.ZERO);
        return new Answer(new Sealer(key, Hash.ZERO).seal(response), null, null);
    }

    @Test
    void aServerThatIsGoneFailsWhatWaits() throws Exception {
        CompletableFuture<Reply> read = refusedReader();
        outlets.get(0).close();
        await().atMost(PATIENCE).until(() -> outlets.size() == 2);
        outlets.get(1).close();
        assertThat(read.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.refusal().reason()).isEqualTo(Refusal.Reason.BUSY));
    }
}
