package org.aspas.client.junit;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A JUnit extension that runs a real cluster in the test's process: 3f+1 appservers and 3b+1 bftservers with fresh keys, on loopback
 * sockets and without a disk. Register it with {@link org.junit.jupiter.api.extension.RegisterExtension}: in a static field it starts
 * one cluster for all tests of the class, in an instance field one for each test. A start takes a few seconds. The cluster is ready when
 * the test begins; afterwards the extension stops it and closes the clients that it created.
 *
 * <p>All methods are thread-safe. Those that use the cluster throw {@link IllegalStateException} while none is running.
 */
public final class AspasExtension
        implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Quorums quorums;
    private final @Nullable Liar liar;
    private volatile @Nullable RunningCluster running;
    /** The number of nested test classes that have begun. */
    private int classes;

    /** The appserver that attacks, and its role. */
    record Liar(int server, String role) {}

    private AspasExtension(Quorums quorums, @Nullable Liar liar) {
        this.quorums = quorums;
        this.liar = liar;
    }

    /** Returns an extension with four appservers and four bftservers, which tolerate one Byzantine server of each kind. */
    public static AspasExtension cluster() {
        return new AspasExtension(new Quorums(1, 1), null);
    }

    /**
     * Returns the same extension with other fault bounds.
     *
     * @param f the number of Byzantine appservers to tolerate, from 1; the cluster has 3f+1
     * @param b the number of Byzantine bftservers to tolerate, from 1; the cluster has 3b+1
     */
    public AspasExtension withFaults(int f, int b) {
        return new AspasExtension(new Quorums(f, b), liar);
    }

    /**
     * Returns the same extension with one appserver that is correct until {@link #attack} and misbehaves afterwards, with its own key.
     *
     * @param server the appserver's index, from 0
     * @param role the Byzantine role, such as {@code forking}; {@code ./aspas demo --byzantine list} names all
     */
    public AspasExtension withLiar(int server, String role) {
        return new AspasExtension(quorums, new Liar(server, role));
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        if (classes++ == 0) {
            start();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        if (classes == 0) {
            start();
        }
    }

    private void start() throws Exception {
        running = RunningCluster.start(quorums, liar, PATIENCE);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (classes == 0) {
            stop();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (--classes == 0) {
            stop();
        }
    }

    private void stop() {
        RunningCluster stopped = running;
        running = null;
        if (stopped != null) {
            stopped.close();
        }
    }

    private RunningCluster running() {
        RunningCluster present = running;
        if (present == null) {
            throw new IllegalStateException("the cluster runs during tests only");
        }
        return present;
    }

    /** Returns the verified descriptor of the running deployment. */
    public Descriptor descriptor() {
        return running().cluster.descriptor();
    }

    /**
     * Returns a folder with the deployment's descriptor and the operator's public key, ready for {@link AspasClient#connect(Path, String)}.
     * It is created on first use and removed with the cluster.
     *
     * @throws IOException when the folder cannot be written
     */
    public Path folder() throws IOException {
        return running().folder();
    }

    /**
     * Starts a client with a fresh key, at the appserver that the options name or at a random one. It is closed with the cluster.
     *
     * @param options how the client behaves; their resources are replaced by those of the cluster
     */
    public AspasClient client(ClientOptions options) {
        return running().client(options);
    }

    /** Returns the HTTP address of an appserver. */
    public URI http(int appserver) {
        return running().cluster.address(appserver);
    }

    /** Stops an appserver for the rest of the cluster's life; does nothing when it is stopped already. */
    public void stopAppserver(int index) {
        running().cluster.stopAppserver(index);
    }

    /**
     * Stops a bftserver for the rest of the cluster's life; does nothing when it is stopped already. The cluster issues no certificates
     * while more than b bftservers are stopped.
     */
    public void stopBftserver(int index) {
        running().cluster.stopBftserver(index);
    }

    /**
     * Starts the attack of the appserver that {@link #withLiar} named.
     *
     * @throws IllegalStateException when it named none
     */
    public void attack() {
        running().attack();
    }
}
