package org.aspas.emulab.baselines.bft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.node.OrderingNode;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.emulab.testbed.deployment.Deployment;

/** Replicas behind the isolation of ASPAS's bftservers: mutual TLS, judged frames, no port of the library. Thread-safe. */
public final class ContainedReplicas implements OrderedReplicas {
    private final Map<Integer, StoreNode> nodes = new TreeMap<>();

    private ContainedReplicas() {}

    /**
     * Starts the bftservers of a deployment.
     *
     * @param stores what each runs, by its index
     */
    static ContainedReplicas start(Deployment deployment, IntFunction<OrderedMachine> stores, Surroundings surroundings)
            throws IOException {
        ContainedReplicas started = new ContainedReplicas();
        boolean complete = false;
        try {
            for (int index = 0; index < deployment.descriptor().quorums().bftservers(); index++) {
                StoreNode node = StoreNode.start(deployment, index, surroundings, stores.apply(index));
                synchronized (started.nodes) {
                    started.nodes.put(index, node);
                }
            }
            complete = true;
            return started;
        } catch (PortUnavailableException taken) {
            throw new IOException("a replica cannot be started: " + taken.getMessage(), taken);
        } finally {
            if (!complete) {
                started.close();
            }
        }
    }

    private List<StoreNode> running() {
        synchronized (nodes) {
            return List.copyOf(nodes.values());
        }
    }

    @Override
    public boolean ready() {
        return running().stream().allMatch(StoreNode::isReady);
    }

    @Override
    public List<byte[]> states() {
        return running().stream().map(StoreNode::snapshot).toList();
    }

    @Override
    public void stop(int replica) {
        StoreNode node;
        synchronized (nodes) {
            node = nodes.remove(replica);
        }
        if (node != null) {
            node.close();
        }
    }

    @Override
    public void close() {
        List.copyOf(nodes.keySet()).forEach(this::stop);
    }

    /**
     * One contained replica of an ordered store. Every replica is given every command; as in ASPAS one of them, chosen by the
     * command, submits it at once, and the others only if it has not come out of the order in time. Every replica answers whoever
     * sent the command. Thread-safe.
     */
    private static final class StoreNode implements OrderedMachine, AutoCloseable {
        private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);
        private static final long LOOK_MILLIS = 100;
        private static final int REMEMBERED = 10_000;

        private final int index;
        private final int replicas;
        private final long patienceNanos;
        private final OrderedMachine store;
        private final OrderingNode node;
        private final ScheduledExecutorService replies;
        private final Map<ByteBuffer, Long> waiting = new LinkedHashMap<>();
        private final Map<ByteBuffer, Long> executed = new BoundedMap<>(REMEMBERED);

        private StoreNode(Deployment deployment, int index, Surroundings surroundings, OrderedMachine store)
                throws PortUnavailableException {
            this.index = index;
            this.replicas = deployment.descriptor().quorums().bftservers();
            this.patienceNanos = surroundings.patience().toNanos();
            this.store = store;
            this.replies = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "replies-" + index);
                thread.setDaemon(true);
                return thread;
            });
            CountDownLatch made = new CountDownLatch(1);
            replies.execute(() -> await(made));
            boolean started = false;
            try {
                this.node = OrderingNode.start(
                        deployment.descriptor(),
                        index,
                        deployment.key(NodeId.bftserver(index)),
                        deployment.orderingKeys().get(index),
                        surroundings.options(index),
                        this,
                        (from, frame) -> replies.execute(() -> received(from, frame)));
                started = true;
            } finally {
                made.countDown();
                if (!started) {
                    replies.shutdownNow();
                }
            }
            var unused = replies.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }

        /** Frames come as soon as the links are up, which is before the node is there. */
        private static void await(CountDownLatch made) {
            try {
                made.await();
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
        }

        static StoreNode start(Deployment deployment, int index, Surroundings surroundings, OrderedMachine store)
                throws PortUnavailableException {
            return new StoreNode(deployment, index, surroundings, store);
        }

        private void received(NodeId from, byte[] frame) {
            byte[] command = OrderedStore.command(from.index(), frame);
            ByteBuffer name = ByteBuffer.wrap(command);
            long now = System.nanoTime();
            synchronized (waiting) {
                Long before = executed.get(name);
                if (before != null && now - before < RECENT_NANOS) {
                    return;
                }
                waiting.put(name, now);
            }
            if (Math.floorMod(name.hashCode(), replicas) == index) {
                node.submit(command);
            }
        }

        /** Submits what another replica should have had ordered by now. */
        private void look() {
            List<byte[]> late = new ArrayList<>();
            long now = System.nanoTime();
            synchronized (waiting) {
                for (Iterator<Map.Entry<ByteBuffer, Long>> oldest =
                                waiting.entrySet().iterator();
                        oldest.hasNext(); ) {
                    Map.Entry<ByteBuffer, Long> next = oldest.next();
                    if (now - next.getValue() < patienceNanos) {
                        break;
                    }
                    late.add(next.getKey().array());
                    oldest.remove();
                }
            }
            late.forEach(node::submit);
        }

        @Override
        public byte[] apply(byte[] command) {
            byte[] answer = store.apply(command);
            if (answer.length > 0) {
                ByteBuffer name = ByteBuffer.wrap(command.clone());
                synchronized (waiting) {
                    waiting.remove(name);
                    executed.put(name, System.nanoTime());
                }
                NodeId asker = NodeId.appserver(OrderedStore.origin(command));
                try {
                    replies.execute(() -> node.send(asker, answer));
                } catch (RejectedExecutionException closing) {
                    return answer;
                }
            }
            return answer;
        }

        @Override
        public byte[] snapshot() {
            return store.snapshot();
        }

        @Override
        public void restore(byte[] snapshot) {
            store.restore(snapshot);
        }

        boolean isReady() {
            return node.isReady();
        }

        @Override
        public void close() {
            replies.shutdownNow();
            node.close();
        }
    }
}
