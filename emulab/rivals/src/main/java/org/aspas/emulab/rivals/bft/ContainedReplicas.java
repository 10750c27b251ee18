package org.aspas.emulab.rivals.bft;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.emulab.lab.deployment.Deployment;

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
}
