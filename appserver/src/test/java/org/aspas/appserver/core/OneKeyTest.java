package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Set;
import java.util.stream.Collectors;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** One key, many programs (docs/adr/0011). */
class OneKeyTest {
    private static final String COUNTER = "pn-counter";

    private final Deployment world = new Deployment(41);

    private TestClient start(long salt, int server) {
        TestClient client = world.client(30, server);
        client.salt = salt;
        client.open();
        return client;
    }

    private static Operation increment(long amount) {
        return Operation.of("increment", Value.of(amount));
    }

    private static Set<RequestName> confirmed(TestClient client) {
        return client.confirmations().stream()
                .flatMap(one -> one.covered().stream().map(covered -> name(one, covered)))
                .collect(Collectors.toSet());
    }

    private static RequestName name(Confirmation confirmation, Confirmation.Covered covered) {
        return new RequestName(confirmation.client(), covered.number());
    }

    private Value certified(TestClient client) {
        long read = client.read("c", COUNTER, true, 0);
        return client.answer(read, false).orElseThrow().response().message().result();
    }

    @Test
    void twoProgramsThatUseEqualNumbersForEqualUpdatesCountTwice() {
        TestClient one = start(1, 0);
        TestClient other = start(2, 1);
        one.update("c", COUNTER, increment(1));
        other.update("c", COUNTER, increment(1));
        world.run(2_000);
        assertThat(confirmed(one)).containsExactly(new RequestName(one.id(), 1));
        assertThat(confirmed(other)).containsExactly(new RequestName(other.id(), 1));
        assertThat(certified(one)).isEqualTo(Value.of(2));
    }

    @Test
    void whatAnEarlierProgramLeftIsGivenAgainCountsOnceAndIsToldToAllWhoGiveIt() {
        TestClient earlier = start(1, 0);
        Signed<Request> left = earlier.update("c", COUNTER, increment(5));
        TestClient copy = start(2, 1);
        TestClient other = start(3, 2);
        world.run(100);
        copy.resend(left);
        other.resend(left);
        copy.update("c", COUNTER, increment(1));
        world.run(2_000);
        RequestName name = RequestName.of(left.message());
        assertThat(confirmed(earlier)).containsExactly(name);
        assertThat(confirmed(copy)).containsExactlyInAnyOrder(name, new RequestName(copy.id(), 1));
        assertThat(confirmed(other)).containsExactly(name);
        assertThat(certified(other)).isEqualTo(Value.of(6));
        TestClient late = start(4, 1);
        late.resend(left);
        world.run(100);
        assertThat(confirmed(late)).as("it is certified for long").containsExactly(name);
    }

    @Test
    void whatIsSignedWithAnotherKeyIsRefused() {
        TestClient client = start(1, 0);
        TestClient stranger = world.client(31, 0);
        stranger.connection = client.connection;
        stranger.update("c", COUNTER, increment(1));
        world.run(100);
        assertThat(client.refusals())
                .extracting(Refusal::client, Refusal::reason)
                .containsExactly(tuple(stranger.id(), Refusal.Reason.NO_SESSION));
    }

    @Test
    void twoContentsUnderOneNumberBurnOneStartAndNotTheKey() {
        TestClient liar = start(1, 0);
        liar.update(1, "c", COUNTER, increment(1));
        liar.update(1, "c", COUNTER, increment(2));
        world.run(1_000);
        liar.update(2, "c", COUNTER, increment(1));
        assertThat(liar.refusals()).extracting(Refusal::reason).contains(Refusal.Reason.EXCLUDED);
        TestClient next = start(2, 0);
        next.update("c", COUNTER, increment(3));
        world.run(1_000);
        assertThat(next.refusals()).isEmpty();
        assertThat(confirmed(next)).containsExactly(new RequestName(next.id(), 1));
    }

    @Test
    void anEncodedClientIsReadBack() {
        ClientId id = new ClientId(world.sealer(3, 30).publicKey(), 1_700_000_000_000_000L, -5);
        assertThat(ClientId.read(id.toBytes())).contains(id);
        byte[] negative = id.toBytes();
        negative[32] = (byte) 0x80;
        assertThat(ClientId.read(negative)).isEmpty();
        assertThat(ClientId.read(new byte[ClientId.LENGTH - 1])).isEmpty();
    }
}
