package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Response;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Which parts of a set a server answers, and which it refuses. */
class PartOfSetTest {
    private static final Value A = Value.of("a");
    private static final Value B = Value.of("b");
    private static final Value NOTHING = Value.sequence(List.of());

    private final Deployment world = new Deployment(6);
    private final TestClient client = world.client(1, 0);

    private Response answered(String key, String type, boolean certified, ReadPart part) {
        long nonce = client.read(key, type, certified, 0, part);
        world.run(100);
        return client.answer(nonce, false).orElseThrow().response().message();
    }

    private void refused(Reason reason, String key, String type, boolean certified, ReadPart part) {
        client.received.clear();
        client.read(key, type, certified, 0, part);
        world.run(100);
        assertThat(client.refusals()).extracting(Refusal::reason).containsExactly(reason);
    }

    private void add(Value element) {
        client.update("s", "aw-set", Operation.of("add", element));
        world.run(3000);
    }

    private static ReadPart first(CertificateNumber of) {
        return ReadPart.page(Hash.ZERO, of);
    }

    @Test
    void elementsAreReadLiveAndCertifiedAndPagesCertified() {
        client.open();
        add(A);
        client.update("c", "pn-counter", Operation.of("increment", Value.of(1)));
        world.run(3000);
        assertThat(answered("s", "aw-set", true, ReadPart.element(A)).result()).isEqualTo(Value.sequence(List.of(A)));
        assertThat(answered("s", "aw-set", true, ReadPart.element(B)).result()).isEqualTo(NOTHING);
        assertThat(answered("t", "aw-set", true, ReadPart.element(B)).result()).isEqualTo(NOTHING);
        world.certifying = false;
        client.update("s", "aw-set", Operation.of("add", B));
        world.run(100);
        assertThat(answered("s", "aw-set", false, ReadPart.element(B)).result()).isEqualTo(Value.sequence(List.of(B)));
        assertThat(answered("s", "aw-set", true, first(CertificateNumber.NONE)).result())
                .isEqualTo(Value.sequence(List.of(A)));
        refused(Reason.BAD_OPERATION, "s", "aw-set", false, first(CertificateNumber.NONE));
        refused(Reason.BAD_OPERATION, "c", "pn-counter", true, first(CertificateNumber.NONE));
        refused(Reason.BAD_OPERATION, "c", "pn-counter", false, ReadPart.element(A));
    }

    @Test
    void pagesOfARememberedCertificateStayWhatTheyWere() {
        client.open();
        add(A);
        CertificateNumber then =
                answered("s", "aw-set", true, first(CertificateNumber.NONE)).certificate();
        add(B);
        assertThat(answered("s", "aw-set", true, first(CertificateNumber.NONE)).result())
                .isEqualTo(Value.sequence(List.of(A, B)));
        Response again = answered("s", "aw-set", true, first(then));
        assertThat(again.result()).isEqualTo(Value.sequence(List.of(A)));
        assertThat(again.certificate().isAfter(then)).as("it names the newest").isTrue();
        for (int i = 0; i < 33; i++) {
            add(Value.of(i));
        }
        refused(Reason.MOVED_ON, "s", "aw-set", true, first(then));
    }
}
