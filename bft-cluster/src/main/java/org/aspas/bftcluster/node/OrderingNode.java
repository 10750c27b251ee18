package org.aspas.bftcluster.node;

import java.security.KeyPair;
import java.util.concurrent.CompletionStage;
import org.aspas.bftcluster.isolation.Grouping;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.machine.OrderedMachine;

/**
 * A bftserver that orders commands for another application than certification, with the same links, the same isolation and the
 * same replica of the library; for experiments. Thread-safe.
 */
public final class OrderingNode implements AutoCloseable {
    /** Takes what others than bftservers send. Called on I/O threads, so it returns at once. */
    @FunctionalInterface
    public interface Inbox {
        /** A node, authenticated by its link, sent a frame. */
        void received(NodeId from, byte[] frame);
    }

    private final NodeLinks links;
    private final OrderingEngine engine;

    private OrderingNode(
            Descriptor descriptor,
            int index,
            SigningKey key,
            KeyPair orderingKey,
            BftServerOptions options,
            OrderedMachine machine,
            Inbox inbox) {
        this.links = options.links(descriptor, NodeId.bftserver(index), key, new Listener(inbox));
        this.engine = new OrderingEngine(
                descriptor, index, orderingKey, machine, links, Grouping.NONE, (from, command) -> {});
    }

    /**
     * Starts a node; it takes part as soon as enough others do. It dials all other nodes that have a port.
     *
     * @param orderingKey its RSA key for BFT-SMaRt
     * @param options where it listens; it keeps no record
     * @param machine the application, driven from the library's delivery thread
     * @throws PortUnavailableException when a port is in use
     */
    public static OrderingNode start(
            Descriptor descriptor,
            int index,
            SigningKey key,
            KeyPair orderingKey,
            BftServerOptions options,
            OrderedMachine machine,
            Inbox inbox)
            throws PortUnavailableException {
        OrderingNode node = new OrderingNode(descriptor, index, key, orderingKey, options, machine, inbox);
        boolean started = false;
        try {
            node.engine.start();
            node.links.start();
            started = true;
        } finally {
            if (!started) {
                node.close();
            }
        }
        for (NodeDescription other : descriptor.nodes()) {
            boolean self = other.id().equals(NodeId.bftserver(index));
            if (!self && options.linkAddress(other).getPort() != 0) {
                node.links.connect(other.id(), options.linkAddress(other));
            }
        }
        return node;
    }

    /** Frames of bftservers are the order's, all others the application's. */
    private final class Listener implements LinkListener {
        private final Inbox inbox;

        Listener(Inbox inbox) {
            this.inbox = inbox;
        }

        @Override
        public void onConnected(NodeId peer) {
            if (peer.role() == Role.BFTSERVER) {
                engine.onConnected(peer.index());
            }
        }

        @Override
        public void onDisconnected(NodeId peer) {
            if (peer.role() == Role.BFTSERVER) {
                engine.onDisconnected(peer.index());
            }
        }

        @Override
        public void onFrame(NodeId peer, byte[] frame) {
            if (peer.role() == Role.BFTSERVER) {
                engine.receive(peer.index(), frame);
            } else {
                inbox.received(peer, frame);
            }
        }
    }

    /** Submits a command; it may be ordered twice, or get lost. */
    public void submit(byte[] command) {
        engine.submit(command);
    }

    /** Sends a frame without waiting; false when it was not taken. */
    public boolean send(NodeId to, byte[] frame) {
        return links.send(to, frame);
    }

    public boolean isReady() {
        return engine.isReady();
    }

    public boolean isConnected(NodeId node) {
        return links.isConnected(node);
    }

    /** Completes with the reason when the replica cannot go on: the node must be closed. */
    public CompletionStage<String> failure() {
        return engine.failure();
    }

    @Override
    public void close() {
        engine.close();
        links.close();
    }
}
