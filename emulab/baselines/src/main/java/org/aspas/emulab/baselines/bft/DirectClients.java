package org.aspas.emulab.baselines.bft;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
import org.aspas.client.net.Transport;
import org.aspas.emulab.testbed.deployment.Deployment;
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

    /**
     * One client's way to the contained replicas: a question goes to every replica, and is sent again while it has no answer that
     * enough of them gave. Thread-safe.
     */
    private static final class DirectOrder implements OrderedSession.Order {
        private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

        private static final class Pending {
            final byte[] frame;
            final EqualAnswers answers;
            final CompletableFuture<byte[]> result = new CompletableFuture<>();
            volatile long sentNanos = System.nanoTime();

            Pending(byte[] frame, int enough) {
                this.frame = frame;
                this.answers = new EqualAnswers(enough);
            }
        }

        private final DirectClients clients;
        private final int enough;
        private final List<Transport.Connection> replicas = new ArrayList<>();
        private final Map<AskedCommand, Pending> pending = new ConcurrentHashMap<>();

        /**
         * Connects a client.
         *
         * @param transports the way to each replica, by index
         * @param enough how many equal answers are believed
         */
        DirectOrder(DirectClients clients, List<Transport> transports, int enough) {
            this.clients = clients;
            this.enough = enough;
            for (int replica = 0; replica < transports.size(); replica++) {
                replicas.add(transports.get(replica).connect(new Answers(replica)));
            }
        }

        /** What one replica answers. */
        private final class Answers implements Transport.Listener {
            private final int replica;

            Answers(int replica) {
                this.replica = replica;
            }

            @Override
            public void connected() {
                // The links are there already.
            }

            @Override
            public void received(byte[] frame, Runnable consumed) {
                Codec.decode(frame, Answer.class).accepted().ifPresent(answer -> answered(replica, frame, answer));
                consumed.run();
            }

            @Override
            public void closed(String reason) {
                // What waits is failed by whoever closes the client.
            }
        }

        @Override
        public CompletionStage<byte[]> ask(AskedCommand command, byte[] frame) {
            Pending asked = new Pending(frame, enough);
            pending.put(command, asked);
            clients.expect(command, this);
            replicas.forEach(replica -> replica.send(frame));
            return asked.result;
        }

        /** Sends again what has waited for long. */
        void sendAgain(long nowNanos) {
            pending.values().forEach(asked -> {
                if (nowNanos - asked.sentNanos > AGAIN_NANOS) {
                    asked.sentNanos = nowNanos;
                    replicas.forEach(replica -> replica.send(asked.frame));
                }
            });
        }

        private void answered(int replica, byte[] frame, Answer answer) {
            AskedCommand command = AskedCommand.of(answer.response().message());
            Pending asked = pending.get(command);
            if (asked == null) {
                return;
            }
            boolean believed;
            synchronized (asked.answers) {
                believed = asked.answers.take(replica, frame);
            }
            if (believed && pending.remove(command, asked)) {
                clients.answered(command);
                asked.result.complete(frame);
            }
        }

        @Override
        public void close() {
            clients.left(this);
            replicas.forEach(Transport.Connection::close);
            pending.keySet().forEach(clients::answered);
            pending.values().forEach(asked -> asked.result.completeExceptionally(new IllegalStateException("closed")));
        }
    }
}
