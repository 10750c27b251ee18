package org.aspas.appserver.peer;

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
import org.aspas.appserver.core.Event;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.TlsIdentity;
import org.aspas.certify.message.Pull;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A peer whose frames the core does not finish waits, alone. */
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
    private final PeerLinks links =
            new PeerLinks(descriptor, NodeId.appserver(0), BatchOpenerTest.key(1), ANY, this::happened);

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
}
