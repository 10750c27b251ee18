package org.aspas.bftcluster.node;

import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.proxy.OrderingProxy;
import org.aspas.bftcluster.proxy.ProxyOptions;
import org.aspas.bftcluster.replica.ReplicaEngine;
import org.aspas.bftcluster.replica.ReplicaOptions;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.Role;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.order.TotalOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This bftserver's replica of the ordering cluster, and its own way to submit commands to it. Thread-safe. */
final class OrderingEngine implements TotalOrder {
    private static final Logger LOG = LoggerFactory.getLogger(OrderingEngine.class);

    private final ReplicaEngine replica;
    private final OrderingProxy proxy;

    OrderingEngine(Descriptor descriptor, int index, KeyPair own, OrderedMachine machine) {
        List<NodeDescription> members = descriptor.nodes(Role.BFTSERVER);
        List<InetSocketAddress> addresses = members.stream()
                .map(member -> new InetSocketAddress(member.host(), member.servicePort()))
                .toList();
        List<PublicKey> keys = members.stream().map(OrderingEngine::orderingKey).toList();
        this.replica = new ReplicaEngine(
                index, addresses, descriptor.quorums(), own, keys, machine, ReplicaOptions.defaults());
        this.proxy = new OrderingProxy(
                addresses,
                descriptor.quorums(),
                proxyOptions(descriptor.limits().linkFrameBytes()));
    }

    /** Every command came as one frame of a link. */
    private static ProxyOptions proxyOptions(int linkFrameBytes) {
        ProxyOptions usual = ProxyOptions.defaults();
        return new ProxyOptions(usual.maxPending(), usual.timeoutMillis(), linkFrameBytes, usual.probeMillis());
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
    public void submit(byte[] command) {
        CompletionStage<byte[]> answer = proxy.submit(command);
        answer.whenComplete((result, failure) -> {
            if (failure != null) {
                LOG.debug("a command was not ordered in time", failure);
            }
        });
    }

    @Override
    public void close() {
        proxy.close();
        replica.close();
    }
}
