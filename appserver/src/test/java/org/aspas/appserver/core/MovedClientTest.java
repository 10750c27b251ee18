package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** A client that has turned to another server need not give it what that holds from the first one. */
class MovedClientTest {
    private static final Operation INCREMENT = Operation.of("increment", Value.of(1));
    private static final int MILLIS = 2_000;

    private final Deployment world = new Deployment(1);
    private final TestClient client = world.client(1, 0);

    private Signed<Request> updateAt0() {
        client.open();
        world.run(100);
        Signed<Request> update = client.update("c", "pn-counter", INCREMENT);
        world.run(MILLIS);
        assertThat(client.answer(1, true)).isPresent();
        return update;
    }

    private void moveAndAsk(Signed<Request> update) {
        client.move(1);
        world.run(100);
        client.received.clear();
        client.ask(new AskStanding(
                client.id(), 1, List.of(new AskStanding.Named(update.message().number(), update.identity()))));
        world.run(100);
    }

    /** The proof of the place at server 0 holds for the leaf that server 0 answered. */
    private static void assertProved(List<Confirmation> confirmations, Signed<Request> update) {
        assertThat(confirmations).isNotEmpty();
        Confirmation first = confirmations.get(0);
        Certificate certificate = first.certificate();
        assertThat(first.covered()).singleElement().satisfies(one -> {
            assertThat(one.number()).isEqualTo(update.message().number());
            assertThat(one.dot().origin()).isZero();
            assertThat(one.proof().treeSize())
                    .isEqualTo(certificate.content().version().get(0));
        });
    }

    @Test
    void whatIsCertifiedAlreadyIsProvedWhenItIsAskedFor() {
        Signed<Request> update = updateAt0();
        assertThat(client.confirmations()).as("it is certified").isNotEmpty();
        moveAndAsk(update);
        assertProved(client.confirmations(), update);
    }

    @Test
    void whatIsCertifiedLaterIsProvedThen() {
        world.certifying = false;
        Signed<Request> update = updateAt0();
        moveAndAsk(update);
        assertThat(client.confirmations()).isEmpty();
        world.certifying = true;
        world.run(MILLIS);
        assertProved(client.confirmations(), update);
    }

    @Test
    void anotherContentUnderTheNumberIsNotProved() {
        updateAt0();
        Signed<Request> other = client.sealer.seal(
                new Request(client.id(), 1, "c", "pn-counter", Operation.of("increment", Value.of(2))));
        moveAndAsk(other);
        assertThat(client.confirmations()).isEmpty();
    }

    @Test
    void aQuestionFromASideConnectionIsProvedInTheSession() {
        Signed<Request> update = updateAt0();
        client.move(1);
        world.run(100);
        client.received.clear();
        TestClient side = new TestClient(world, client.sealer, 1);
        world.attach(side);
        side.ask(new AskStanding(client.id(), 1, List.of(new AskStanding.Named(1, update.identity()))));
        world.run(100);
        assertThat(side.confirmations()).isEmpty();
        assertProved(client.confirmations(), update);
    }

    /** Of two sessions of one key the newest is that of the client which asks. */
    @Test
    void onlyTheNewestSessionIsGivenTheProofs() {
        Signed<Request> update = updateAt0();
        client.move(1);
        world.run(100);
        TestClient newer = new TestClient(world, client.sealer, 1);
        newer.session = client.session;
        world.attach(newer);
        newer.open();
        world.run(100);
        client.received.clear();
        newer.received.clear();
        client.ask(new AskStanding(client.id(), 1, List.of(new AskStanding.Named(1, update.identity()))));
        world.run(100);
        assertThat(client.confirmations()).isEmpty();
        assertProved(newer.confirmations(), update);
    }

    /** It may ask for the same proofs again and again, and each costs the server as much as the first. */
    @Test
    void whoeverAsksForTooManyProofsGetsTheStandingAlone() {
        client.open();
        world.run(100);
        List<AskStanding.Named> all = new ArrayList<>();
        for (int i = 1; i <= 500; i++) {
            Signed<Request> update = client.update("c", "pn-counter", INCREMENT);
            all.add(new AskStanding.Named(i, update.identity()));
        }
        world.run(MILLIS);
        client.move(1);
        world.run(100);
        client.received.clear();
        for (int i = 1; i <= 20; i++) {
            client.ask(new AskStanding(client.id(), i, all));
            world.run(500);
        }
        long standings = client.signed.stream()
                .filter(one -> one.message() instanceof Standing)
                .count();
        long proofs = client.confirmations().stream()
                .mapToLong(one -> one.covered().size())
                .sum();
        assertThat(standings).isEqualTo(20);
        assertThat(proofs).as("4,096 at once, and 512 a second for 10 s").isBetween(8_000L, 9_300L);
    }
}
