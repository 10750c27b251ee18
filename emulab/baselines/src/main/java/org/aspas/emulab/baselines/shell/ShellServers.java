package org.aspas.emulab.baselines.shell;

import akka.actor.ActorSystem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.aspas.appserver.node.AkkaSystem;
import org.aspas.appserver.node.AppServer;
import org.aspas.appserver.node.AppServerOptions;
import org.aspas.appserver.node.StartException;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.testbed.cluster.AppserverProbe;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.testbed.cluster.LoopbackPlaces;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.aspas.emulab.testbed.deployment.Deployment.Place;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appservers in this process, on real loopback sockets, that run other machines than the product's core, without bftservers.
 * They share one actor system, as those of a {@link org.aspas.emulab.testbed.cluster.Cluster} do. Thread-safe.
 */
public final class ShellServers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShellServers.class);
    private static final long POLL_MILLIS = 50;
    private static final long CLOSE_SECONDS = 10;

    private final Deployment deployment;
    private final Descriptor descriptor;
    private final IntFunction<MachineMaker> machines;
    private final @Nullable EmulatedNetwork network;
    private final HttpClient http = HttpClient.newHttpClient();
    private final ActorSystem actors = AkkaSystem.create("aspas");
    private final Map<Integer, AppServer> servers = new TreeMap<>();

    private ShellServers(Deployment deployment, IntFunction<MachineMaker> machines, @Nullable EmulatedNetwork network) {
        this.network = network;
        this.deployment = deployment;
        this.descriptor = deployment.descriptor().verifiedBy(new NoSignatures());
        this.machines = machines;
    }

    /**
     * Starts N servers; returns before they have found each other, see {@link #awaitReady}.
     *
     * @param quorums N is its number of appservers
     * @param machines what each runs, by its index
     * @throws IOException when no free ports can be had or a server cannot be started
     */
    public static ShellServers start(Quorums quorums, IntFunction<MachineMaker> machines) throws IOException {
        return start(quorums, machines, null);
    }

    /**
     * As {@link #start(Quorums, IntFunction)}, in a world.
     *
     * @param network delays what the servers send to each other; null for no delay
     */
    public static ShellServers start(
            Quorums quorums, IntFunction<MachineMaker> machines, @Nullable EmulatedNetwork network) throws IOException {
        List<Place> places = new ArrayList<>(LoopbackPlaces.choose(quorums));
        for (int at = quorums.appservers(); at < places.size(); at++) {
            // Nobody dials a bftserver without a port.
            places.set(at, new Place(places.get(at).host(), 0, 0));
        }
        return start(Deployment.generate("rival", quorums, places, Set.of(), Limits.DEFAULT), machines, network);
    }

    /**
     * Starts the appservers of a deployment, as {@link #start(Quorums, IntFunction, EmulatedNetwork)} does. They dial its bftservers that have a
     * port.
     */
    public static ShellServers start(
            Deployment deployment, IntFunction<MachineMaker> machines, @Nullable EmulatedNetwork network)
            throws IOException {
        ShellServers started = new ShellServers(deployment, machines, network);
        boolean complete = false;
        try {
            for (int server = 0; server < started.size(); server++) {
                started.start(server);
            }
            complete = true;
            return started;
        } catch (StartException failed) {
            throw new IOException("a server cannot be started: " + failed.getMessage(), failed);
        } finally {
            if (!complete) {
                started.close();
            }
        }
    }

    /** Starts a server that does not run, with a new machine. */
    public void start(int index) throws StartException {
        AppServer server = AppServer.start(
                descriptor,
                index,
                deployment.key(NodeId.appserver(index)),
                AppServerOptions.defaults()
                        .withSystem(actors)
                        .withMachine(machines.apply(index))
                        .withDelay(network == null ? null : network.delayOf(NodeId.appserver(index))));
        synchronized (servers) {
            servers.put(index, server);
        }
    }

    /** Stops a server; has no effect when it does not run. */
    public void stop(int index) {
        AppServer server;
        synchronized (servers) {
            server = servers.remove(index);
        }
        if (server != null) {
            server.close();
        }
    }

    /** Whether every running server is linked to every bftserver. */
    public boolean linked() {
        synchronized (servers) {
            return servers.values().stream()
                    .allMatch(server ->
                            descriptor.nodes(Role.BFTSERVER).stream().allMatch(node -> server.isConnected(node.id())));
        }
    }

    public List<Integer> running() {
        synchronized (servers) {
            return List.copyOf(servers.keySet());
        }
    }

    /**
     * Waits until every running server is linked to enough others.
     *
     * @throws TimeoutException when one is not in time; the message names it
     */
    public void awaitReady(Duration patience) throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (int server : running()) {
            while (!probe(server).ready()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException(
                            "server " + server + " is not ready after " + patience.toSeconds() + " s");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
    }

    /** The network of the world that they are in; empty without one. */
    Optional<EmulatedNetwork> network() {
        return Optional.ofNullable(network);
    }

    /** How many servers there are, running or not. */
    public int size() {
        return descriptor.quorums().appservers();
    }

    /** The deployment, which takes any signature. */
    public Descriptor descriptor() {
        return descriptor;
    }

    /** Where a server takes binary sessions. */
    InetSocketAddress sessions(int server) {
        NodeDescription node = descriptor.node(NodeId.appserver(server));
        return InetSocketAddress.createUnresolved(node.host(), node.sessionPort());
    }

    public AppserverProbe probe(int server) {
        return new AppserverProbe(
                http, descriptor.node(NodeId.appserver(server)).http());
    }

    @Override
    public void close() {
        running().forEach(this::stop);
        actors.terminate();
        try {
            actors.getWhenTerminated()
                    .toCompletableFuture()
                    .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException unclean) {
            LOG.warn("the actor system does not end cleanly", unclean.getCause());
        }
    }
}
