package org.aspas.emulab.rivals.aspas;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ReadLevel;
import org.aspas.emulab.lab.cluster.AppserverProbe;
import org.aspas.emulab.lab.cluster.Cluster;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;

/**
 * Asks every correct appserver, once nothing is written any more: for its newest certificate over HTTP until all name the same and
 * have certified all they hold, and then for the CERTIFIED value of every object written, through a client of its own that
 * verifies the proofs. Values must equal what the clients were answered: a counter the sum of its acknowledged increments,
 * a set the elements acknowledged.
 */
final class ConvergenceCheck {
    private static final long POLL_MILLIS = 100;
    private static final long ANSWER_SECONDS = 20;
    private static final int AT_ONCE = 100;

    private final Cluster cluster;
    private final Ledger ledger;
    private final ClientOptions options;
    private final List<Integer> servers;
    private final Duration patience;
    private final List<String> differences = new ArrayList<>();
    private long missing;
    private long lost;

    /**
     * A check.
     *
     * @param cluster the deployment
     * @param servers the appservers to ask
     * @param ledger what clients were answered
     * @param options for clients that ask
     * @param patience how long the servers may take to agree on a certificate
     */
    ConvergenceCheck(
            Cluster cluster, List<Integer> servers, Ledger ledger, ClientOptions options, Duration patience) {
        this.cluster = cluster;
        this.servers = List.copyOf(servers);
        this.ledger = ledger;
        this.options = options;
        this.patience = patience;
    }

    /** Asks and compares; takes at most a few tens of seconds. */
    Convergence run() throws InterruptedException {
        Map<Integer, AspasClient> clients = new LinkedHashMap<>();
        try {
            servers.forEach(server -> clients.put(server, cluster.client(server, options)));
            Set<Integer> answered = new TreeSet<>();
            for (Map.Entry<Integer, AspasClient> client : clients.entrySet()) {
                if (get(client.getKey(), "session", client.getValue().ready()) != null) {
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
            int objects = ledger.counters().size() + ledger.sets().size();
            return new Convergence(servers.size(), asked, certificate, objects, lost, differences);
        } finally {
            clients.values().forEach(AspasClient::close);
        }
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
                differences.add("no agreement on a certificate within " + patience.toSeconds() + " s:");
                differences.addAll(unlike);
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
                AppserverProbe.Standing standing = cluster.probe(server).standing();
                seen.add("appserver-" + server + ": " + standing);
                same &= standing.settled() && (first == null || first.equals(standing));
                first = standing;
            } catch (IOException unreachable) {
                seen.add("appserver-" + server + ": " + unreachable.getMessage());
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
        missing = 0;
        boolean counters = compare(
                server,
                ledger.counters(),
                key -> client.counter(key).get(ReadLevel.CERTIFIED).thenApply(result -> result.value()));
        boolean sets = compare(
                server,
                ledger.sets(),
                key -> client.set(key)
                        .get(ReadLevel.CERTIFIED)
                        .thenApply(result -> ClientSession.texts(result.value())));
        lost = Math.max(lost, missing);
        long failures = client.statistics().verificationFailures();
        if (failures > 0) {
            differences.add("appserver-" + server + ": " + failures + " verification failures while comparing");
        }
        return counters && sets;
    }

    private <T> boolean compare(int server, Map<String, T> expected, Function<String, CompletionStage<T>> read)
            throws InterruptedException {
        List<String> keys = List.copyOf(expected.keySet());
        for (int from = 0; from < keys.size(); from += AT_ONCE) {
            Map<String, CompletionStage<T>> asked = new LinkedHashMap<>();
            keys.subList(from, Math.min(keys.size(), from + AT_ONCE)).forEach(key -> asked.put(key, read.apply(key)));
            for (Map.Entry<String, CompletionStage<T>> question : asked.entrySet()) {
                T found = get(server, question.getKey(), question.getValue());
                if (found == null) {
                    return false;
                }
                T wanted = expected.get(question.getKey());
                if (wanted != null && !found.equals(wanted)) {
                    missing += missing(wanted, found);
                    differences.add("appserver-" + server + ": " + question.getKey() + " is " + shortened(found)
                            + ", but clients were answered " + shortened(wanted));
                }
            }
        }
        return true;
    }

    /** How much of what clients were answered is not there: the sum of increments, or elements. */
    private static long missing(Object wanted, Object found) {
        if (wanted instanceof Long sum && found instanceof Long value) {
            return Math.max(0, sum - value);
        }
        Set<Object> elements = new HashSet<>((Set<?>) wanted);
        elements.removeAll((Set<?>) found);
        return elements.size();
    }

    private static String shortened(@org.jspecify.annotations.Nullable Object value) {
        return value instanceof Set<?> set ? set.size() + " elements " + set : String.valueOf(value);
    }

    private <T> @org.jspecify.annotations.Nullable T get(int server, String what, CompletionStage<T> stage)
            throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            differences.add("appserver-" + server + ": " + what + ": " + failed.getCause());
        } catch (TimeoutException late) {
            differences.add("appserver-" + server + ": " + what + ": no answer within " + ANSWER_SECONDS + " s");
        }
        return null;
    }
}
