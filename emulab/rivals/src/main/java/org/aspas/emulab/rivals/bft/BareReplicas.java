package org.aspas.emulab.rivals.bft;

import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.bftcluster.replica.BareReplica;
import org.aspas.bftcluster.replica.ReplicaOptions;
import org.aspas.certify.quorum.Quorums;

/** Replicas of the library with its own ports and its own connections between replicas. Thread-safe. */
public final class BareReplicas implements OrderedReplicas {
    private record Running(BareReplica replica, OrderedStore store) {}

    private final Map<Integer, Running> running = new TreeMap<>();

    /**
     * Starts all replicas.
     *
     * @param addresses the request address of each; the port after it is for the other replicas
     * @param quorums n is its number of bftservers
     * @param keys the RSA key of each
     */
    public BareReplicas(List<InetSocketAddress> addresses, Quorums quorums, List<KeyPair> keys) {
        for (int index = 0; index < quorums.bftservers(); index++) {
            OrderedStore store = new OrderedStore();
            BareReplica replica = new BareReplica(
                    index,
                    addresses,
                    quorums,
                    keys.get(index),
                    keys.stream().map(KeyPair::getPublic).toList(),
                    store,
                    ReplicaOptions.defaults());
            running.put(index, new Running(replica, store));
            replica.start();
        }
    }

    private List<Running> running() {
        synchronized (running) {
            return List.copyOf(running.values());
        }
    }

    @Override
    public boolean ready() {
        return running().stream().allMatch(one -> one.replica().ready().isDone());
    }

    @Override
    public List<byte[]> states() {
        return running().stream().map(one -> one.store().snapshot()).toList();
    }

    @Override
    public void stop(int replica) {
        Running stopped;
        synchronized (running) {
            stopped = running.remove(replica);
        }
        if (stopped != null) {
            stopped.replica().close();
        }
    }

    @Override
    public void close() {
        List.copyOf(running.keySet()).forEach(this::stop);
    }
}
