package org.aspas.emulab.baselines.bft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.aspas.bftcluster.engine.BareReplica;
import org.aspas.bftcluster.engine.PrintCapture;
import org.aspas.bftcluster.engine.ReplicaOptions;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.proxy.OrderingProxy;
import org.aspas.bftcluster.proxy.ProxyOptions;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.client.api.ClientResources;
import org.aspas.emulab.baselines.bft.Surroundings.Placement;
import org.aspas.emulab.baselines.shell.ShellServers;
import org.aspas.emulab.baselines.shell.ShellSystem;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.testbed.cluster.LoopbackPlaces;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.aspas.emulab.testbed.deployment.Deployment.Place;
import org.aspas.emulab.workload.SessionSettings;
import org.aspas.emulab.workload.StoreSession;
import org.jspecify.annotations.Nullable;

/** Starts ordered stores: bare or contained, reached directly or through appservers. */
public final class OrderedSystems {
    private OrderedSystems() {}

    private static Deployment deployment(Quorums quorums, int appserversWithPorts) throws IOException {
        List<Place> places = new ArrayList<>(LoopbackPlaces.choose(quorums));
        for (int server = appserversWithPorts; server < quorums.appservers(); server++) {
            places.set(server, new Place(places.get(server).host(), 0, 0));
        }
        return Deployment.generate("ordered", quorums, places, Set.of(), Limits.DEFAULT);
    }

    /**
     * Bare replicas, to which each client has connections of its own.
     *
     * @param quorums n is its number of bftservers
     */
    public static OrderedSystem bare(String name, Quorums quorums) throws IOException {
        PrintCapture.install();
        List<InetSocketAddress> addresses = LoopbackPlaces.pairs(quorums.bftservers());
        Deployment keys = deployment(quorums, 0);
        BareReplicas replicas = new BareReplicas(addresses, quorums, keys.orderingKeys());
        ClientResources resources = ClientResources.create(1);
        return new OrderedSystem(
                name,
                replicas,
                new OrderedSystem.Access(
                        settings -> session(proxy(addresses, quorums), settings, resources),
                        () -> true,
                        resources::close));
    }

    private static OrderedSession.Order proxy(List<InetSocketAddress> addresses, Quorums quorums) {
        OrderingProxy proxy = new OrderingProxy(addresses, quorums, ProxyOptions.defaults());
        return new OrderedSession.Order() {
            @Override
            public CompletionStage<byte[]> ask(AskedCommand question, byte[] frame) {
                return proxy.submit(OrderedStore.command(0, frame));
            }

            @Override
            public void close() {
                var unused = CompletableFuture.runAsync(proxy::close);
            }
        };
    }

    /**
     * Contained replicas, to which the clients of this process have one link each.
     *
     * @param quorums n is its number of bftservers
     */
    static OrderedSystem contained(String name, Quorums quorums, IntFunction<OrderedMachine> stores)
            throws IOException {
        return contained(name, quorums, stores, new Surroundings(null, Placement.CLUSTER));
    }

    /** As {@link #contained(String, Quorums, IntFunction)}, in a world's cluster of bftservers. */
    public static OrderedSystem inCluster(String name, Quorums quorums, @Nullable EmulatedNetwork network)
            throws IOException {
        return contained(name, quorums, replica -> new OrderedStore(), new Surroundings(network, Placement.CLUSTER));
    }

    /** As {@link #contained(String, Quorums, IntFunction)}, with a replica where a world has its appservers. */
    public static OrderedSystem atSites(String name, Quorums quorums, @Nullable EmulatedNetwork network)
            throws IOException {
        return contained(name, quorums, replica -> new OrderedStore(), new Surroundings(network, Placement.SITES));
    }

    private static OrderedSystem contained(
            String name, Quorums quorums, IntFunction<OrderedMachine> stores, Surroundings surroundings)
            throws IOException {
        PrintCapture.install();
        Deployment deployment = deployment(quorums, 1);
        ContainedReplicas replicas = ContainedReplicas.start(deployment, stores, surroundings);
        DirectClients clients = started(deployment, replicas);
        ClientResources resources = ClientResources.create(2);
        return new OrderedSystem(
                name,
                replicas,
                new OrderedSystem.Access(
                        settings -> CompletableFuture.completedFuture(
                                new OrderedSession(clients.client((replica, direct) -> surroundings.around(
                                        direct, replica, quorums.appservers(), settings, resources)))),
                        clients::linked,
                        () -> {
                            clients.close();
                            resources.close();
                        }));
    }

    private static DirectClients started(Deployment deployment, ContainedReplicas replicas) throws IOException {
        boolean started = false;
        try {
            DirectClients clients = DirectClients.start(deployment);
            started = true;
            return clients;
        } catch (PortUnavailableException taken) {
            throw new IOException("the clients' links cannot be started: " + taken.getMessage(), taken);
        } finally {
            if (!started) {
                replicas.close();
            }
        }
    }

    private static CompletionStage<StoreSession> session(
            OrderedSession.Order order, SessionSettings settings, ClientResources resources) {
        OrderedSession.Order way = settings.roundTrip().isZero()
                ? order
                : new DelayedOrder(order, settings.roundTrip(), resources.scheduler());
        return CompletableFuture.completedFuture(new OrderedSession(way));
    }

    /**
     * Contained replicas behind appservers, each of which is believed by its clients.
     *
     * @param network the network of the world that all are in; null for none
     */
    public static OrderedSystem relayed(String name, Quorums quorums, @Nullable EmulatedNetwork network)
            throws IOException {
        PrintCapture.install();
        Deployment deployment = deployment(quorums, quorums.appservers());
        ContainedReplicas replicas = ContainedReplicas.start(
                deployment, replica -> new OrderedStore(), new Surroundings(network, Placement.BEHIND_APPSERVERS));
        boolean started = false;
        try {
            ShellServers servers = ShellServers.start(
                    deployment, server -> (settings, records, store, links) -> new RelayMachine(settings), network);
            ShellSystem shells = new ShellSystem(name, servers, false);
            started = true;
            return new OrderedSystem(
                    name, replicas, new OrderedSystem.Access(shells::open, servers::linked, shells::close));
        } finally {
            if (!started) {
                replicas.close();
            }
        }
    }

    /**
     * Adds a round trip to a client's way to the replicas, half of it before and half after, by timers.
     *
     * @param timers run the halves; nothing on them blocks
     */
    private record DelayedOrder(OrderedSession.Order order, Duration roundTrip, ScheduledExecutorService timers)
            implements OrderedSession.Order {
        @Override
        public CompletionStage<byte[]> ask(AskedCommand question, byte[] frame) {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            later(() -> order.ask(question, frame)
                    .whenComplete((value, failure) -> later(() -> {
                        if (failure == null) {
                            answer.complete(value);
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    })));
            return answer;
        }

        private void later(Runnable what) {
            var unused = timers.schedule(what, roundTrip.toNanos() / 2, TimeUnit.NANOSECONDS);
        }

        @Override
        public void close() {
            order.close();
        }
    }

    /** Replicas of the library with its own ports and its own connections between replicas. Thread-safe. */
    private static final class BareReplicas implements OrderedReplicas {
        private record Running(BareReplica replica, OrderedStore store) {}

        private final Map<Integer, Running> running = new TreeMap<>();

        /**
         * Starts all replicas.
         *
         * @param addresses the request address of each; the port after it is for the other replicas
         * @param quorums n is its number of bftservers
         * @param keys the RSA key of each
         */
        BareReplicas(List<InetSocketAddress> addresses, Quorums quorums, List<KeyPair> keys) {
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
}
