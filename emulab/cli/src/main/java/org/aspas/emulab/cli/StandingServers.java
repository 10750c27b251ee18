package org.aspas.emulab.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.SignatureText;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory.UnusableDirectory;

/** All servers of a deployment in this process, which stay up so that others talk to them. */
final class StandingServers {
    private final Cluster cluster;
    private final Path directory;

    private StandingServers(Cluster cluster, Path directory) {
        this.cluster = cluster;
        this.directory = directory;
    }

    /**
     * Writes the deployment down for those who want to talk to its servers.
     *
     * @param directory gets the descriptor, and all keys
     * @throws UnusableDirectory when the directory holds a deployment already
     */
    static StandingServers of(Cluster cluster, Path directory) throws UnusableDirectory, IOException {
        new DeploymentDirectory(directory).write(cluster.deployment());
        return new StandingServers(cluster, directory);
    }

    /** Prints where the servers are and how to talk to them. */
    void print(Terminal terminal) {
        terminal.line("The deployment with all keys is in " + directory);
        for (int server = 0; server < cluster.appservers(); server++) {
            terminal.line("  appserver-" + server + "  " + cluster.address(server));
        }
        terminal.line("Try:");
        terminal.line("  curl -s " + cluster.address(0) + "/v1/status");
        terminal.line("  curl -s -X POST -H 'Content-Type: application/json' -d '{\"by\": 1}' '" + cluster.address(0)
                + "/v1/counters/likes/increment?confirm=true'");
        terminal.line("  curl -s '" + cluster.address(1) + "/v1/counters/likes?level=certified'");
        terminal.line("  ./aspas counter inc likes --dir " + directory);
        terminal.line("  ./aspas status --dir " + directory);
    }

    /** Returns never: Ctrl-C, or a signal to end, stops the servers and the process. */
    void untilSignal() throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        Thread closing = new Thread(() -> {
            cluster.close();
            stopped.countDown();
        });
        Runtime.getRuntime().addShutdownHook(closing);
        stopped.await();
    }

    /**
     * Returns when the other end of standard input is closed, also because its process has ended; the servers still run. Until
     * then it answers what is asked there, a line each.
     */
    void untilEndOf(InputStream input, Terminal terminal) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8))) {
            for (String asked = lines.readLine(); asked != null; asked = lines.readLine()) {
                if (asked.equals(SignatureText.QUESTION)) {
                    terminal.line(SignatureText.line(cluster.signatures()));
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
