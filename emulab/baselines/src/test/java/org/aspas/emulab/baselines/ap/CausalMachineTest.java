package org.aspas.emulab.baselines.ap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.shell.NoSignatures;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.aspas.emulab.testbed.deployment.Deployment.Place;
import org.junit.jupiter.api.Test;

/** Four servers on a network in memory that loses, repeats and reorders frames, and that can be parted. */
class CausalMachineTest {
    private static final int SERVERS = 4;
    private static final ClientId CLIENT = new ClientId(PublicKey.of(new byte[PublicKey.LENGTH]));
    private static final Deployment DEPLOYMENT = Deployment.generate(
            "test",
            new Quorums(1, 1),
            List.of(new Place("localhost", 0, 0)).stream()
                    .flatMap(place -> java.util.Collections.nCopies(8, place).stream())
                    .toList(),
            Set.of(),
            Limits.DEFAULT);

    private record Sent(int from, int to, byte[] frame) {}

    private final long seed = 20261122;
    private final Random random = new Random(seed);
    private final List<CausalMachine> machines = new ArrayList<>();
    private final List<Sent> network = new ArrayList<>();
    private final ArrayDeque<Message> answers = new ArrayDeque<>();
    private final boolean[][] parted = new boolean[SERVERS][SERVERS];
    private boolean lossy;
    private long now;
    private long numbers;

    CausalMachineTest() {
        Descriptor descriptor = DEPLOYMENT.descriptor().verifiedBy(new NoSignatures());
        for (int server = 0; server < SERVERS; server++) {
            NodeId self = NodeId.appserver(server);
            machines.add(new CausalMachine(CoreSettings.of(descriptor, self, DEPLOYMENT.key(self))));
        }
        for (int server = 0; server < SERVERS; server++) {
            for (int other = 0; other < SERVERS; other++) {
                if (other != server) {
                    step(server, new Event.NodeConnected(NodeId.appserver(other)));
                }
            }
        }
    }

    private void step(int server, Event event) {
        for (Effect effect : machines.get(server).step(event)) {
            if (effect instanceof Effect.ToNode sent) {
                network.add(new Sent(server, sent.to().index(), Codec.encode(sent.message())));
            } else if (effect instanceof Effect.ToClient told) {
                answers.add(told.message());
            }
        }
    }

    /** Brings what is under way to where it goes, in any order; some of it not at all and some twice. */
    private void deliver() {
        List<Sent> due = new ArrayList<>(network);
        network.clear();
        java.util.Collections.shuffle(due, random);
        for (Sent sent : due) {
            boolean lost = parted[sent.from()][sent.to()] || (lossy && random.nextInt(10) < 3);
            for (int copies = lost ? 0 : lossy && random.nextInt(10) == 0 ? 2 : 1; copies > 0; copies--) {
                receive(sent);
            }
        }
    }

    private void receive(Sent sent) {
        NodeId from = NodeId.appserver(sent.from());
        Frame frame = Codec.decode(sent.frame()).accepted().orElseThrow();
        Event event = frame instanceof Frame.Plain plain && plain.message() instanceof Batch batch
                ? new Event.NodeBatch(from, OpenBatch.closed(batch))
                : new Event.NodeFrame(from, frame);
        step(sent.to(), event);
    }

    private void pass(int millis) {
        for (long until = now + millis; now < until; now += 20) {
            for (int server = 0; server < SERVERS; server++) {
                step(server, new Event.Tick(now));
            }
            deliver();
        }
    }

    private Value update(int server, String key, String type, Operation operation) {
        answers.clear();
        Request request = new Request(CLIENT, ++numbers, key, type, operation);
        step(server, new Event.ClientFrame(new ConnectionId(1), new Frame.Sealed(NoSignatures.seal(request))));
        return ((Answer) answers.element()).response().message().result();
    }

    private Value read(int server, String key, String type) {
        answers.clear();
        Read read = new Read(++numbers, key, type, false, CertificateNumber.NONE);
        step(server, new Event.ClientFrame(new ConnectionId(1), new Frame.Plain(read)));
        return ((Answer) answers.element()).response().message().result();
    }

    private void increments(int rounds, Map<String, Long> acknowledged) {
        for (int round = 0; round < rounds; round++) {
            String key = "k" + random.nextInt(5);
            update(random.nextInt(SERVERS), key, DataTypes.PN_COUNTER.name(), Operation.of("increment", Value.of(1)));
            acknowledged.merge(key, 1L, Long::sum);
            if (round % 5 == 0) {
                pass(20);
            }
        }
    }

    private void assertAllHave(Map<String, Long> acknowledged) {
        for (int server = 0; server < SERVERS; server++) {
            for (Map.Entry<String, Long> counter : acknowledged.entrySet()) {
                assertThat(read(server, counter.getKey(), DataTypes.PN_COUNTER.name()))
                        .as("server %d, %s, seed %d", server, counter.getKey(), seed)
                        .isEqualTo(Value.of(counter.getValue()));
            }
        }
    }

    @Test
    void allConvergeOnWhatWasAcknowledgedAlthoughFramesAreLostRepeatedAndReordered() {
        lossy = true;
        Map<String, Long> acknowledged = new HashMap<>();
        increments(400, acknowledged);
        lossy = false;
        pass(5_000);
        assertAllHave(acknowledged);
    }

    @Test
    void bothSidesOfAPartitionAnswerAndConvergeAfterIt() {
        Map<String, Long> acknowledged = new HashMap<>();
        increments(50, acknowledged);
        part(true);
        increments(200, acknowledged);
        pass(2_000);
        assertThat(machines.get(0).status().version())
                .isNotEqualTo(machines.get(3).status().version());
        part(false);
        pass(5_000);
        assertAllHave(acknowledged);
    }

    private void part(boolean now) {
        for (int one = 0; one < 2; one++) {
            for (int other = 2; other < SERVERS; other++) {
                parted[one][other] = now;
                parted[other][one] = now;
            }
        }
    }

    @Test
    void anEntryIsNotDeliveredBeforeWhatItDependsOn() {
        String set = DataTypes.AW_SET.name();
        for (int other = 1; other < SERVERS; other++) {
            parted[0][other] = other == 2;
        }
        update(0, "s", set, Operation.of("add", Value.of("cause")));
        pass(100);
        update(1, "s", set, Operation.of("add", Value.of("effect")));
        // What server 1 entered comes to server 2, what it has seen before does not; nobody else helps out.
        parted[1][2] = false;
        parted[3][2] = true;
        pass(200);
        assertThat(read(2, "s", set)).isEqualTo(Value.sequence(List.of()));
        assertThat(read(3, "s", set)).isEqualTo(Value.sequence(List.of(Value.of("cause"), Value.of("effect"))));
        pass(3_000);
        assertThat(read(2, "s", set)).isEqualTo(Value.sequence(List.of(Value.of("cause"), Value.of("effect"))));
    }

    @Test
    void anUpdateThatDoesNotFitTheTypeIsRefused() {
        update(0, "k", DataTypes.PN_COUNTER.name(), Operation.of("increment", Value.of(1)));
        answers.clear();
        Request request = new Request(CLIENT, 9, "k", DataTypes.AW_SET.name(), Operation.of("add", Value.of("x")));
        step(0, new Event.ClientFrame(new ConnectionId(1), new Frame.Sealed(NoSignatures.seal(request))));
        assertThat(answers.element()).isNotInstanceOf(Answer.class);
        assertThat(read(0, "k", DataTypes.PN_COUNTER.name())).isEqualTo(Value.of(1));
    }
}
