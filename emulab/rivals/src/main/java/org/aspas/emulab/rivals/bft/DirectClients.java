package org.aspas.emulab.rivals.bft;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.TlsIdentity;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Codec;
import org.aspas.client.transport.Transport;
import org.aspas.emulab.lab.deployment.Deployment;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one machine, which share links to all contained replicas, under the name of appserver 0. On these links each
 * client has a {@link Transport} to each replica. Thread-safe.
 */
final class DirectClients implements AutoCloseable {
    private static final NodeId SELF = NodeId.appserver(0);
    private static final long LOOK_MILLIS = 250;

    private final Descriptor descriptor;
    private final NodeLinks links;
    private final Map<AskedCommand, DirectOrder> expected = new ConcurrentHashMap<>();
    private final Map<DirectOrder, List<ReplicaTransport>> clients = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "ordered-clients");
        thread.setDaemon(true);
        return thread;
    });

    private DirectClients(Deployment deployment) {
        this.descriptor = deployment.descriptor();
        NodeDescription self = descriptor.node(SELF);
        this.links = new NodeLinks(
                SELF,
                TlsIdentity.of(deployment.key(SELF).seed()),
                descriptor.keys(),
                new InetSocketAddress(self.host(), self.linkPort()),
                LinkLimits.defaults(),
                new Inbox());
    }

    /** Begins to connect to the replicas of a deployment. */
    static DirectClients start(Deployment deployment) throws PortUnavailableException {
        DirectClients made = new DirectClients(deployment);
        made.links.start();
        for (NodeDescription replica : made.replicas()) {
            made.links.connect(replica.id(), new InetSocketAddress(replica.host(), replica.linkPort()));
        }
        var unused =
                made.timer.scheduleWithFixedDelay(made::sendAgain, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return made;
    }

    private List<NodeDescription> replicas() {
        return descriptor.nodes(Role.BFTSERVER);
    }

    /** Whether all replicas can be reached. */
    boolean linked() {
        return replicas().stream().allMatch(replica -> links.isConnected(replica.id()));
    }

    /**
     * Connects a client.
     *
     * @param around a transport around the one to a replica, given its index, such as one that delays
     */
    DirectOrder client(BiFunction<Integer, Transport, Transport> around) {
        List<ReplicaTransport> own = new ArrayList<>();
        List<Transport> transports = new ArrayList<>();
        for (NodeDescription replica : replicas()) {
            ReplicaTransport transport = new ReplicaTransport(replica.id());
            own.add(transport);
            transports.add(around.apply(replica.id().index(), transport));
        }
        DirectOrder order =
                new DirectOrder(this, transports, descriptor.quorums().oneCorrectBftserver());
        clients.put(order, own);
        return order;
    }

    void expect(AskedCommand command, DirectOrder client) {
        expected.put(command, client);
    }

    void answered(AskedCommand command) {
        expected.remove(command);
    }

    void left(DirectOrder client) {
        clients.remove(client);
    }

    private void sendAgain() {
        long now = System.nanoTime();
        Set.copyOf(clients.keySet()).forEach(client -> client.sendAgain(now));
    }

    /** One client's way to one replica, on the link of all. */
    private final class ReplicaTransport implements Transport {
        private final NodeId replica;
        private volatile @Nullable Listener listener;

        ReplicaTransport(NodeId replica) {
            this.replica = replica;
        }

        @Override
        public Connection connect(Listener hears) {
            listener = hears;
            hears.connected();
            return new Connection() {
                @Override
                public void send(byte[] frame) {
                    links.send(replica, frame);
                }

                @Override
                public void close() {
                    listener = null;
                    hears.closed("closed by this client");
                }
            };
        }

        void arrived(byte[] frame) {
            Listener hears = listener;
            if (hears != null) {
                hears.received(frame, () -> {});
            }
        }
    }

    private final class Inbox implements LinkListener {
        @Override
        public void onConnected(NodeId peer) {
            // What was sent before is sent again in time.
        }

        @Override
        public void onDisconnected(NodeId peer) {
            // The link dials again by itself.
        }

        @Override
        public void onFrame(NodeId peer, byte[] frame) {
            Codec.decode(frame, Answer.class)
                    .accepted()
                    .map(answer -> AskedCommand.of(answer.response().message()))
                    .map(expected::get)
                    .map(clients::get)
                    .ifPresent(replicas -> replicas.get(peer.index()).arrived(frame));
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        links.close();
        Set.copyOf(clients.keySet()).forEach(DirectOrder::close);
    }
}
