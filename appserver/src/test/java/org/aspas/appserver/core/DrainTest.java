package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.aspas.appserver.core.state.Event;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Refusal;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** A server that is about to end: what it has answered stays, nothing is entered any more, and peers go on with it. */
class DrainTest {
    private static final int WHO = 1;

    private final Deployment world = new Deployment(5);

    private static void update(TestClient client) {
        client.update("x", "pn-counter", Operation.of("increment", Value.of(1)));
    }

    @Test
    void itSendsItsClientsOnAndEntersNothingMore() {
        TestClient client = world.client(1, WHO);
        TestClient idle = world.client(2, WHO);
        client.open();
        world.run(100);
        update(client);
        world.run(100);
        assertThat(client.answer(1, true)).isPresent();
        assertThat(world.cores.get(WHO).status().gauges()).containsEntry("draining", 0L);
        world.step(WHO, new Event.Drain());
        world.run(50);
        assertThat(client.refusals())
                .extracting(Refusal::reference, Refusal::reason)
                .containsExactly(tuple(0L, Refusal.Reason.DRAINING));
        assertThat(idle.refusals()).as("it has no session to move").isEmpty();
        long size = world.cores.get(WHO).version().get(WHO);
        update(client);
        long read = client.read("x", "pn-counter", false, 0);
        idle.open();
        world.run(100);
        assertThat(client.refusals())
                .filteredOn(refusal -> refusal.reference() != 0)
                .extracting(Refusal::reference, Refusal::read, Refusal::reason)
                .containsExactlyInAnyOrder(
                        tuple(2L, false, Refusal.Reason.DRAINING), tuple(read, true, Refusal.Reason.DRAINING));
        assertThat(idle.refusals()).extracting(Refusal::reason).containsExactly(Refusal.Reason.DRAINING);
        assertThat(world.cores.get(WHO).version().get(WHO)).isEqualTo(size);
        assertThat(world.cores.get(WHO).status().gauges()).containsEntry("draining", 1L);
    }

    @Test
    void itGoesOnWithItsPeersUntilItsEntriesAreCertified() {
        TestClient client = world.client(1, WHO);
        client.open();
        world.run(100);
        update(client);
        world.step(WHO, new Event.Drain());
        world.run(3_000);
        assertThat(client.answer(1, true)).isPresent();
        assertThat(world.cores
                        .get(WHO)
                        .newestCertificate()
                        .orElseThrow()
                        .content()
                        .version()
                        .get(WHO))
                .isEqualTo(world.cores.get(WHO).version().get(WHO));
        assertThat(world.cores.get(WHO).status().gauges()).containsEntry("uncertified_own_entries", 0L);
        client.send(Codec.encode(new GetCertificate(CertificateNumber.NONE)));
        world.run(50);
        assertThat(client.received).hasAtLeastOneElementOfType(CertificateReply.class);
    }
}
