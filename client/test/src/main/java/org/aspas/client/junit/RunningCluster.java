package org.aspas.client.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.deployment.DeploymentFolder;
import org.aspas.emulab.testbed.attack.Attack;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.ClusterOptions;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.jspecify.annotations.Nullable;

/** A running cluster with the clients and the folder that were created for a test. Thread-safe. */
final class RunningCluster implements AutoCloseable {
    private static final int CLIENT_THREADS = 2;
    private static final long SEED = 1;

    /** The ordering library's logger, silenced to keep tests readable. The field keeps it alive, because its level would be lost with it. */
    private static final Logger ORDERING = Logger.getLogger("bftsmart");

    static {
        ORDERING.setLevel(Level.WARNING);
    }

    final Cluster cluster;
    private final @Nullable Attack attack;
    private final ClientResources resources = ClientResources.create("aspas-test", CLIENT_THREADS);
    private final List<AspasClient> clients = new ArrayList<>();
    private @Nullable Path folder;

    private RunningCluster(Cluster cluster, @Nullable Attack attack) {
        this.cluster = cluster;
        this.attack = attack;
    }

    /** Starts a cluster and waits until all servers are ready. */
    static RunningCluster start(Quorums quorums, AspasExtension.@Nullable Liar liar, Duration patience)
            throws Exception {
        ClusterOptions options = ClusterOptions.defaults();
        Attack attack = null;
        if (liar != null) {
            attack = new Attack(liar.role(), liar.server(), SEED, line -> {});
            options = options.withMachines(attack::machine);
        }
        RunningCluster started = new RunningCluster(Cluster.start(quorums, options), attack);
        boolean ready = false;
        try {
            started.cluster.awaitReady(patience);
            ready = true;
            return started;
        } finally {
            if (!ready) {
                started.close();
            }
        }
    }

    synchronized AspasClient client(ClientOptions options) {
        AspasClient client = AspasClient.connectEphemeral(cluster.descriptor(), options.withResources(resources));
        clients.add(client);
        return client;
    }

    /** Returns the deployment's folder, created on first use. */
    synchronized Path folder() throws IOException {
        Path made = folder;
        if (made == null) {
            made = Files.createTempDirectory("aspas-test-");
            folder = made;
            Deployment deployment = cluster.deployment();
            Files.write(
                    made.resolve(DeploymentFolder.SIGNATURE),
                    hex(deployment.file().signature()));
            Files.write(
                    made.resolve(DeploymentFolder.OPERATOR),
                    hex(deployment.operator().publicKey().toBytes()));
            Files.write(
                    made.resolve(DeploymentFolder.DESCRIPTOR), deployment.file().text());
        }
        return made;
    }

    private static byte[] hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes).getBytes(StandardCharsets.US_ASCII);
    }

    void attack() {
        Attack prepared = attack;
        if (prepared == null) {
            throw new IllegalStateException("the cluster has no liar: AspasExtension.cluster().withLiar(...)");
        }
        prepared.begin();
    }

    @Override
    public synchronized void close() {
        clients.forEach(AspasClient::close);
        resources.close();
        cluster.close();
        Path made = folder;
        if (made != null) {
            remove(made);
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException left) {
            throw new UncheckedIOException("a test's folder cannot be removed: " + folder, left);
        }
    }
}
