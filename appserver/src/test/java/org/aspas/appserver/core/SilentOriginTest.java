package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** A server writes nothing for longer than certificates are kept: its last entry and its newest head stay with all others. */
class SilentOriginTest extends LateServer {
    private static final int SILENT = 1;

    private final TestClient client = writer(SILENT);

    private void increment() {
        client.update("n1", "pn-counter", Operation.of("increment", Value.of(1)));
        world.run(1_000);
    }

    @Test
    void itGoesOn() {
        increment();
        certify(writer(0), 3 * RETAINED);
        increment();
        certify(writer(0), 2);
        assertThat(client.confirmations())
                .flatExtracting(Confirmation::covered)
                .extracting(Confirmation.Covered::number)
                .contains(2L);
        assertThat(certified(2, "n1")).isEqualTo(certified(SILENT, "n1"));
    }

    @Test
    void whatItForksLaterIsProved() {
        List<Signed<Head>> heads = new ArrayList<>();
        world.altered = (from, to, message) -> {
            if (from == 2 && message instanceof Frontier frontier) {
                heads.clear();
                frontier.heads().stream()
                        .filter(head -> head.message().origin() == SILENT)
                        .forEach(heads::add);
            }
            return message;
        };
        increment();
        long size = heads.get(0).message().size();
        certify(writer(0), 3 * RETAINED);
        Signed<Head> other = world.sealer(1, SILENT).seal(new Head(SILENT, size, Hash.sha256(new byte[] {1})));
        Frontier shown = new Frontier(world.cores.get(2).version(), List.of(other), CertificateNumber.NONE);
        world.step(2, new Event.NodeFrame(NodeId.appserver(0), new Frame.Plain(shown)));
        assertThat(alarms())
                .anyMatch(alarm -> alarm instanceof Alarm.ProvedFaulty proved
                        && proved.accused() == SILENT
                        && proved.kind() == Kind.FORKED_HEADS);
    }
}
