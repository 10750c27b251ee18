package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.aspas.appserver.core.object.StateAssembly;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPull;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Appserver 3 is away for longer than certificates are kept, comes back, and gets a snapshot. */
class SnapshotTest extends LateServer {
    @Test
    void aServerThatWasAwayForLongComesBackWithItsOwnEntries() {
        TestClient writer = writer(0);
        TestClient lonely = writer(LATE);
        certify(writer, 3);
        away();
        lonely.update("n1", "pn-counter", Operation.of("increment", Value.of(1000)));
        certify(writer, 3 * RETAINED);
        withholdEntries();
        back();
        world.run(4000);
        certify(writer, 3);
        assertCaughtUp();
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
        assertThat(count(LATE, "snapshot_chunks_refused")).isZero();
        assertThat(world.cores.get(LATE).status().ready()).isTrue();
        assertThat(lonely.confirmations())
                .flatExtracting(Confirmation::covered)
                .extracting(Confirmation.Covered::number)
                .containsExactly(1L);
        lonely.update("n1", "pn-counter", Operation.of("increment", Value.of(1)));
        certify(writer, 3);
        assertThat(lonely.confirmations())
                .flatExtracting(Confirmation::covered)
                .extracting(Confirmation.Covered::number)
                .contains(2L);
        assertThat(certified(LATE, "n1")).isEqualTo(certified(0, "n1"));
        assertThat(world.alarms).isEmpty();
    }

    @Test
    void aServerThatLostItsStoreGetsItFromASnapshotAndAfterACrashFromItsOwnRecords() {
        TestClient writer = writer(0);
        certify(writer, 3 * RETAINED);
        withholdEntries();
        world.lose(LATE);
        world.run(4000);
        certify(writer, 3);
        assertCaughtUp();
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
        assertThat(world.cores.get(LATE).status().ready()).isTrue();
        long before = number(LATE);
        world.crash(LATE);
        assertThat(number(LATE)).isEqualTo(before);
        certify(writer, 3);
        assertCaughtUp();
        assertThat(certified(LATE, "n1")).isEqualTo(certified(0, "n1"));
        // The server that began with a snapshot gives one to the next.
        certify(writer, RETAINED);
        assertThat(count(LATE, "snapshots_taken")).isPositive();
    }

    /** A client turns to a server that knows it by the snapshot alone: its numbers go on, and its sessions do not come again. */
    @Test
    void whatASnapshotHasOfClientsIsKnown() {
        TestClient client = writer(0);
        client.update("n1", "pn-counter", Operation.of("increment", Value.of(1)));
        client.update("n1", "pn-counter", Operation.of("increment", Value.of(1)));
        certify(writer(0), 3 * RETAINED);
        withholdEntries();
        world.lose(LATE);
        world.run(4000);
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
        client.session = 0;
        client.move(LATE);
        world.run(200);
        assertThat(client.refusals()).extracting(Refusal::reason).containsExactly(Refusal.Reason.NUMBER_REUSED);
        client.open();
        world.run(200);
        client.update("n1", "pn-counter", Operation.of("increment", Value.of(1)));
        world.run(200);
        assertThat(client.refusals()).hasSize(1);
        assertThat(client.answer(3, true)).isPresent();
    }

    private static SnapshotPull question(long number, SnapshotPull.@Nullable Place place) {
        return new SnapshotPull(new CertificateNumber(number), place);
    }

    private <M extends Message> M last(TestClient client, Class<M> type) {
        world.run(20);
        return type.cast(client.received.get(client.received.size() - 1));
    }

    /** Long before there is one for peers; and it stays while certificates come. */
    @Test
    void whoeverAsksGetsASnapshotAtTheNewestCertificatePartByPart() {
        world.certifying = false;
        TestClient writer = writer(0);
        for (int i = 0; i < 4; i++) {
            writer.update("n" + i, "pn-counter", Operation.of("increment", Value.of(1)));
        }
        world.run(300);
        world.certifying = true;
        certify(writer, 1);
        assertThat(count(0, "snapshots_taken")).isZero();
        TestClient operator = world.client(clients++, 0);
        operator.send(Codec.encode(question(0, null)));
        Certificate certificate =
                Objects.requireNonNull(last(operator, SnapshotHead.class).certificate());
        assertThat(certificate).isEqualTo(world.cores.get(0).newestCertificate().orElseThrow());

        certify(writer, 3);
        StateAssembly parts = new StateAssembly(certificate.content().state());
        for (int i = 0; i < 30 && !parts.complete(); i++) {
            List<SnapshotPull.Place> next = new ArrayList<>();
            parts.places(place -> !next.add(place));
            operator.send(Codec.encode(question(certificate.number().value(), next.get(0))));
            assertThat(parts.take(last(operator, SnapshotChunk.class))).isTrue();
        }
        assertThat(parts.state().orElseThrow().objectCount()).isGreaterThan(2);

        // A while later nobody keeps it, and who asks gets a newer one.
        world.run(31_000);
        operator = world.client(clients++, 0);
        operator.send(Codec.encode(question(certificate.number().value(), new SnapshotPull.Place(null, Hash.ZERO))));
        assertThat(last(operator, SnapshotChunk.class).proof()).isNull();
        operator.send(Codec.encode(question(0, null)));
        assertThat(Objects.requireNonNull(last(operator, SnapshotHead.class).certificate())
                        .number())
                .isGreaterThan(certificate.number());
    }

    @Test
    void aSnapshotGoesOnWithOthersWhenAPeerIsGone() {
        TestClient writer = writer(0);
        certify(writer, 2);
        away();
        certify(writer, 3 * RETAINED);
        List<Integer> chunks = new ArrayList<>();
        world.altered = (from, to, message) -> {
            if (message instanceof SnapshotChunk) {
                chunks.add(from);
                // Appserver 0 answers nothing, and appserver 1 answers once.
                return from == 0
                                || (from == 1
                                        && chunks.stream()
                                                        .filter(one -> one == 1)
                                                        .count()
                                                > 1)
                        ? null
                        : message;
            }
            return message;
        };
        back();
        for (int i = 0; i < 100 && !chunks.contains(1); i++) {
            world.run(50);
        }
        world.step(LATE, new Event.NodeGone(NodeId.appserver(1)));
        world.run(8000);
        certify(writer, 3);
        assertCaughtUp();
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
        assertThat(count(LATE, "snapshots_given_up")).isZero();
        assertThat(count(LATE, "snapshot_chunks_taken")).isGreaterThan(3);
        assertThat(chunks).contains(0, 1, 2);
    }
}
