package org.aspas.client.junit;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.quorum.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real cluster in the process of a test: 3f+1 appservers and 3b+1 bftservers with fresh keys, on loopback sockets, without a disk.
 * Register it by {@link org.junit.jupiter.api.extension.RegisterExtension}. In a static field it starts one cluster for all tests of
 * the class, which takes some seconds; in another field one for each test. It is ready when the test begins, and clients that it
 * made are closed after the test or class. Methods are for the time in between, and thread-safe.
 */
public final class AspasExtension
        implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Quorums quorums;
    private final @Nullable Liar liar;
    private volatile @Nullable RunningCluster running;
    /** How many classes that enclose each other have begun. */
    private int classes;

    /** Who attacks, and how. */
    record Liar(int server, String role) {}

    private AspasExtension(Quorums quorums, @Nullable Liar liar) {
        this.quorums = quorums;
        this.liar = liar;
    }

    /** A cluster that bears one Byzantine appserver and one Byzantine bftserver: four of each. */
    public static AspasExtension cluster() {
        return new AspasExtension(new Quorums(1, 1), null);
    }

    /**
     * With other fault bounds.
     *
     * @param f how many Byzantine appservers it bears, from 1: it has 3f+1
     * @param b how many Byzantine bftservers it bears, from 1: it has 3b+1
     */
    public AspasExtension withFaults(int f, int b) {
        return new AspasExtension(new Quorums(f, b), liar);
    }

    /**
     * With an appserver that is correct until {@link #attack}, and then misbehaves with its own key.
     *
     * @param server its index, from 0
     * @param role what it does, such as {@code forking}; {@code ./aspas demo --byzantine list} names the roles
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

    public Descriptor descriptor() {
        return running().cluster.descriptor();
    }

    /**
     * A folder with the deployment's descriptor and the operator's public key, as {@link AspasClient#connect(Path, String)} takes it.
     * It is removed with the cluster.
     */
    public Path folder() throws IOException {
        return running().folder();
    }

    /** A client with a fresh key, at an appserver that the options name, or at one by chance. It is closed with the cluster. */
    public AspasClient client(ClientOptions options) {
        return running().client(options);
    }

    /** Where an appserver serves HTTP. */
    public URI http(int appserver) {
        return running().cluster.address(appserver);
    }

    /** Stops an appserver, for good; has no effect when it is stopped already. */
    public void stopAppserver(int index) {
        running().cluster.stopAppserver(index);
    }

    /** Stops a bftserver, for good; has no effect when it is stopped already. With more than b stopped there are no certificates. */
    public void stopBftserver(int index) {
        running().cluster.stopBftserver(index);
    }

    /**
     * Lets the appserver of {@link #withLiar} attack.
     *
     * @throws IllegalStateException when there is none
     */
    public void attack() {
        running().attack();
    }
}
