package org.aspas.appserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.ClientPort;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.message.Hello;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.message.Read;
import org.aspas.certify.message.Refusal;
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
            sent.add(
                    frame instanceof Frame.Sealed sealed ? sealed.signed().message() : ((Frame.Plain) frame).message());
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
        CompletableFuture<Reply> read = client.read("c", "pn-counter", false);
        awaitSent(OpenSession.class, Read.class);
        outlets.get(0).send(new Hello(Hash.ZERO, 0));
        outlets.get(0).send(new Refusal(0, false, Refusal.Reason.UNKNOWN_CLIENT, "not admitted"));
        return read;
    }

    @Test
    void readsHaveASessionToo() {
        assertThat(client.read("c", "pn-counter", false)).isNotDone();
        awaitSent(OpenSession.class, Read.class);
    }

    @Test
    void whereTheKeyIsNotAdmittedReadsGoWithoutASession() {
        assertThat(refusedReader()).isNotDone();
        assertThat(client.read("d", "pn-counter", false)).isNotDone();
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
