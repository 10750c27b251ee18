package org.aspas.emulab.rivals.shell;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.client.api.ClientResources;
import org.aspas.client.transport.DelayedTransport;
import org.aspas.client.transport.RoundTripDelay;
import org.aspas.client.transport.SocketTransport;
import org.aspas.client.transport.Transport;
import org.aspas.client.transport.TransportDelay;
import org.aspas.emulab.lab.delay.EmulatedNetwork;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.LedgerComparison;
import org.aspas.emulab.workload.SessionSettings;
import org.aspas.emulab.workload.SystemUnderTest;

/** A system of servers behind the appserver's shells. Thread-safe. */
public final class ShellSystem implements SystemUnderTest {
    private static final Duration CONNECT = Duration.ofSeconds(30);
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final int QUEUED_FRAMES = 4_096;
    private static final long POLL_MILLIS = 100;

    private final String name;
    private final ShellServers servers;
    private final boolean converging;
    private final ClientResources resources =
            ClientResources.create(Math.max(2, Runtime.getRuntime().availableProcessors()));

    /**
     * A system of running servers, which are closed with it.
     *
     * @param converging whether the servers are to agree; if not, they keep nothing
     */
    public ShellSystem(String name, ShellServers servers, boolean converging) {
        this.name = name;
        this.servers = servers;
        this.converging = converging;
    }

    @Override
    public String name() {
        return name;
    }

    public ShellServers servers() {
        return servers;
    }

    @Override
    public CompletionStage<ShellSession> open(SessionSettings settings) {
        if (settings.placed() && servers.network().isPresent()) {
            EmulatedNetwork network = servers.network().get();
            int home = network.world().home(settings.client(), servers.size());
            TransportDelay delay = network.delayOf(settings.client(), home);
            return ShellSession.open(new DelayedTransport(transport(home), delay, resources.executor(), QUEUED_FRAMES));
        }
        return ShellSession.open(transport(settings.client() % servers.size(), settings.roundTrip()));
    }

    private Transport transport(int server, Duration roundTrip) {
        Transport real = transport(server);
        return roundTrip.isZero()
                ? real
                : new DelayedTransport(
                        real,
                        new RoundTripDelay(roundTrip, resources.scheduler()),
                        resources.executor(),
                        QUEUED_FRAMES);
    }

    private Transport transport(int server) {
        return new SocketTransport(
                resources.loops(),
                servers.sessions(server),
                CONNECT,
                servers.descriptor().limits().linkFrameBytes(),
                QUEUED_FRAMES);
    }

    @Override
    public void awaitServing(Duration patience) throws InterruptedException, TimeoutException {
        servers.awaitReady(patience);
    }

    /** Waits until all running servers have delivered the same, and asks each for every value. */
    @Override
    public Convergence converge(Ledger ledger, Duration patience) throws InterruptedException {
        LedgerComparison comparison = new LedgerComparison(ledger, ANSWER);
        List<Integer> running = servers.running();
        if (!converging) {
            return new LedgerComparison(new Ledger(), ANSWER).result(running.size(), running.size(), 0);
        }
        awaitOneVersion(running, comparison, patience);
        int asked = 0;
        for (int server : running) {
            ShellSession session = comparison.await(
                    "server " + server, "session", ShellSession.open(transport(server, Duration.ZERO)));
            if (session != null) {
                asked += comparison.compare("server " + server, session::counter, session::set) ? 1 : 0;
                session.close();
            }
        }
        return comparison.result(running.size(), asked, 0);
    }

    private void awaitOneVersion(List<Integer> running, LedgerComparison comparison, Duration patience)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        List<String> versions = versions(running);
        while (versions.stream().distinct().count() > 1) {
            if (System.nanoTime() - deadline > 0) {
                comparison.differs("no agreement within " + patience.toSeconds() + " s: " + versions);
                return;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            versions = versions(running);
        }
    }

    private List<String> versions(List<Integer> running) throws InterruptedException {
        List<String> versions = new ArrayList<>();
        for (int server : running) {
            try {
                versions.add(servers.probe(server).standing().version());
            } catch (IOException unreachable) {
                versions.add("server " + server + ": " + unreachable.getMessage());
            }
        }
        return versions;
    }

    @Override
    public void close() {
        resources.close();
        servers.close();
    }
}
