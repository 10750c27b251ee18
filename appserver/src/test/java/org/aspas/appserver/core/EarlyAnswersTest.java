package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Where an operator chose so, answers to updates do not wait for the disk; all else does. */
class EarlyAnswersTest {
    private static final ConnectionId CONNECTION = new ConnectionId(1);

    private final Deployment world = new Deployment(1);
    private final Sealer client = world.sealer(3, 1);
    private final AppServerCore core = new AppServerCore(world.settings.get(0));
    private Ticket last = Ticket.NONE;

    private List<Message> step(Event event) {
        List<Message> sent = new ArrayList<>();
        for (Effect effect : core.step(event)) {
            if (effect instanceof Effect.Persist persist) {
                last = persist.ticket();
            } else if (effect instanceof Effect.ToClient toClient) {
                sent.add(toClient.message());
            } else if (effect instanceof Effect.ToNode toNode) {
                sent.add(toNode.message());
            }
        }
        return sent;
    }

    private List<Message> frame(byte[] bytes) {
        return step(new Event.ClientFrame(CONNECTION, Deployment.decoded(bytes)));
    }

    private ClientId id() {
        return new ClientId(client.publicKey());
    }

    private List<Message> increment(long number) {
        return frame(Codec.encode(
                client.seal(new Request(id(), number, "x", "pn-counter", Operation.of("increment", Value.of(1))))));
    }

    private List<Message> read(long nonce) {
        return frame(Codec.encode(new Read(nonce, "x", "pn-counter", false, CertificateNumber.NONE, null)));
    }

    private void open() {
        step(new Event.NodeConnected(NodeId.appserver(1)));
        step(new Event.ClientOpened(CONNECTION));
        frame(Codec.encode(client.seal(new OpenSession(id(), 1, 1))));
        assertThat(step(new Event.Written(last))).hasSize(1).allMatch(Answer.class::isInstance);
    }

    private static boolean isBatch(Message message) {
        return message instanceof Batch;
    }

    @Test
    void anAnswerToAnUpdateLeavesWhenItIsWrittenAndEntriesWhenTheDiskHasThem() {
        open();
        assertThat(increment(1)).isEmpty();
        assertThat(step(new Event.Written(last))).hasSize(1).allMatch(Answer.class::isInstance);
        List<Message> sent = new ArrayList<>();
        for (long now = 0; now < 5_000; now += 20) {
            sent.addAll(step(new Event.Tick(now)));
        }
        assertThat(sent).as("before the sync").noneMatch(EarlyAnswersTest::isBatch);
        assertThat(step(new Event.Persisted(last))).as("after the sync").anyMatch(EarlyAnswersTest::isBatch);
    }

    @Test
    void anUpdateThatIsAnsweredAgainNeedsNoOtherWord() {
        open();
        increment(1);
        assertThat(step(new Event.Written(last))).hasSize(1);
        assertThat(increment(1)).as("the same again").hasSize(1);
    }

    @Test
    void aReadWaitsForTheDiskAndWhatComesAfterItKeepsItsPlace() {
        open();
        increment(1);
        step(new Event.Written(last));
        assertThat(read(1)).isEmpty();
        increment(2);
        assertThat(step(new Event.Written(last))).isEmpty();
        List<Message> sent = step(new Event.Persisted(last));
        assertThat(sent.stream()
                        .filter(Answer.class::isInstance)
                        .map(answer -> ((Answer) answer).response().message().isUpdate()))
                .containsExactly(false, true);
    }
}
