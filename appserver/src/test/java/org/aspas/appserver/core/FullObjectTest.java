package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.aspas.appserver.core.object.Candidate;
import org.aspas.appserver.core.object.DeliveredUpdate;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.object.Recomputation;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** An element has an end to its size, which is the same in what is certified, shown and recomputed; a set has none. */
class FullObjectTest {
    private static final int ELEMENT_BYTES = 4096;
    /** So many elements of the largest size are as much as one answer has. */
    private static final int MANY = (int) (4 * ObjectStore.FULL_BYTES / (ELEMENT_BYTES + 32)) + 1;

    /** Concurrent additions at so many origins make an element full. */
    private static final int ORIGINS = (int) (ObjectStore.FULL_BYTES / (ELEMENT_BYTES + 32)) + 2;

    private final Deployment world = new Deployment(5);
    private final Sealer sealer = world.sealer(3, 1);
    private final ObjectStore store = new ObjectStore();
    private final List<Entry> open = new ArrayList<>();
    private VersionVector delivered = VersionVector.zero(ORIGINS + 2);
    private VersionVector certified = VersionVector.zero(ORIGINS + 2);
    private long numbers;
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

    private Signed<ClientSigned> request(Operation operation) {
        return sealer.seal(new Request(new ClientId(sealer.publicKey()), ++numbers, "s", "aw-set", operation));
    }

    /** Enters words at an origin that had observed this much of the others. */
    private void deliver(int origin, VersionVector observed, Signed<ClientSigned> words) {
        long before = delivered.get(origin);
        delivered = delivered.with(origin, before + 1);
        Entry entry = new Entry(new Dot(origin, before + 1), observed.with(origin, before), words);
        store.deliver(new DeliveredUpdate(
                entry, (Request) entry.body().message(), entry.body().identity()));
        open.add(entry);
    }

    /** The shown value is the one that others recompute. */
    private Value shown() {
        Value shown = store.liveValue("s", "aw-set");
        assertThat(Recomputation.ofAll(store, "s", "aw-set", new CertificateNumber(certificates), certified, open)
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

    private static List<Value> items(Value value) {
        return ((Value.Sequence) value).items();
    }

    private void fill() {
        VersionVector nothing = VersionVector.zero(ORIGINS + 2);
        for (int origin = 0; origin < ORIGINS; origin++) {
            deliver(origin, nothing, request(add(1)));
        }
    }

    @Test
    void whatIsAddedToAFullElementHasNoEffectUntilItIsSmaller() {
        VersionVector nothing = VersionVector.zero(ORIGINS + 2);
        fill();
        int filled = open.size();
        VersionVector all = delivered;
        deliver(ORIGINS, nothing, request(add(1)));
        deliver(ORIGINS, nothing, request(add(2)));
        deliver(ORIGINS + 1, all, request(Operation.of("remove", element(1))));
        assertThat(items(shown())).as("it is not certified to be full").containsExactly(element(1), element(2));
        certify(filled);
        assertThat(items(shown()))
                .as("the additions come after the certificate")
                .containsExactly(element(2));
        certify(3);
        assertThat(items(store.certifiedValue("s", "aw-set"))).containsExactly(element(2));
        deliver(ORIGINS, nothing, request(add(1)));
        assertThat(items(shown())).as("there is room again").containsExactly(element(1), element(2));
        certify(1);
    }

    @Test
    void aSetIsNotFullWhateverItHolds() {
        TestClient client = world.client(1, 0);
        client.open();
        for (int i = 1; i <= MANY / 3; i++) {
            client.update("s", "aw-set", add(i));
        }
        world.run(3000);
        assertThat(client.refusals()).isEmpty();
        long read = client.read("s", "aw-set", true, 0);
        world.run(100);
        assertThat(items(client.answer(read, false)
                        .orElseThrow()
                        .response()
                        .message()
                        .result()))
                .hasSize(MANY / 3);
        for (AppServerCore core : world.cores) {
            assertThat(core.status().counters()).doesNotContainKey("certificates_mismatched");
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
        for (int i = 1; i <= MANY; i++) {
            Signed<Request> signed = client.update("s", "aw-set", add(i));
            client.resend(signed);
        }
        world.run(100);
        client.received.clear();
        client.read("s", "aw-set", false, 0);
        assertThat(client.refusals()).extracting(Refusal::reason).containsExactly(Reason.TOO_LARGE);
    }
}
