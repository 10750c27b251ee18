package org.aspas.emulab.baselines;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.ReadResult;
import org.aspas.client.core.Policy;
import org.aspas.emulab.testbed.cluster.AppserverAccess;
import org.aspas.emulab.testbed.cluster.AppserverProbe;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.LedgerComparison;

/**
 * What is asked of the correct appservers, wherever they run.
 *
 * @param correct those that are not Byzantine, by their indexes
 */
record CorrectServers(AppserverAccess access, List<Integer> correct) {
    private static final long POLL_MILLIS = 50;

    CorrectServers {
        correct = List.copyOf(correct);
    }

    /** The session records of clients are entries, so that a certificate follows as soon as the back end works. */
    void awaitServing(Duration patience) throws IOException, InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (int server = 0; server < access.appservers(); server++) {
            while (access.probe(server).standing().certificate() == 0) {
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException(
                            "appserver-" + server + " has no certificate after " + patience.toSeconds() + " s");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
    }

    long newestCertificate() throws IOException, InterruptedException {
        long newest = 0;
        for (int server : correct) {
            newest = Math.max(newest, access.probe(server).standing().certificate());
        }
        return newest;
    }

    /** How many entries are delivered where most are. */
    long entries() throws IOException, InterruptedException {
        long most = 0;
        for (int server : correct) {
            most = Math.max(most, access.probe(server).standing().entries());
        }
        return most;
    }

    /** How long the steps of certification took in the last minute, by what appservers see. */
    Map<LagStep, DurationFigures> lagSteps() throws IOException, InterruptedException {
        Map<LagStep, List<DurationFigures>> told = new EnumMap<>(LagStep.class);
        for (int server : correct) {
            access.probe(server)
                    .lagSteps()
                    .forEach((step, figures) ->
                            told.computeIfAbsent(step, any -> new ArrayList<>()).add(figures));
        }
        Map<LagStep, DurationFigures> all = new EnumMap<>(LagStep.class);
        told.forEach((step, figures) -> all.put(step, DurationFigures.together(figures)));
        return all;
    }

    Convergence converge(Ledger ledger, ClientResources resources, Duration patience) throws InterruptedException {
        ClientOptions asking = ClientOptions.defaults().withResources(resources).withPolicy(Policy.STAY);
        return new ConvergenceCheck(access, correct, ledger, asking, patience).run();
    }

    /**
     * Asks every correct appserver, once nothing is written any more: for its newest certificate over HTTP until all name the same and
     * have certified all they hold, and then for the CERTIFIED value of every object written, through a client of its own that
     * verifies the proofs. Values must equal what the clients were answered.
     */
    private static final class ConvergenceCheck {
        private static final long POLL_MILLIS = 100;
        private static final Duration ANSWER = Duration.ofSeconds(20);

        private final AppserverAccess access;
        private final ClientOptions options;
        private final List<Integer> servers;
        private final Duration patience;
        private final LedgerComparison comparison;

        /**
         * Checks only the given servers.
         *
         * @param patience how long the servers may take to agree on a certificate
         */
        ConvergenceCheck(
                AppserverAccess access,
                List<Integer> servers,
                Ledger ledger,
                ClientOptions options,
                Duration patience) {
            this.access = access;
            this.servers = List.copyOf(servers);
            this.options = options;
            this.patience = patience;
            this.comparison = new LedgerComparison(ledger, ANSWER);
        }

        /** Asks and compares; takes at most a few tens of seconds. */
        Convergence run() throws InterruptedException {
            Map<Integer, AspasClient> clients = new LinkedHashMap<>();
            try {
                servers.forEach(server -> clients.put(server, access.client(server, options)));
                Set<Integer> answered = new TreeSet<>();
                for (Map.Entry<Integer, AspasClient> client : clients.entrySet()) {
                    if (comparison.await(
                                    name(client.getKey()),
                                    "session",
                                    client.getValue().ready())
                            != null) {
                        answered.add(client.getKey());
                    }
                }
                long certificate = agreement();
                int asked = 0;
                for (Map.Entry<Integer, AspasClient> client : clients.entrySet()) {
                    if (answered.contains(client.getKey()) && compare(client.getKey(), client.getValue())) {
                        asked++;
                    }
                }
                return comparison.result(servers.size(), asked, certificate);
            } finally {
                clients.values().forEach(AspasClient::close);
            }
        }

        private static String name(int server) {
            return "appserver-" + server;
        }

        /** The number of the certificate on which all settled; 0, with a difference noted, when they did not in time. */
        private long agreement() throws InterruptedException {
            long deadline = System.nanoTime() + patience.toNanos();
            while (true) {
                List<String> unlike = new ArrayList<>();
                long certificate = oneStanding(unlike);
                if (unlike.isEmpty()) {
                    return certificate;
                }
                if (System.nanoTime() - deadline > 0) {
                    comparison.differs("no agreement on a certificate within " + patience.toSeconds() + " s:");
                    unlike.forEach(comparison::differs);
                    return 0;
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }

        private long oneStanding(List<String> unlike) throws InterruptedException {
            AppserverProbe.Standing first = null;
            List<String> seen = new ArrayList<>();
            boolean same = true;
            for (int server : servers) {
                try {
                    AppserverProbe.Standing standing = access.probe(server).standing();
                    seen.add(name(server) + ": " + standing);
                    same &= standing.settled() && (first == null || first.equals(standing));
                    first = standing;
                } catch (IOException unreachable) {
                    seen.add(name(server) + ": " + unreachable.getMessage());
                    same = false;
                }
            }
            if (!same || first == null) {
                unlike.addAll(seen);
                return 0;
            }
            return first.certificate();
        }

        private boolean compare(int server, AspasClient client) throws InterruptedException {
            boolean answered = comparison.compare(
                    name(server),
                    key -> client.counter(key).get(ReadLevel.CERTIFIED).thenApply(ReadResult::value),
                    key -> client.set(key)
                            .get(ReadLevel.CERTIFIED)
                            .thenApply(result -> ClientSession.texts(result.value())));
            long failures = client.statistics().verificationFailures();
            if (failures > 0) {
                comparison.differs(name(server) + ": " + failures + " verification failures while comparing");
            }
            return answered;
        }
    }
}
