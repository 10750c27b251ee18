package org.aspas.appserver.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

class NeededObjectsTest {
    private static final ConnectionId CONNECTION = new ConnectionId(7);
    private static final NodeId PEER = NodeId.appserver(2);
    private static final Read READ = new Read(1, "views", "pn-counter", false, CertificateNumber.NONE);

    private final Sealer sealer = new Sealer(key(), Hash.ZERO);
    private final ClientId client = new ClientId(sealer.publicKey());

    private static SigningKey key() {
        byte[] bytes = new byte[32];
        new Random(5).nextBytes(bytes);
        return SigningKey.of(bytes);
    }

    private Request request(String key) {
        return new Request(client, 1, key, "pn-counter", Operation.of("increment", Value.of(1)));
    }

    private Frame inspection(Question question) {
        Response response = new Response(
                1,
                1,
                client,
                1,
                Value.of(1),
                null,
                Hash.ZERO,
                VersionVector.zero(4),
                Hash.ZERO,
                CertificateNumber.NONE,
                Hash.ZERO);
        return new Frame.Sealed(sealer.seal(new Inspect(client, 3, sealer.seal(response), question)));
    }

    private static List<String> keys(Frame frame) {
        return NeededObjects.of(new Event.ClientFrame(CONNECTION, frame));
    }

    @Test
    void anUpdateAReadAndAnInspectionNameTheirObject() {
        assertThat(keys(new Frame.Sealed(sealer.seal(request("likes"))))).containsExactly("likes");
        assertThat(keys(new Frame.Plain(READ))).containsExactly("views");
        assertThat(keys(inspection(Question.of(READ)))).containsExactly("views");
        assertThat(keys(inspection(Question.of(sealer.seal(request("likes")))))).containsExactly("likes");
        assertThat(keys(new Frame.Sealed(sealer.seal(new OpenSession(client, 1, 1)))))
                .isEmpty();
    }

    @Test
    void aPeersBatchNeedsTheObjectsOfTheEntriesThatWereLookedAt() {
        List<byte[]> entries = List.of(
                entry(1, request("a")), entry(2, new OpenSession(client, 1, 1)), entry(3, request("b")), new byte[] {1
                });
        Batch batch = new Batch(sealer.seal(new Head(2, 4, Hash.ZERO)), entries);
        assertThat(NeededObjects.of(new Event.NodeBatch(PEER, OpenBatch.closed(batch))))
                .isEmpty();
        OpenBatch open = OpenBatch.openedFrom(batch, 1, (outcome, size) -> {});
        assertThat(NeededObjects.of(new Event.NodeBatch(PEER, open))).containsExactly("b");
        OpenBatch all = OpenBatch.openedFrom(batch, 0, (outcome, size) -> {});
        assertThat(NeededObjects.of(new Event.NodeBatch(PEER, all))).containsExactly("a", "b");
    }

    private byte[] entry(long sequence, ClientSigned body) {
        Signed<ClientSigned> signed = sealer.seal(body);
        return Codec.encode(new Entry(new Dot(2, sequence), VersionVector.zero(4), signed));
    }

    @Test
    void wordsOfAConnectionAndOfAPeerHaveAnOrder() {
        Frame frame = new Frame.Plain(READ);
        assertThat(NeededObjects.source(new Event.ClientFrame(CONNECTION, frame)))
                .isEqualTo(NeededObjects.source(new Event.ClientGone(new ConnectionId(7))))
                .isNotEqualTo(NeededObjects.source(new Event.ClientGone(new ConnectionId(8))))
                .isNotNull();
        assertThat(List.of(
                        new Event.NodeFrame(PEER, frame),
                        new Event.NodeConnected(PEER),
                        new Event.NodeGone(PEER),
                        new Event.NodeBatch(
                                PEER, OpenBatch.closed(new Batch(sealer.seal(new Head(2, 0, Hash.ZERO)), List.of())))))
                .allSatisfy(event -> assertThat(NeededObjects.source(event)).isEqualTo(PEER));
        assertThat(NeededObjects.source(new Event.Tick(1))).isNull();
        assertThat(NeededObjects.of(new Event.Watch(Set.of("x")))).isEmpty();
    }
}
