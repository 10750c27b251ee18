package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.aspas.appserver.core.objects.Candidate;
import org.aspas.appserver.core.objects.DeliveredUpdate;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.objects.Recomputation;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Refusal.Reason;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** An object has an end to its size, which is the same in what is certified, shown, recomputed and answered. */
class FullObjectTest {
    private static final int ELEMENT_BYTES = 4096;
    /** An element of the largest size with one addition. */
    private static final int FULL = (int) (ObjectStore.FULL_BYTES / (ELEMENT_BYTES + 32)) + 1;

    private final Deployment world = new Deployment(5);
    private final Sealer sealer = world.sealer(3, 1);
    private final ObjectStore store = new ObjectStore();
    private final List<Entry> open = new ArrayList<>();
    private VersionVector certified = VersionVector.zero(4);
    private long entries;
    private long certificates;

    private static Value element(long number) {
        byte[] bytes = new byte[ELEMENT_BYTES];
        Arrays.fill(bytes, (byte) number);
        bytes[0] = (byte) (number >> 8);
        return Value.of(bytes);
    }

    private static Operation add(long number) {
        return Operation.of("add", element(number));
    }

    private static Operation remove(long number) {
        return Operation.of("remove", element(number));
    }

    private void deliver(Operation operation) {
        entries++;
        ClientSigned request = new Request(new ClientId(sealer.publicKey()), entries, "s", "aw-set", operation);
        Entry entry = new Entry(new Dot(0, entries), VersionVector.of(entries - 1, 0, 0, 0), sealer.seal(request));
        store.deliver(new DeliveredUpdate(
                entry, (Request) entry.body().message(), entry.body().identity()));
        open.add(entry);
    }

    /** The shown value is the one that others recompute. */
    private Value shown() {
        Value shown = store.liveValue("s", "aw-set");
        assertThat(new Recomputation(store, "s", "aw-set", new CertificateNumber(certificates), certified, open)
                        .value())
                .contains(shown);
        return shown;
    }

    private void certify(int count) {
        List<Entry> range = List.copyOf(open.subList(0, count));
        Candidate candidate = store.candidate(certified, range);
        store.commit(candidate);
        open.subList(0, count).clear();
        certified = candidate.version();
        certificates++;
        if (open.isEmpty()) {
            assertThat(store.certifiedValue("s", "aw-set")).isEqualTo(store.liveValue("s", "aw-set"));
        }
    }

    private static int size(Value value) {
        return ((Value.Sequence) value).items().size();
    }

    private boolean shows(long number) {
        return ((Value.Sequence) shown()).items().contains(element(number));
    }

    @Test
    void whatIsAddedToAFullObjectHasNoEffectUntilItIsSmaller() {
        for (int i = 1; i <= FULL; i++) {
            deliver(add(i));
        }
        deliver(add(1000));
        assertThat(size(shown())).isEqualTo(FULL + 1);
        certify(FULL);
        assertThat(size(shown()))
                .as("the last addition comes after the certificate")
                .isEqualTo(FULL);
        deliver(add(1001));
        deliver(remove(1));
        deliver(add(1002));
        assertThat(size(shown())).isEqualTo(FULL - 1);
        assertThat(shows(1002)).isFalse();
        deliver(add(1003));
        certify(3);
        assertThat(shows(1003)).as("there is room after this certificate").isTrue();
        assertThat(shows(1002)).isTrue();
        assertThat(shows(1000)).isFalse();
        certify(2);
        assertThat(shows(1001)).isFalse();
        assertThat(size(store.certifiedValue("s", "aw-set"))).isEqualTo(FULL + 1);
    }

    @Test
    void aFullObjectIsRefusedOnceAndReadSeldom() {
        TestClient client = world.client(1, 0);
        client.open();
        for (int i = 1; i <= FULL; i++) {
            client.update("s", "aw-set", add(i));
        }
        client.update("s", "aw-set", add(1000));
        world.run(100);
        assertThat(client.refusals()).singleElement().satisfies(refusal -> {
            assertThat(refusal.reason()).isEqualTo(Reason.BAD_OPERATION);
            assertThat(refusal.detail()).startsWith("the object is full");
        });
        client.resend(client.requests.lastEntry().getValue());
        world.run(3000);
        TestClient other = world.client(2, 1);
        other.open();
        Signed<Request> late = other.update("s", "aw-set", add(1001));
        other.resend(late);
        world.run(3000);
        assertThat(other.refusals()).hasSize(1);
        assertThat(other.answer(1, true)).isPresent();
        assertThat(other.confirmations()).isNotEmpty();
        assertThat(client.answer(FULL + 1, true)).isPresent();
        long read = other.read("s", "aw-set", true, 0);
        assertThat(size(other.answer(read, false)
                        .orElseThrow()
                        .response()
                        .message()
                        .result()))
                .as("given again before the object was certified to be full")
                .isBetween(FULL, FULL + 1);
        for (AppServerCore core : world.cores) {
            assertThat(core.status().counters()).doesNotContainKey("certificates_mismatched");
            assertThat(core.status().blacklist()).isEmpty();
        }
        TestClient stranger = world.client(3, 2);
        for (int i = 0; i < 5; i++) {
            stranger.read("s", "aw-set", false, 0);
        }
        world.run(100);
        assertThat(stranger.answers()).hasSize(1);
        assertThat(stranger.refusals()).hasSize(4).extracting(Refusal::reason).containsOnly(Reason.TOO_OFTEN);
    }

    @Test
    void anObjectThatIsTooLargeForAMessageIsNotRead() {
        world.certifying = false;
        TestClient client = world.client(1, 0);
        client.open();
        for (int i = 1; i <= 4 * FULL; i++) {
            Signed<Request> signed = client.update("s", "aw-set", add(i));
            client.resend(signed);
        }
        world.run(100);
        client.received.clear();
        client.read("s", "aw-set", false, 0);
        assertThat(client.refusals()).extracting(Refusal::reason).containsExactly(Reason.TOO_LARGE);
    }
}
