package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.aspas.appserver.core.object.StateAssembly;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.SnapshotPull;
import org.junit.jupiter.api.Test;

/** What liars give a server that was away: snapshots that are forged, of another history, or not needed. */
class SnapshotForgeryTest extends LateServer {
    private static final NodeId LIAR = NodeId.appserver(0);

    private interface Lie {
        SnapshotChunk about(SnapshotChunk chunk);
    }

    /** A liar's chunk shows at once; others are asked, and the liar not again. */
    private void assertNoticed(Lie lie) {
        comesBackLate();
        world.altered =
                (from, to, message) -> from == 0 && message instanceof SnapshotChunk chunk ? lie.about(chunk) : message;
        back();
        world.run(5000);
        certify(writer(0), 3);
        assertCaughtUp();
        assertThat(count(LATE, "snapshot_chunks_refused")).isEqualTo(1);
        assertThat(alarms())
                .hasSize(1)
                .allMatch(alarm -> alarm instanceof Alarm.ForgedSnapshot forged && forged.server() == 0);
    }

    private static SnapshotChunk with(SnapshotChunk chunk, List<SnapshotLeaf> leaves) {
        return new SnapshotChunk(chunk.number(), chunk.place(), chunk.proof(), leaves);
    }

    private static SnapshotChunk another(SnapshotChunk chunk) {
        return with(
                chunk, chunk.leaves().stream().map(SnapshotForgeryTest::another).toList());
    }

    private static SnapshotLeaf another(SnapshotLeaf leaf) {
        return leaf instanceof SnapshotLeaf.OfClient client
                ? new SnapshotLeaf.OfClient(
                        client.client(),
                        client.session(),
                        client.tolerance(),
                        client.full() + 1,
                        client.rest(),
                        client.blocks())
                : leaf;
    }

    @Test
    void aForgedClientIsNoticed() {
        assertNoticed(SnapshotForgeryTest::another);
    }

    @Test
    void aLeafThatIsLeftOutIsNoticed() {
        assertNoticed(chunk -> chunk.leaves().isEmpty()
                ? chunk
                : with(chunk, chunk.leaves().subList(1, chunk.leaves().size())));
    }

    /** It offers itself unasked, and its link breaks and comes back. */
    @Test
    void whoForgedAPartIsAskedForNoMore() {
        comesBackLate();
        List<SnapshotHead> heads = new ArrayList<>();
        List<SnapshotPull> asked = new ArrayList<>();
        boolean[] othersAnswer = {false};
        world.altered = (from, to, message) -> {
            if (from == 0 && message instanceof SnapshotHead head) {
                heads.add(head);
            }
            if (from == LATE && to.equals(LIAR) && message instanceof SnapshotPull pull) {
                asked.add(pull);
            }
            if (message instanceof SnapshotChunk chunk) {
                // The others say nothing until the liar is back, so that all is left to ask for.
                return from == 0 ? another(chunk) : othersAnswer[0] ? message : null;
            }
            return message;
        };
        back();
        for (int i = 0; i < 200 && world.alarms.isEmpty(); i++) {
            world.run(20);
        }
        assertThat(world.alarms).hasSize(1);
        asked.clear();
        world.step(LATE, new Event.NodeFrame(LIAR, new Frame.Plain(heads.get(0))));
        world.step(LATE, new Event.NodeGone(LIAR));
        world.step(LATE, new Event.NodeConnected(LIAR));
        world.step(LATE, new Event.NodeFrame(LIAR, new Frame.Plain(heads.get(0))));
        world.run(3_000);
        othersAnswer[0] = true;
        world.run(8_000);
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
        assertThat(asked).isEmpty();
    }

    @Test
    void oneThatSaysItHasACertificateNoMoreBringsNoSnapshotAbout() {
        TestClient writer = writer(0);
        certify(writer, RETAINED);
        away();
        certify(writer, 3);
        List<CertificateReply> lies = new ArrayList<>();
        world.altered = (from, to, message) -> {
            if (message instanceof CertificateReply reply && to.equals(NodeId.appserver(LATE))) {
                if (from != 0) {
                    return null;
                }
                CertificateReply lie = new CertificateReply(reply.number(), null);
                lies.add(lie);
                return lie;
            }
            return message instanceof SnapshotPull ? unwanted() : message;
        };
        back();
        for (int i = 0; i < 200 && lies.size() < 3; i++) {
            // Whoever told of it last is asked: the liar tells again.
            world.step(LATE, new Event.NodeGone(NodeId.appserver(1 + i % 2)));
            world.run(100);
            world.step(LATE, new Event.NodeConnected(NodeId.appserver(1 + i % 2)));
            world.run(100);
        }
        assertThat(lies).hasSizeGreaterThanOrEqualTo(3);
        world.altered = (from, to, message) -> message instanceof SnapshotPull ? unwanted() : message;
        world.run(3000);
        certify(writer, 2);
        assertCaughtUp();
    }

    private static Message unwanted() {
        throw new AssertionError("a snapshot was asked for");
    }

    /** Who has not told of a certificate may never have had it: that says nothing of what is kept. */
    @Test
    void whoNeverToldOfACertificateBringsNoSnapshotAbout() {
        TestClient writer = writer(0);
        certify(writer, 3);
        world.altered = (from, to, message) -> message instanceof SnapshotPull ? unwanted() : message;
        for (int ahead = 1; ahead < 4; ahead++) {
            for (int peer = 0; peer < LATE; peer++) {
                CertificateReply none = new CertificateReply(new CertificateNumber(number(LATE) + 1), null);
                world.step(LATE, new Event.NodeFrame(NodeId.appserver(peer), new Frame.Plain(none)));
            }
            world.step(LATE, world.tickAfter(0));
            certify(writer, 1);
        }
        assertCaughtUp();
    }

    /** 2b+1 bftservers that were bought sign it: what was certified before goes back. */
    @Test
    void aSnapshotOfAnotherHistoryIsNotInstalled() {
        TestClient writer = writer(0);
        certify(writer, 2);
        TestClient operator = world.client(clients++, 0);
        operator.send(Codec.encode(new SnapshotPull(CertificateNumber.NONE, null)));
        world.run(20);
        SnapshotHead head = (SnapshotHead) operator.received.get(operator.received.size() - 1);
        Certificate early = Objects.requireNonNull(head.certificate());
        Map<SnapshotPull.Place, SnapshotChunk> chunks = new HashMap<>();
        StateAssembly parts = new StateAssembly(early.content().state());
        while (!parts.complete()) {
            List<SnapshotPull.Place> next = new ArrayList<>();
            parts.places(place -> !next.add(place));
            operator.send(Codec.encode(new SnapshotPull(early.number(), next.get(0))));
            world.run(20);
            SnapshotChunk chunk = (SnapshotChunk) operator.received.get(operator.received.size() - 1);
            assertThat(parts.take(chunk)).isTrue();
            chunks.put(chunk.place(), chunk);
        }
        certify(writer, 3);
        world.run(1000);
        assertThat(number(LATE)).isGreaterThan(early.number().value());
        away();
        certify(writer, 3 * RETAINED);
        Certificate forged = signed(content(
                early.content(),
                new CertificateNumber(number(0) + 1000),
                early.content().state()));
        world.altered = (from, to, message) -> {
            if (message instanceof SnapshotHead) {
                return new SnapshotHead(forged, head.logs());
            }
            return message instanceof SnapshotChunk chunk
                    ? renamed(Objects.requireNonNull(chunks.get(chunk.place())), forged.number())
                    : message;
        };
        long before = number(LATE);
        back();
        world.run(3000);
        assertThat(world.cores.get(LATE).status().state()).isEqualTo(ServerState.DIVERGED);
        assertThat(number(LATE)).isEqualTo(before);
        assertThat(count(LATE, "snapshots_installed")).isZero();
        assertThat(alarms()).anyMatch(alarm -> alarm instanceof Alarm.SnapshotOfAnotherHistory);
        // It is told to end, and knows it after that: no sum takes the place of what showed it.
        long sums = count(LATE, "journal_sums");
        world.step(LATE, new Event.Drain());
        world.run(100);
        assertThat(count(LATE, "journal_sums")).isEqualTo(sums);
        world.open = (from, to) -> false;
        world.crash(LATE);
        assertThat(world.cores.get(LATE).status().state()).isEqualTo(ServerState.DIVERGED);
    }

    private static SnapshotChunk renamed(SnapshotChunk chunk, CertificateNumber number) {
        return new SnapshotChunk(number, chunk.place(), chunk.proof(), chunk.leaves());
    }

    private Certificate signed(CertificateContent content) {
        List<Certificate.ReplicaSignature> signatures = new ArrayList<>();
        for (int replica = 0; replica < 3; replica++) {
            signatures.add(new Certificate.ReplicaSignature(
                    replica, world.sealer(2, replica).seal(content).signature()));
        }
        return new Certificate(content, Codec.encode(content), signatures);
    }

    /** An older disk, and peers that tell nothing but the snapshot: it has own entries that are not here. */
    @Test
    void certifiedOwnEntriesThatAreNotHereMakeAServerAmnesiac() {
        TestClient own = writer(LATE);
        certify(writer(0), 2);
        List<byte[]> old = new ArrayList<>(world.stores.get(LATE));
        certify(own, 3);
        world.run(2000);
        away();
        certify(writer(0), 3 * RETAINED);
        world.stores.set(LATE, old);
        world.altered = (from, to, message) -> to.equals(NodeId.appserver(LATE)) && message instanceof Frontier frontier
                ? new Frontier(frontier.version(), List.of(), frontier.certificate())
                : message;
        world.open = (from, to) -> true;
        world.crash(LATE);
        world.run(5000);
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
        assertThat(world.cores.get(LATE).status().state()).isEqualTo(ServerState.AMNESIAC);
        assertThat(alarms()).anyMatch(alarm -> alarm instanceof Alarm.OwnEntriesLost);
        recordsAnewWhatItsSnapshotShows();
    }

    /** A journal that lost the record of it. */
    private void recordsAnewWhatItsSnapshotShows() {
        List<byte[]> records = world.stores.get(LATE);
        assertThat(records.removeIf(record -> record[0] == Records.AMNESIAC)).isTrue();
        world.crash(LATE);
        assertThat(world.cores.get(LATE).status().state()).isEqualTo(ServerState.AMNESIAC);
        for (int starts = 0; starts < 2; starts++) {
            world.run(100);
            List<Byte> kinds = world.stores.get(LATE).stream()
                    .map(record -> record[0])
                    .takeWhile(kind -> kind != Records.SUM)
                    .toList();
            assertThat(kinds).as("recorded once").containsOnlyOnce(Records.AMNESIAC);
            world.crash(LATE);
        }
    }
}
