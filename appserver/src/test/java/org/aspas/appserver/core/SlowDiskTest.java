package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Refusal;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Whatever clients ask for while the disk stands still, what waits for it is bounded in bytes. */
class SlowDiskTest {
    private static final int ELEMENT_BYTES = 4096;

    @Test
    void readsOfLongValuesAreRefusedAsBusyBeforeTheyFillTheMemory() {
        Deployment world = new Deployment(1);
        TestClient client = world.client(1, 0);
        client.open();
        for (int i = 0; i < 200; i++) {
            byte[] element = new byte[ELEMENT_BYTES];
            element[0] = (byte) i;
            client.update("long", "aw-set", Operation.of("add", Value.of(element)));
        }
        world.run(100);
        // From here on nothing becomes durable, so that no answer may leave.
        client.update("c", "pn-counter", Operation.of("increment", Value.of(1)));
        int before = client.received.size();
        for (int i = 0; i < 400; i++) {
            client.read("long", "aw-set", i % 2 == 0, 0);
        }
        assertThat(client.received).as("nothing leaves before the disk has it").hasSize(before);
        world.run(2_000);
        List<Refusal> busy = client.refusals().stream()
                .filter(refusal -> refusal.reason() == Refusal.Reason.BUSY)
                .toList();
        long answered = client.answers().stream()
                .map(Answer::response)
                .filter(answer -> !answer.message().isUpdate())
                .mapToLong(answer -> answer.payload().length)
                .sum();
        assertThat(busy).hasSizeGreaterThan(200);
        assertThat(answered).isBetween(60L << 20, 66L << 20);
        int refused = busy.size();
        client.read("long", "aw-set", false, 0);
        client.update("c", "pn-counter", Operation.of("increment", Value.of(1)));
        world.run(1_000);
        assertThat(client.refusals().stream().filter(one -> one.reason() == Refusal.Reason.BUSY))
                .as("the disk has caught up")
                .hasSize(refused);
    }
}
