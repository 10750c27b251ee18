package org.aspas.bftcluster.node;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.aspas.bftcluster.engine.ReplicaOptions;
import org.aspas.bftcluster.isolation.Grouping;
import org.aspas.bftcluster.isolation.IsolatedReplica;
import org.aspas.bftcluster.isolation.IsolationOptions;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.machine.TotalOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This bftserver's replica of the ordering cluster, behind its replica. Thread-safe. */
final class OrderingEngine implements TotalOrder {
    private static final Logger LOG = LoggerFactory.getLogger(OrderingEngine.class);

    private static final int ORDERING_FRAME_BYTES = 16 << 20;
    private static final int MOST_FRAME_BYTES = 1 << 30;

    private final Descriptor descriptor;
    private final NodeLinks links;
    private final IsolatedReplica replica;
    private final int maxCommandBytes;

    /** Takes the commands of other bftservers as they come, before they are ordered. Called on I/O threads. */
    @FunctionalInterface
    interface Early {
        /** A bftserver, authenticated by its link, gave a command, its own or somebody's; it may never be ordered. */
        void given(NodeId from, byte[] command);
    }

    OrderingEngine(
            Descriptor descriptor,
            int index,
            KeyPair own,
            OrderedMachine machine,
            NodeLinks links,
            Grouping grouping,
            Early early) {
        List<PublicKey> keys = descriptor.nodes(Role.BFTSERVER).stream()
                .map(OrderingEngine::orderingKey)
                .toList();
        IsolationOptions bounds = bounds(descriptor);
        this.descriptor = descriptor;
        this.links = links;
        this.maxCommandBytes = bounds.maxCommandBytes();
        this.replica = new IsolatedReplica(
                index,
                descriptor.quorums(),
                own,
                keys,
                machine,
                ReplicaOptions.defaults(),
                bounds,
                grouping,
                new Peers(links, early));
    }

    /** The other bftservers, as the isolated replica sees them. */
    private record Peers(NodeLinks links, Early early) implements IsolatedReplica.Outlet {
        @Override
        public boolean send(int bftserver, byte[] frame) {
            return links.send(NodeId.bftserver(bftserver), frame);
        }

        @Override
        public void given(int bftserver, byte[] command) {
            early.given(NodeId.bftserver(bftserver), command);
        }
    }

    static IsolationOptions bounds(Descriptor descriptor) {
        return IsolationOptions.within(
                linkFrameBytes(descriptor), descriptor.limits().commandBytes());
    }

    /**
     * What the links of bftservers carry: at least what the ordering library needs for a batch or a state.
     *
     * @throws IllegalArgumentException when commands as large as the descriptor allows cannot be ordered by so many
     */
    static int linkFrameBytes(Descriptor descriptor) {
        Limits shared = descriptor.limits();
        int replicas = descriptor.quorums().bftservers();
        long least = IsolationOptions.leastLinkFrameBytes(shared.commandBytes(), replicas);
        if (least > MOST_FRAME_BYTES) {
            throw new IllegalArgumentException(
                    "limits.clientFrameBytes = " + shared.clientFrameBytes() + " is too much for " + replicas
                            + " bftservers: their frames would have up to " + least + " bytes");
        }
        return (int) Math.max(least, Math.max(shared.linkFrameBytes(), ORDERING_FRAME_BYTES));
    }

    static LinkLimits linkLimits(Descriptor descriptor) {
        LinkLimits usual = LinkLimits.defaults();
        int frame = linkFrameBytes(descriptor);
        return new LinkLimits(
                frame,
                Math.max(usual.maxQueuedBytes(), 2L * frame),
                usual.maxUnauthenticated(),
                usual.handshakeTimeoutMillis(),
                usual.minRetryMillis(),
                usual.maxRetryMillis(),
                usual.idleMillis());
    }

    private static PublicKey orderingKey(NodeDescription member) {
        try {
            return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(member.orderingKey()));
        } catch (GeneralSecurityException broken) {
            throw new IllegalArgumentException(member.id() + ".orderingKey is no X.509-encoded RSA key", broken);
        }
    }

    void start() throws PortUnavailableException {
        replica.start();
    }

    @Override
    public boolean isReady() {
        return replica.isReady();
    }

    @Override
    public boolean leads() {
        return replica.leads();
    }

    /** Which replica leads, as far as this one knows; -1 before it takes part. */
    int leader() {
        return replica.leader();
    }

    void onConnected(int bftserver) {
        replica.onConnected(bftserver);
    }

    void onDisconnected(int bftserver) {
        replica.onDisconnected(bftserver);
    }

    void receive(int bftserver, byte[] frame) {
        replica.receive(bftserver, frame);
    }

    /** Completes with the reason when the replica cannot go on and must be made anew. */
    CompletionStage<String> failure() {
        return replica.failure();
    }

    @Override
    public void submit(byte[] command) {
        if (fits(command)) {
            watch(replica.submit(command));
        }
    }

    /** Submits a command of an appserver. */
    void relay(byte[] command) {
        if (fits(command)) {
            watch(replica.relay(command));
        }
    }

    private boolean fits(byte[] command) {
        if (command.length > maxCommandBytes) {
            LOG.error("a command of {} bytes is larger than any can be, {}", command.length, maxCommandBytes);
        }
        return command.length <= maxCommandBytes && canBeOrdered();
    }

    /** What cannot be ordered now would only fill memory, here and at the others: whoever wants it ordered repeats it. */
    private boolean canBeOrdered() {
        long linked = descriptor.nodes(Role.BFTSERVER).stream()
                .filter(other -> links.isConnected(other.id()))
                .count();
        return linked >= descriptor.quorums().bftserverQuorum() - 1;
    }

    private static void watch(CompletionStage<byte[]> answer) {
        answer.whenComplete((result, failure) -> {
            if (failure != null) {
                LOG.debug("a command was not ordered in time", failure);
            }
        });
    }

    @Override
    public void close() {
        replica.close();
    }
}
