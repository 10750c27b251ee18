package org.aspas.bftcluster.node;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.replica.ReplicaOptions;
import org.aspas.bftcluster.shield.ReplicaShield;
import org.aspas.bftcluster.shield.ShieldCounters;
import org.aspas.bftcluster.shield.ShieldOptions;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.Role;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.order.TotalOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This bftserver's replica of the ordering cluster, behind its shield. Thread-safe. */
final class OrderingEngine implements TotalOrder {
    private static final Logger LOG = LoggerFactory.getLogger(OrderingEngine.class);

    private static final int ORDERING_FRAME_BYTES = 16 << 20;

    private final ReplicaShield shield;
    private final int maxCommandBytes;

    OrderingEngine(Descriptor descriptor, int index, KeyPair own, OrderedMachine machine, ReplicaShield.Outlet outlet) {
        List<PublicKey> keys = descriptor.nodes(Role.BFTSERVER).stream()
                .map(OrderingEngine::orderingKey)
                .toList();
        ShieldOptions bounds = bounds(descriptor.limits());
        this.maxCommandBytes = bounds.maxCommandBytes();
        this.shield = new ReplicaShield(
                index, descriptor.quorums(), own, keys, machine, ReplicaOptions.defaults(), bounds, outlet);
    }

    /** The bounds of the order in a deployment. */
    static ShieldOptions bounds(Limits shared) {
        return ShieldOptions.within(
                linkFrameBytes(shared), ReplicaOptions.defaults().maxBatch());
    }

    /** What the links of bftservers carry: at least what the ordering library needs for a batch or a state. */
    static int linkFrameBytes(Limits shared) {
        return Math.max(shared.linkFrameBytes(), ORDERING_FRAME_BYTES);
    }

    private static PublicKey orderingKey(NodeDescription member) {
        try {
            return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(member.orderingKey()));
        } catch (GeneralSecurityException broken) {
            throw new IllegalArgumentException(member.id() + ".orderingKey is no X.509-encoded RSA key", broken);
        }
    }

    void start() throws PortUnavailableException {
        shield.start();
    }

    @Override
    public boolean isReady() {
        return shield.isReady();
    }

    /** The link to another bftserver has come up. */
    void onConnected(int bftserver) {
        shield.onConnected(bftserver);
    }

    /** Takes a frame of another bftserver. */
    void receive(int bftserver, byte[] frame) {
        shield.receive(bftserver, frame);
    }

    /** Completes with the reason when the replica cannot go on and must be made anew. */
    CompletionStage<String> failure() {
        return shield.failure();
    }

    ShieldCounters counters() {
        return shield.counters();
    }

    @Override
    public void submit(byte[] command) {
        if (fits(command)) {
            watch(shield.submit(command));
        }
    }

    /** Submits a command of an appserver. */
    void relay(byte[] command) {
        if (fits(command)) {
            watch(shield.relay(command));
        }
    }

    private boolean fits(byte[] command) {
        if (command.length > maxCommandBytes) {
            LOG.warn("a command of {} bytes is too large to be ordered", command.length);
        }
        return command.length <= maxCommandBytes;
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
        shield.close();
    }
}
