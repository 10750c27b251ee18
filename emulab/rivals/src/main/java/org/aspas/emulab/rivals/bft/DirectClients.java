package org.aspas.emulab.rivals.bft;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.TlsIdentity;
import org.aspas.certify.message.Answer;
import org.aspas.emulab.lab.deployment.Deployment;

/**
 * The clients of one machine, which share links to all contained replicas, under the name of appserver 0. A question goes to
 * every replica, and is sent again while it has no answer. Thread-safe.
 */
final class DirectClients implements AutoCloseable {
    private static final NodeId SELF = NodeId.appserver(0);
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOOK_MILLIS = 250;

    private final Descriptor descriptor;
    private final NodeLinks links;
    private final int enough;
    private final Map<AskedCommand, Pending> pending = new ConcurrentHashMap<>();
    private final ScheduledExecutorService again = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "ordered-clients");
        thread.setDaemon(true);
        return thread;
    });

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

    private DirectClients(Deployment deployment) {
        this.descriptor = deployment.descriptor();
        this.enough = descriptor.quorums().oneCorrectBftserver();
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
        DirectClients clients = new DirectClients(deployment);
        clients.links.start();
        for (NodeDescription replica : clients.replicas()) {
            clients.links.connect(replica.id(), new InetSocketAddress(replica.host(), replica.linkPort()));
        }
        var unused = clients.again.scheduleWithFixedDelay(
                clients::sendAgain, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return clients;
    }

    private List<NodeDescription> replicas() {
        return descriptor.nodes(Role.BFTSERVER);
    }

    /** Whether all replicas can be reached. */
    boolean linked() {
        return replicas().stream().allMatch(replica -> links.isConnected(replica.id()));
    }

    /** One client's way to the replicas. */
    OrderedSession.Order client() {
        return new OrderedSession.Order() {
            @Override
            public CompletionStage<byte[]> ask(AskedCommand question, byte[] frame) {
                return DirectClients.this.ask(question, frame);
            }

            @Override
            public void close() {
                // The links are those of all clients.
            }
        };
    }

    private CompletionStage<byte[]> ask(AskedCommand question, byte[] frame) {
        Pending asked = new Pending(frame, enough);
        pending.put(question, asked);
        send(asked);
        return asked.result;
    }

    private void send(Pending asked) {
        replicas().forEach(replica -> links.send(replica.id(), asked.frame));
    }

    private void sendAgain() {
        long now = System.nanoTime();
        pending.values().forEach(asked -> {
            if (now - asked.sentNanos > AGAIN_NANOS) {
                asked.sentNanos = now;
                send(asked);
            }
        });
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
            Codec.decode(frame, Answer.class).accepted().ifPresent(answer -> answered(peer, frame, answer));
        }
    }

    private void answered(NodeId replica, byte[] frame, Answer answer) {
        AskedCommand question = AskedCommand.of(answer.response().message());
        Pending asked = pending.get(question);
        boolean believed = false;
        if (asked != null && replica.role() == Role.BFTSERVER) {
            synchronized (asked.answers) {
                believed = asked.answers.take(replica.index(), frame);
            }
        }
        if (asked != null && believed && pending.remove(question, asked)) {
            asked.result.complete(frame);
        }
    }

    @Override
    public void close() {
        again.shutdownNow();
        links.close();
        pending.values().forEach(asked -> asked.result.completeExceptionally(new IllegalStateException("closed")));
    }
}
