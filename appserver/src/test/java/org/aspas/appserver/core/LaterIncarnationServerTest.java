package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.aspas.appserver.core.log.EntryIntake;
import org.aspas.appserver.core.log.LogEdge;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.log.OwnRecords;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Appserver 3 names incarnation 1, which nobody opened. It stops only itself, and nobody calls it guilty. */
class LaterIncarnationServerTest {
    private static final long LATER = SequenceNumbers.PER_INCARNATION + 1;
    private static final VersionVector NOTHING = VersionVector.zero(4);

    private final Deployment world = new Deployment(17);
    private final Sealer liar = world.sealer(1, ForgedLog.LIAR);
    private final Sealer client = world.sealer(3, 90);

    private byte[] entry(Dot dot, VersionVector dependencies) {
        Signed<ClientSigned> body = client.seal(new OpenSession(new ClientId(client.publicKey()), 1, 1));
        return Codec.encode(new Entry(dot, dependencies, body));
    }

    private long counted(int server, String name) {
        return world.cores.get(server).status().counters().getOrDefault(name, 0L);
    }

    private void fromLiar(int server, Message message) {
        world.step(server, new Event.NodeFrame(NodeId.appserver(3), new Frame.Plain(message)));
    }

    private List<byte[]> namedInEntries() {
        return List.of(
                entry(new Dot(3, LATER), NOTHING.with(3, LATER - 1)),
                entry(new Dot(3, LATER), NOTHING),
                entry(new Dot(3, 1), NOTHING.with(3, LATER - 1)));
    }

    private void writeAtTheOthers() {
        List<TestClient> clients = new ArrayList<>();
        for (int server = 0; server < 3; server++) {
            TestClient writer = world.client(20 + server, server);
            writer.open();
            writer.update("k", "pn-counter", Operation.of("increment", Value.of(1)));
            clients.add(writer);
        }
        world.run(5_000);
        for (TestClient writer : clients) {
            assertThat(writer.confirmations()).isNotEmpty();
        }
    }

    private void assertNobodyIsBlamed() {
        assertThat(world.alarms).isEmpty();
        for (int server = 0; server < 3; server++) {
            assertThat(world.cores.get(server).status().blacklist()).isEmpty();
            assertThat(counted(server, "verdicts_submitted")).isZero();
            assertThat(counted(server, "evidence_taken")).isZero();
            assertThat(counted(server, "suspicions")).isZero();
            assertThat(world.cores
                            .get(server)
                            .newestCertificate()
                            .orElseThrow()
                            .content()
                            .version()
                            .get(3))
                    .isZero();
            assertThat(world.cores
                            .get(server)
                            .newestCertificate()
                            .orElseThrow()
                            .content()
                            .exclusions())
                    .isEmpty();
        }
    }

    @Test
    void itsEntriesAreHeldBackAndTheOthersGoOn() {
        world.open = (from, to) -> !from.equals(NodeId.appserver(3)) && !to.equals(NodeId.appserver(3));
        List<byte[]> named = namedInEntries();
        for (int server = 0; server < 3; server++) {
            ForgedLog log = new ForgedLog(world);
            log.raw(named.get(server));
            log.sendTo(server);
            log.sendTo(server);
            assertThat(counted(server, "batch_later_incarnation")).isEqualTo(2);
        }
        writeAtTheOthers();
        assertNobodyIsBlamed();
    }

    @Test
    void itsHeadsAndReportsAreHeldBackAndTheOthersGoOn() {
        world.open = (from, to) -> !from.equals(NodeId.appserver(3)) && !to.equals(NodeId.appserver(3));
        byte[] bytes = namedInEntries().get(0);
        Hash left = Hash.sha256(new byte[] {1});
        for (int server = 0; server < 3; server++) {
            Hash root = MerkleTree.nodeHash(left, Hash.sha256(new byte[] {(byte) server}));
            Signed<Head> head = liar.seal(new Head(3, LATER, root));
            fromLiar(server, new Batch(head, List.of(bytes)));
            assertThat(counted(server, "batch_later_incarnation")).isEqualTo(1);
            fromLiar(server, new Frontier(NOTHING.with(3, LATER), List.of(head), CertificateNumber.NONE));
            world.order(Codec.encode(liar.seal(new VertObft(3, NOTHING.with(3, LATER), List.of(head)))));
        }
        writeAtTheOthers();
        assertNobodyIsBlamed();
    }

    /** Two signed heads of one size with two roots, of a size in incarnation 1. */
    @Test
    void aComplaintThatNamesItIsNotConfirmedNotKeptAndNotHandedOn() {
        world.run(100);
        Evidence evidence = new ForkedHeads(
                liar.seal(new Head(3, LATER, Hash.ZERO)), liar.seal(new Head(3, LATER, Hash.sha256(new byte[0]))));
        TestClient complainer = world.client(30, 0);
        complainer.ask(new Complain(complainer.id(), 1, evidence));
        world.run(5_000);
        assertThat(complainer.newest(Blacklist.class).orElseThrow().message().finding())
                .isEqualTo(Blacklist.Finding.UNCONFIRMED);
        assertThat(counted(0, "evidence_of_later_incarnation")).isEqualTo(1);
        for (int server = 0; server < 4; server++) {
            assertThat(counted(server, "evidence_taken")).isZero();
            assertThat(world.cores.get(server).status().blacklist()).isEmpty();
        }
        assertThat(world.alarms).extracting(Deployment.Raised::alarm).noneMatch(Alarm.ProvedFaulty.class::isInstance);
    }

    /** The entry of another origin in incarnation 1 may come one day: until then what depends on it waits. */
    @Test
    void whatDependsOnALaterIncarnationOfAnotherServerWaits() {
        Logs logs = new Logs(world.settings.get(0));
        EntryIntake intake = new EntryIntake(world.settings.get(0), logs);
        ForgedLog log = new ForgedLog(world);
        log.session(NOTHING.with(1, LATER));
        assertThat(intake.accept(new Batch(log.head(1), log.entries))).isEqualTo(BatchOutcome.ADDED);
        assertThat(logs.takeDelivered()).isEmpty();
        assertThat(logs.of(3).size()).isEqualTo(1);
    }

    /** A log of 2^40 - 1 entries, as its peaks tell it. */
    @Test
    void anOwnLogWithTheLastNumberTakesNothingMore() {
        for (long size : new long[] {SequenceNumbers.LAST_NUMBER - 1, SequenceNumbers.LAST_NUMBER}) {
            Logs logs = new Logs(world.settings.get(0));
            Request request =
                    new Request(new ClientId(client.publicKey()), 1, "c", "pn-counter", Operation.of("increment"));
            Signed<ClientSigned> body = client.seal((ClientSigned) request);
            Entry last = new Entry(new Dot(0, size), NOTHING.with(0, size - 1), body);
            List<Hash> peaks = Collections.nCopies(Long.bitCount(size), Hash.ZERO);
            new OwnRecords(logs)
                    .restart(new LogEdge(
                            size,
                            peaks,
                            new BrokenEntry.Included(Codec.encode(last), new InclusionProof(size - 1, size, List.of())),
                            last));
            assertThat(logs.own().size()).isEqualTo(size);
            assertThat(logs.full()).isEqualTo(size == SequenceNumbers.LAST_NUMBER);
        }
    }
}
