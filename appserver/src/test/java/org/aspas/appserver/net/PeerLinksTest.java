package org.aspas.appserver.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.aspas.appserver.core.state.Event;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.TlsIdentity;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.tag.SessionTags;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A peer whose frames the core does not finish waits, alone, and forged ones do not reach the core. */
class PeerLinksTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final NodeId SLOW = NodeId.appserver(1);
    private static final int FRAMES = 700;
    private static final List<NodeId> OTHERS = List.of(
            NodeId.appserver(2), NodeId.appserver(3), NodeId.bftserver(0), NodeId.bftserver(1), NodeId.bftserver(2));

    private final Descriptor descriptor = BatchOpenerTest.descriptor();
    private final Queue<Event.NodeFrame> arrived = new ConcurrentLinkedQueue<>();
    private final Queue<CompletableFuture<?>> unfinished = new ConcurrentLinkedQueue<>();
    private final List<NodeLinks> peers = new ArrayList<>();
    private final PeerLinks links = new PeerLinks(
            descriptor,
            NodeId.appserver(0),
            BatchOpenerTest.key(1),
            ANY,
            this::happened,
            null,
            SessionTags.none(descriptor.id(), 0));

    private CompletionStage<?> happened(Event event) {
        CompletableFuture<?> done = new CompletableFuture<>();
        if (event instanceof Event.NodeFrame frame) {
            arrived.add(frame);
            if (frame.from().equals(SLOW)) {
                unfinished.add(done);
                return done;
            }
        }
        done.complete(null);
        return done;
    }

    @AfterEach
    void close() {
        peers.forEach(NodeLinks::close);
        links.close();
    }

    private NodeLinks peer(NodeId id, InetSocketAddress address) {
        int seed = (id.role() == Role.APPSERVER ? 1 : 11) + id.index();
        NodeLinks peer = new NodeLinks(
                id,
                TlsIdentity.of(BatchOpenerTest.key(seed).seed()),
                descriptor.nodes().stream().collect(Collectors.toMap(NodeDescription::id, NodeDescription::key)),
                ANY,
                LinkLimits.defaults(),
                new LinkListener() {
                    @Override
                    public void onConnected(NodeId node) {
                        // Awaited below.
                    }

                    @Override
                    public void onDisconnected(NodeId node) {
                        // It dials again.
                    }

                    @Override
                    public void onFrame(NodeId node, byte[] frame) {
                        // Nothing is sent to it.
                    }
                });
        peers.add(peer);
        peer.connect(NodeId.appserver(0), address);
        await().atMost(PATIENCE).until(() -> peer.isConnected(NodeId.appserver(0)));
        return peer;
    }

    private List<Long> from(NodeId peer) {
        return arrived.stream()
                .filter(frame -> frame.from().equals(peer))
                .map(frame -> ((Pull) ((Frame.Plain) frame.frame()).message()).after())
                .toList();
    }

    @Test
    void aPeerWhoseFramesWaitHoldsNobodyElseBack() throws Exception {
        InetSocketAddress address = links.start();
        // Connected first, so that some of them share the slow one's I/O thread.
        Map<NodeId, NodeLinks> others = new LinkedHashMap<>();
        for (NodeId other : OTHERS) {
            others.put(other, peer(other, address));
        }
        NodeLinks slow = peer(SLOW, address);
        for (int i = 0; i < FRAMES; i++) {
            assertThat(slow.send(NodeId.appserver(0), Codec.encode(new Pull(0, i))))
                    .isTrue();
        }
        await().atMost(PATIENCE).until(() -> from(SLOW).size() == PeerInbox.MOST);
        for (NodeLinks other : others.values()) {
            assertThat(other.send(NodeId.appserver(0), Codec.encode(new Pull(0, 0))))
                    .isTrue();
        }
        await().atMost(PATIENCE)
                .until(() -> OTHERS.stream().allMatch(other -> from(other).size() == 1));
        assertThat(from(SLOW)).hasSize(PeerInbox.MOST);
        await().atMost(PATIENCE).until(() -> {
            for (CompletableFuture<?> done = unfinished.poll(); done != null; done = unfinished.poll()) {
                done.complete(null);
            }
            return from(SLOW).size() == FRAMES;
        });
        assertThat(from(SLOW)).isSorted().doesNotHaveDuplicates();
    }

    private void refuses(NodeId from, NodeLinks peer, byte[] frame) {
        long before = links.forgedFrames();
        assertThat(peer.send(NodeId.appserver(0), frame)).isTrue();
        await().atMost(PATIENCE).until(() -> links.forgedFrames() == before + 1);
        assertThat(frames(from)).isEmpty();
    }

    private List<Frame> frames(NodeId from) {
        return arrived.stream()
                .filter(frame -> frame.from().equals(from))
                .map(Event.NodeFrame::frame)
                .toList();
    }

    private Frame taken(NodeId from, NodeLinks peer, byte[] frame) {
        int before = frames(from).size();
        assertThat(peer.send(NodeId.appserver(0), frame)).isTrue();
        await().atMost(PATIENCE).until(() -> frames(from).size() == before + 1);
        return frames(from).get(before);
    }

    private Sealer sealer(int seed) {
        return new Sealer(BatchOpenerTest.key(seed), descriptor.id());
    }

    private static Frontier frontier(Signed<Head> head) {
        return new Frontier(VersionVector.zero(4), List.of(head), CertificateNumber.NONE);
    }

    private Signed<CertificateContent> content(int seed) {
        return sealer(seed)
                .seal(new CertificateContent(
                        descriptor.id(),
                        CertificateNumber.FIRST,
                        Hash.ZERO,
                        VersionVector.zero(4),
                        List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO),
                        Hash.ZERO,
                        List.of()));
    }

    @Test
    void whatIsSignedWronglyNeverReachesTheCore() throws Exception {
        InetSocketAddress address = links.start();
        NodeId from = NodeId.appserver(2);
        NodeLinks peer = peer(from, address);
        Head head = new Head(3, 7, Hash.ZERO);
        refuses(from, peer, Codec.encode(frontier(sealer(3).seal(head))));
        refuses(from, peer, Codec.encode(frontier(sealer(3).seal(new Head(9, 7, Hash.ZERO)))));
        Certificate unsigned = new Certificate(
                content(11).message(),
                content(11).payload(),
                List.of(new Certificate.ReplicaSignature(0, content(12).signature())));
        refuses(from, peer, Codec.encode(new CertificateReply(CertificateNumber.FIRST, unsigned)));
        Blacklist word = new Blacklist(2, Hash.ZERO, new Accused.Server(1), Blacklist.Finding.GUILTY);
        refuses(from, peer, Codec.encode(sealer(4).seal(word)));
        Frontier right = (Frontier) ((Frame.Plain)
                        taken(from, peer, Codec.encode(frontier(sealer(4).seal(head)))))
                .message();
        // Under another deployment nothing verifies, so that what is right here was remembered.
        Verifier elsewhere = new Verifier(Hash.ZERO);
        PublicKey origin = BatchOpenerTest.key(4).publicKey();
        assertThat(right.heads().get(0).verify(elsewhere, origin, Domain.HEAD)).isTrue();
        taken(from, peer, Codec.encode(sealer(3).seal(word)));
        taken(from, peer, Codec.encode(new CertificateReply(CertificateNumber.FIRST, null)));
    }

    @Test
    void aBftserverSpeaksForItselfAlone() throws Exception {
        InetSocketAddress address = links.start();
        NodeId from = NodeId.bftserver(1);
        NodeLinks peer = peer(from, address);
        refuses(from, peer, Codec.encode(new Share(2, content(13))));
        refuses(from, peer, Codec.encode(new Share(1, content(13))));
        BftReqStable request = new BftReqStable(
                1, Epoch.NONE.next(), 1, Hash.ZERO, CertificateNumber.FIRST, VersionVector.zero(4), List.of());
        refuses(from, peer, Codec.encode(sealer(13).seal(request)));
        taken(from, peer, Codec.encode(new Share(1, content(12))));
        taken(from, peer, Codec.encode(sealer(12).seal(request)));
    }
}
