package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Requests with tags beside them: correct homes and clients, and what comes on the way. */
class TaggedEntriesTest {
    private static final int HOME = 1;
    private static final List<Integer> PEERS = List.of(0, 2, 3);

    private final Deployment world = new Deployment(7);
    private final List<Batch> sent = new ArrayList<>();

    private TestClient client() {
        TestClient client = world.client(1, HOME);
        client.openTagged();
        world.run(200);
        return client;
    }

    private static Signed<Request> update(TestClient client) {
        return client.update("x", "pn-counter", Operation.of("increment", Value.of(1)));
    }

    private void update(TestClient client, int times) {
        for (int i = 0; i < times; i++) {
            update(client);
            world.run(50);
        }
        world.run(300);
    }

    private long gauge(int server, String name) {
        return world.cores.get(server).status().gauges().get(name);
    }

    private void assertTaken(long entries) {
        for (int server = 0; server < 4; server++) {
            assertThat(world.cores.get(server).version().get(HOME))
                    .as("server %d", server)
                    .isEqualTo(entries);
            assertThat(world.cores.get(server).status().blacklist()).isEmpty();
        }
    }

    private void alterTags(UnaryOperator<Batch> how) {
        world.altered = (from, to, message) -> message instanceof Batch batch ? how.apply(batch) : message;
    }

    // ---- What it saves ----

    @Test
    void fromTheFifthTagOnOnlyTheHomeVerifies() {
        TestClient client = client();
        update(client, 4);
        assertThat(world.takeVerified(client)).isEqualTo(4 + 4 * 4);
        update(client, 20);
        assertThat(world.takeVerified(client)).isEqualTo(20);
        assertTaken(25);
        for (int peer : PEERS) {
            assertThat(gauge(peer, "tags_right")).isEqualTo(20);
            assertThat(gauge(peer, "tags_unknown")).isEqualTo(4);
            assertThat(gauge(peer, "tags_wrong")).isZero();
        }
        world.run(3_000);
        assertThat(world.cores
                        .get(0)
                        .newestCertificate()
                        .orElseThrow()
                        .content()
                        .version()
                        .get(HOME))
                .isEqualTo(25);
    }

    @Test
    void aServerThatStartsAgainKnowsTheSessionsOfItsStore() {
        TestClient client = client();
        update(client, 6);
        world.crash(0);
        world.run(300);
        world.takeVerified(client);
        update(client, 5);
        assertThat(world.takeVerified(client)).isEqualTo(5 + 4);
        assertTaken(12);
    }

    @Test
    void rightTagsAreDoubtedWhereItIsSaid() {
        TestClient client = client();
        update(client, 6);
        world.takeVerified(client);
        world.doubt = true;
        update(client, 3);
        assertThat(world.takeVerified(client)).isEqualTo(3 * 4);
        assertThat(gauge(0, "tags_right")).isEqualTo(2 + 3);
    }

    // ---- What comes on the way ----

    @Test
    void wrongTagsCostASignatureAndNothingElse() {
        TestClient client = client();
        update(client, 6);
        world.takeVerified(client);
        alterTags(batch -> {
            byte[] wrong = batch.tags().clone();
            for (int at = 0; at < wrong.length; at += TaggedRequest.TAG_BYTES) {
                wrong[at] ^= 1;
            }
            return batch.tagged(wrong);
        });
        update(client, 5);
        assertThat(world.takeVerified(client)).isEqualTo(5 * 4);
        assertThat(gauge(2, "tags_wrong")).isEqualTo(5);
        assertTaken(12);
    }

    @Test
    void withoutTagsSignaturesAreVerified() {
        TestClient client = client();
        update(client, 6);
        world.takeVerified(client);
        alterTags(batch -> new Batch(batch.head(), batch.entries()));
        update(client, 5);
        assertThat(world.takeVerified(client)).isEqualTo(5 * 4);
        assertThat(gauge(2, "tags_wrong") + gauge(2, "tags_unknown")).isEqualTo(4);
        assertTaken(12);
    }

    /** Another descriptor than the client's, say: no reason to refuse it. */
    @Test
    void anotherNumberOfTagsIsAsGoodAsNone() {
        TestClient client = client();
        for (int tags : List.of(1, 3, 5)) {
            Signed<Request> request = sealed(client);
            byte[] each = new byte[tags * TaggedRequest.TAG_BYTES];
            Arrays.fill(each, (byte) 1);
            client.send(Codec.encode(new Frame.Sealed(request, each)));
            world.run(100);
        }
        world.run(300);
        assertThat(client.refusals()).isEmpty();
        assertTaken(4);
        assertThat(gauge(0, "tags_wrong") + gauge(0, "tags_unknown")).isZero();
    }

    private static Signed<Request> sealed(TestClient client) {
        return client.sealer.seal(
                new Request(client.id(), ++client.number, "x", "pn-counter", Operation.of("increment", Value.of(1))));
    }

    /** The home does not look at its own tag: it believes signatures only. */
    @Test
    void theHomeRefusesABadSignatureBesideRightTagsAndNoRightOneBesideWrongTags() {
        TestClient client = client();
        update(client, 6);
        Signed<Request> right = sealed(client);
        byte[] signature = right.signature().clone();
        signature[3] ^= 1;
        client.resend(new Signed<>(right.message(), right.payload(), signature));
        world.run(300);
        assertThat(client.refusals())
                .extracting(Refusal::reference, Refusal::reason)
                .containsExactly(tuple(7L, Refusal.Reason.BAD_SIGNATURE));
        assertTaken(7);
        byte[] wrong = new byte[4 * TaggedRequest.TAG_BYTES];
        Arrays.fill(wrong, (byte) 1);
        client.send(Codec.encode(new Frame.Sealed(right, wrong)));
        world.run(300);
        assertThat(client.refusals()).hasSize(1);
        assertTaken(8);
    }

    // ---- Own tags ----

    private List<Batch> asked(NodeId peer, int origin, long after) {
        sent.clear();
        world.seen = (server, effect) -> {
            if (server == HOME
                    && effect instanceof Effect.ToNode send
                    && send.to().equals(peer)
                    && send.message() instanceof Batch batch
                    && batch.head().message().origin() == origin) {
                sent.add(batch);
            }
        };
        world.step(HOME, new Event.NodeFrame(peer, new Frame.Plain(new Pull(origin, after))));
        world.seen = (server, effect) -> {};
        assertThat(sent).isNotEmpty();
        return sent;
    }

    @Test
    void whoAsksForOwnEntriesGetsItsTagsUntilTheyAreCertified() {
        world.certifying = false;
        TestClient client = client();
        List<Signed<Request>> requests = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            requests.add(update(client));
            world.run(50);
        }
        world.run(300);
        for (int peer : PEERS) {
            byte[] expected = new byte[4 * TaggedRequest.TAG_BYTES];
            for (int i = 0; i < 3; i++) {
                byte[] each = Objects.requireNonNull(client.tags).of(requests.get(i));
                System.arraycopy(each, 16 * peer, expected, 16 * (i + 1), 16);
            }
            byte[] tags = new byte[0];
            for (Batch batch : asked(NodeId.appserver(peer), HOME, 0)) {
                byte[] part = batch.tags().length > 0
                        ? batch.tags()
                        : new byte[16 * batch.entries().size()];
                tags = Arrays.copyOf(tags, tags.length + part.length);
                System.arraycopy(part, 0, tags, tags.length - part.length, part.length);
            }
            assertThat(tags).isEqualTo(expected);
        }
        world.certifying = true;
        world.run(3_000);
        assertThat(world.cores
                        .get(HOME)
                        .newestCertificate()
                        .orElseThrow()
                        .content()
                        .version()
                        .get(HOME))
                .isEqualTo(4);
        assertThat(asked(NodeId.appserver(0), HOME, 0))
                .allSatisfy(batch -> assertThat(batch.tags()).isEmpty());
    }

    /** Tags are for one server: nobody has those of another home's entries for a third. */
    @Test
    void whoAsksForOthersEntriesGetsNoTags() {
        TestClient client = world.client(1, 0);
        client.openTagged();
        world.run(200);
        update(client, 3);
        assertThat(asked(NodeId.appserver(2), 0, 0))
                .allSatisfy(batch -> assertThat(batch.tags()).isEmpty());
    }

    // ---- The door ----

    @Test
    void aServerThatIsAboutToEndRefusesATaggedRequest() {
        TestClient client = client();
        world.step(HOME, new Event.Drain());
        world.run(50);
        update(client);
        world.run(200);
        assertThat(client.refusals())
                .extracting(Refusal::reference, Refusal::reason)
                .containsExactly(tuple(0L, Refusal.Reason.DRAINING), tuple(1L, Refusal.Reason.DRAINING));
        assertTaken(1);
    }

    @Test
    void anAmnesiacServerRefusesATaggedRequest() {
        TestClient before = client();
        update(before, 6);
        world.run(2_000);
        world.lose(HOME);
        world.run(1_000);
        TestClient client = world.client(2, HOME);
        client.tags = before.tags;
        update(client);
        world.run(200);
        assertThat(client.refusals())
                .extracting(Refusal::reference, Refusal::reason)
                .containsExactly(tuple(1L, Refusal.Reason.AMNESIAC));
    }

    @Test
    void withoutASessionATaggedRequestIsRefused() {
        TestClient other = client();
        TestClient client = world.client(3, HOME);
        client.tags = other.tags;
        update(client);
        world.run(200);
        assertThat(client.refusals())
                .extracting(Refusal::reference, Refusal::reason)
                .containsExactly(tuple(1L, Refusal.Reason.NO_SESSION));
    }
}
