package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.log.EntryIntake;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** What a server does with batches of an origin that lies, and with batches out of order. */
class BadBatchTest {
    private final Deployment world = new Deployment(1);
    private final Sealer liar = world.sealer(1, 1);
    private final Sealer client = world.sealer(3, 1);
    private final List<Entry> delivered = new ArrayList<>();
    private final Logs logs = new Logs(world.settings.get(0));
    private final EntryIntake intake = new EntryIntake(world.settings.get(0), logs);

    private byte[] entry(long sequence, long... dependencies) {
        Request request = new Request(
                new ClientId(client.publicKey()), sequence, "c", "pn-counter", Operation.of("increment", Value.of(1)));
        return entry(sequence, client.seal((ClientSigned) request), dependencies);
    }

    private static byte[] entry(long sequence, Signed<ClientSigned> body, long... dependencies) {
        return Codec.encode(new Entry(new Dot(1, sequence), VersionVector.of(dependencies), body));
    }

    private Batch batch(Sealer signer, int first, byte[]... all) {
        MerkleLog log = new MerkleLog();
        for (byte[] one : all) {
            log.append(one);
        }
        return new Batch(
                signer.seal(new Head(1, all.length, log.root())), List.of(all).subList(first, all.length));
    }

    private BatchOutcome accept(Batch batch) {
        BatchOutcome outcome = intake.accept(batch);
        delivered.addAll(logs.takeDelivered());
        return outcome;
    }

    @Test
    void rightEntriesAreDeliveredAndOverlapIsSkipped() {
        byte[] one = entry(1, 0, 0, 0, 0);
        byte[] two = entry(2, 0, 1, 0, 0);
        assertThat(accept(batch(liar, 1, one, two))).isEqualTo(BatchOutcome.GAP);
        assertThat(accept(batch(liar, 0, one))).isEqualTo(BatchOutcome.ADDED);
        assertThat(accept(batch(liar, 0, one, two))).isEqualTo(BatchOutcome.ADDED);
        assertThat(accept(batch(liar, 0, one, two))).isEqualTo(BatchOutcome.KNOWN);
        assertThat(delivered).hasSize(2);
        assertThat(logs.version()).isEqualTo(VersionVector.of(0, 2, 0, 0));
    }

    @Test
    void anEntryWaitsForWhatItDependsOn() {
        assertThat(accept(batch(liar, 0, entry(1, 0, 0, 1, 0)))).isEqualTo(BatchOutcome.ADDED);
        assertThat(delivered).isEmpty();
        assertThat(logs.of(1).size()).isEqualTo(1);
    }

    @Test
    void aHeadThatTheOriginDidNotSignIsRefused() {
        assertThat(accept(batch(client, 0, entry(1, 0, 0, 0, 0)))).isEqualTo(BatchOutcome.BAD_HEAD);
        assertThat(logs.of(1).size()).isZero();
    }

    @Test
    void entriesThatDoNotMakeTheRootAreRefused() {
        Batch right = batch(liar, 0, entry(1, 0, 0, 0, 0));
        assertThat(accept(new Batch(right.head(), List.of(entry(1, 0, 0, 0, 1)))))
                .isEqualTo(BatchOutcome.BAD_ROOT);
    }

    @Test
    void twoHistoriesAreAFork() {
        assertThat(accept(batch(liar, 0, entry(1, 0, 0, 0, 0)))).isEqualTo(BatchOutcome.ADDED);
        assertThat(accept(batch(liar, 0, entry(1, 0, 0, 0, 1)))).isEqualTo(BatchOutcome.FORK);
    }

    @Test
    void brokenEntriesAreRefused() {
        Signed<ClientSigned> right = client.seal((ClientSigned)
                new Request(new ClientId(client.publicKey()), 1, "c", "pn-counter", Operation.of("increment")));
        byte[] signature = right.signature().clone();
        signature[0] ^= 1;
        Signed<ClientSigned> forged = new Signed<>(right.message(), right.payload(), signature);
        expectBroken(new byte[] {1, 2, 3});
        expectBroken(entry(1, forged, 0, 0, 0, 0));
        expectBroken(entry(2, 0, 1, 0, 0));
        expectBroken(entry(1, 0, 5, 0, 0));
        expectBroken(entry(1, 0, 0, 0));
        expectBroken(entry(1, 0, 0, 7, 0), entry(2, 0, 1, 6, 0));
        assertThat(delivered).isEmpty();
    }

    @Test
    void anEntryTooLongForEvidenceIsNotTakenThoughItIsWellFormed() {
        Signed<ClientSigned> vast = client.seal((ClientSigned) new Request(
                new ClientId(client.publicKey()),
                1,
                "c",
                "pn-counter",
                Operation.of("increment", Value.of(new byte[CoreLimits.USUAL.maxEntryBytes()]))));
        assertThat(accept(batch(liar, 0, entry(1, vast, 0, 0, 0, 0)))).isEqualTo(BatchOutcome.OVERSIZED);
        assertThat(logs.of(1).size()).isZero();
        assertThat(accept(batch(liar, 0, entry(1, 0, 0, 0, 0)))).isEqualTo(BatchOutcome.ADDED);
    }

    @Test
    void whoeverOpenedABatchIsToldWhatBecameOfIt() {
        List<Object> told = new ArrayList<>();
        for (Batch batch : List.of(
                batch(liar, 0, entry(1, 0, 0, 0, 0), new byte[] {1}),
                batch(liar, 0, entry(1, 0, 0, 0, 0)),
                batch(liar, 1, entry(1, 0, 0, 0, 0), entry(2, 0, 1, 0, 0)))) {
            OpenBatch open = OpenBatch.openedFrom(batch, 0, (outcome, size) -> {});
            for (Effect effect : world.cores.get(0).step(new Event.NodeBatch(NodeId.appserver(1), open))) {
                if (effect instanceof Effect.BatchJudged judged) {
                    assertThat(judged.batch()).isSameAs(open);
                    told.addAll(List.of(judged.outcome(), judged.size()));
                }
            }
        }
        assertThat(told).containsExactly(BatchOutcome.BROKEN_ENTRY, 0L, BatchOutcome.ADDED, 1L, BatchOutcome.ADDED, 2L);
    }

    private void expectBroken(byte[]... entries) {
        assertThat(accept(batch(liar, 0, entries))).isEqualTo(BatchOutcome.BROKEN_ENTRY);
        assertThat(logs.of(1).size()).isZero();
    }
}
