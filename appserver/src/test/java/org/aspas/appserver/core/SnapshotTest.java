package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.aspas.appserver.core.objects.StateAssembly;
import org.aspas.appserver.core.port.Alarm;
import org.aspas.appserver.core.port.CoreLimits;
import org.aspas.appserver.core.port.Event;
import org.aspas.appserver.core.port.RetentionLimits;
import org.aspas.appserver.core.port.ServerState;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.CertifiedEntries;
import org.aspas.certify.message.Confirmation;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.SnapshotChunk;
import org.aspas.certify.message.SnapshotHead;
import org.aspas.certify.message.SnapshotLeaf;
import org.aspas.certify.message.SnapshotPull;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Appserver 3 is away for longer than certificates are kept, and comes back. */
class SnapshotTest {
    private static final int LATE = 3;
    private static final int RETAINED = 8;

    private final Deployment world = new Deployment(3, client -> true, limits());
    private int clients = 50;

    private static CoreLimits limits() {
        return CoreLimits.USUAL.keeping(RetentionLimits.USUAL.keeping(RETAINED, 1));
    }

    private void away() {
        world.open = (from, to) -> !from.equals(NodeId.appserver(LATE)) && !to.equals(NodeId.appserver(LATE));
        for (int other = 0; other < LATE; other++) {
            world.step(LATE, new Event.NodeGone(NodeId.appserver(other)));
            world.step(other, new Event.NodeGone(NodeId.appserver(LATE)));
        }
    }

    private void back() {
        world.open = (from, to) -> true;
        for (int other = 0; other < LATE; other++) {
            world.step(LATE, new Event.NodeConnected(NodeId.appserver(other)));
            world.step(other, new Event.NodeConnected(NodeId.appserver(LATE)));
        }
    }

    private TestClient writer(int server) {
        TestClient writer = world.client(clients++, server);
        writer.open();
        return writer;
    }

    /** More certificates than are kept, over counters and over a set that is larger than a chunk. */
    private void certify(TestClient writer, int certificates) {
        long until = number(0) + certificates;
        for (int i = 0; number(0) < until && i < 1000; i++) {
            writer.update("n" + i % 7, "pn-counter", Operation.of("increment", Value.of(1)));
            Value element = Value.of(new byte[4096 - 4 + (i % 5)]);
            writer.update("small", "aw-set", Operation.of("add", element));
            byte[] large = new byte[4096];
            large[0] = (byte) i;
            large[1] = (byte) (i >> 8);
            for (int j = 0; j < 8; j++) {
                large[2] = (byte) j;
                writer.update("large", "aw-set", Operation.of("add", Value.of(large)));
            }
            world.run(100);
        }
        assertThat(number(0)).isGreaterThanOrEqualTo(until);
    }

    private long number(int server) {
        return world.cores
                .get(server)
                .newestCertificate()
                .map(one -> one.number().value())
                .orElse(0L);
    }

    private long count(int server, String counter) {
        return world.cores.get(server).status().counters().getOrDefault(counter, 0L);
    }

    private void assertCaughtUp() {
        Certificate newest = world.cores.get(0).newestCertificate().orElseThrow();
        assertThat(number(LATE))
                .as(
                        "alarms %s, counters %s",
                        world.alarms, world.cores.get(LATE).status().counters())
                .isGreaterThanOrEqualTo(newest.number().value() - 1);
        assertThat(world.cores.get(LATE).status().state()).isNotEqualTo(ServerState.DIVERGED);
    }

    /** Nothing but a snapshot brings entries to the late server until it has one. */
    private void withholdEntries() {
        world.altered = (from, to, message) -> to.equals(NodeId.appserver(LATE))
                        && count(LATE, "snapshots_installed") == 0
                        && (message instanceof Batch || message instanceof CertifiedEntries)
                ? null
                : message;
    }

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

    private Value certified(int server, String key) {
        TestClient reader = world.client(clients++, server);
        long nonce = reader.read(key, "pn-counter", true, 0);
        world.run(100);
        return reader.answer(nonce, false)
                .map(Answer::response)
                .orElseThrow()
                .message()
                .result();
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

    /** A liar's chunk shows at once; others are asked, and the liar not again. */
    private void assertNoticed(Lie lie) {
        TestClient writer = writer(0);
        certify(writer, 2);
        away();
        certify(writer, 3 * RETAINED);
        world.altered =
                (from, to, message) -> from == 0 && message instanceof SnapshotChunk chunk ? lie.about(chunk) : message;
        back();
        world.run(5000);
        certify(writer, 3);
        assertCaughtUp();
        assertThat(count(LATE, "snapshot_chunks_refused")).isEqualTo(1);
        assertThat(world.alarms)
                .extracting(Deployment.Raised::alarm)
                .hasSize(1)
                .allMatch(alarm -> alarm instanceof Alarm.ForgedSnapshot forged && forged.server() == 0);
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
        TestClient writer = writer(0);
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
    void allClientsTogetherMayAskForSoMuchOnly() {
        certify(writer(0), 1);
        List<TestClient> asking = List.of(world.client(clients++, 0), world.client(clients++, 0));
        for (int i = 0; i < 20; i++) {
            asking.forEach(client -> client.send(Codec.encode(question(0, null))));
        }
        assertThat(asking)
                .allSatisfy(client -> assertThat(client.refusals())
                        .extracting(Refusal::reason)
                        .contains(Refusal.Reason.TOO_OFTEN));
        world.run(1_100);
        asking.get(0).send(Codec.encode(question(0, null)));
        assertThat(last(asking.get(0), SnapshotHead.class).certificate()).isNotNull();
    }

    private interface Lie {
        SnapshotChunk about(SnapshotChunk chunk);
    }

    private static SnapshotChunk with(SnapshotChunk chunk, List<SnapshotLeaf> leaves) {
        return new SnapshotChunk(chunk.number(), chunk.place(), chunk.proof(), leaves);
    }

    @Test
    void aForgedClientIsNoticed() {
        assertNoticed(chunk -> with(
                chunk,
                chunk.leaves().stream()
                        .map(leaf -> leaf instanceof SnapshotLeaf.OfClient client
                                ? (SnapshotLeaf) new SnapshotLeaf.OfClient(
                                        client.client(),
                                        client.session(),
                                        client.tolerance(),
                                        client.full() + 1,
                                        client.rest(),
                                        client.blocks())
                                : leaf)
                        .toList()));
    }

    @Test
    void aLeafThatIsLeftOutIsNoticed() {
        assertNoticed(chunk -> chunk.leaves().isEmpty()
                ? chunk
                : with(chunk, chunk.leaves().subList(1, chunk.leaves().size())));
    }

    @Test
    void aHeadWithOtherLogsIsRefused() {
        TestClient writer = writer(0);
        certify(writer, 2);
        away();
        certify(writer, 3 * RETAINED);
        world.altered =
                (from, to, message) -> from == 1 && message instanceof SnapshotHead head ? otherEnd(head) : message;
        back();
        world.run(4000);
        certify(writer, 3);
        assertCaughtUp();
        assertThat(count(LATE, "refused_snapshot_head")).isPositive();
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
    }

    private static Message otherEnd(SnapshotHead head) {
        List<SnapshotHead.LogEnd> logs = new ArrayList<>(head.logs());
        if (!logs.isEmpty() && !logs.get(0).peaks().isEmpty()) {
            List<Hash> peaks = new ArrayList<>(logs.get(0).peaks());
            peaks.set(0, Hash.ZERO);
            logs.set(0, new SnapshotHead.LogEnd(peaks, logs.get(0).last()));
        }
        return new SnapshotHead(head.certificate(), logs);
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
