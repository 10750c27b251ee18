package org.aspas.emulab.cli;

import static org.aspas.emulab.cli.NodeProcesses.NODES;
import static org.aspas.emulab.cli.NodeProcesses.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.certificate.CertificateChain;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ReadLevel;
import org.aspas.emulab.testbed.cluster.AppserverProbe;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.awaitility.Awaitility;

/** Eight nodes and some clients, all as processes, under load; and what must hold whoever of them is killed. For one thread. */
final class CrashLab implements AutoCloseable {
    private final NodeProcesses nodes;
    private final Descriptor descriptor;
    private final List<CrashClient> clients = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private final long seed;
    private final String[] options;
    /** Up to which certificate the chain was looked at, at each server. */
    private final Map<Integer, Certificate> looked = new TreeMap<>();

    private CrashLab(NodeProcesses nodes, long seed, String... options) throws DeploymentDirectory.UnusableDirectory {
        this.nodes = nodes;
        this.seed = seed;
        this.options = options;
        this.descriptor = new DeploymentDirectory(nodes.lab()).descriptor();
    }

    /** Starts all, and waits until clients are answered and certificates come. */
    static CrashLab start(Path folder, int clients, long seed) throws Exception {
        return start(NodeProcesses.in(folder), folder, clients, seed);
    }

    /** Starts all nodes of a deployment, with these options of appservers. */
    static CrashLab start(NodeProcesses nodes, Path folder, int clients, long seed, String... options)
            throws Exception {
        CrashLab lab = new CrashLab(nodes, seed, options);
        try {
            lab.launchAll();
            lab.awaitAllBack();
            for (int client = 0; client < clients; client++) {
                CrashClient made = new CrashClient(folder, lab.nodes.lab(), "client" + client, client % NODES);
                lab.clients.add(made);
                made.start(seed);
            }
            lab.awaitAnswers(5);
            Awaitility.await().atMost(PATIENCE).until(() -> lab.newestCertificate() > 0);
            return lab;
        } catch (Exception | Error failed) {
            lab.close();
            throw failed;
        }
    }

    NodeProcesses nodes() {
        return nodes;
    }

    List<CrashClient> clients() {
        return clients;
    }

    void launchAll() throws Exception {
        for (int index = 0; index < NODES; index++) {
            launch("bftserver", index);
            launch("appserver", index);
        }
    }

    void awaitAllBack() {
        for (int index = 0; index < NODES; index++) {
            awaitBack("bftserver", index);
            awaitBack("appserver", index);
        }
    }

    void launch(String role, int index, String... jvm) throws Exception {
        if (role.equals("bftserver")) {
            nodes.launchReplica(index);
        } else {
            nodes.launch(List.of(jvm), role, index, options);
        }
    }

    /** Waits until a node that was started does its work. */
    void awaitBack(String role, int index) {
        if (role.equals("bftserver")) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> nodes.takesPart(index, 1)
                            || !nodes.node("bftserver-" + index).isAlive());
        } else {
            AppserverProbe probe = new AppserverProbe(
                    http, URI.create("http://127.0.0.1:" + nodes.ports().clientPort(index)));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() ->
                            probe.ready() || !nodes.node("appserver-" + index).isAlive());
        }
        assertThat(nodes.node(role + "-" + index).isAlive())
                .as(role + "-" + index)
                .isTrue();
    }

    /** Waits until each client that runs has had so many answers more. */
    void awaitAnswers(int more) {
        Map<CrashClient, Integer> before = new HashMap<>();
        clients.forEach(client -> before.put(client, client.answered()));
        for (CrashClient client : clients) {
            Awaitility.await(client.name())
                    .atMost(PATIENCE)
                    .until(() -> client.answered() >= before.getOrDefault(client, 0) + more || !client.runs());
            assertThat(client.runs()).as(client.name()).isTrue();
        }
    }

    void restartClient(int index) throws Exception {
        clients.get(index).kill();
        clients.get(index).start(seed);
    }

    /** The newest certificate that any client has seen. */
    long newestCertificate() {
        return firstSeen().keySet().stream().max(Long::compare).orElse(0L);
    }

    /** When which certificate was seen first, in milliseconds of the wall clock. */
    Map<Long, Long> firstSeen() {
        Map<Long, Long> seen = new TreeMap<>();
        for (CrashClient client : clients) {
            client.look();
            client.certificates().forEach((number, time) -> seen.merge(number, time, Math::min));
        }
        return seen;
    }

    List<String> failures() {
        List<String> failures = new ArrayList<>();
        for (CrashClient client : clients) {
            client.look();
            client.failures().forEach(failure -> failures.add(client.name() + " " + failure));
        }
        return failures;
    }

    String counts() {
        int tried = 0;
        int acknowledged = 0;
        long reads = 0;
        for (CrashClient client : clients) {
            client.look();
            tried += client.tried().size();
            acknowledged += client.acknowledged().size();
            reads += client.reads();
        }
        return "updates " + tried + ", acknowledged " + acknowledged + ", reads " + reads + ", failed "
                + failures().size();
    }

    // ---- What must hold ----

    /** What was acknowledged up to now is certified, each update counts once, and there is one chain of certificates. */
    void verify() throws Exception {
        for (CrashClient client : clients) {
            client.look();
            List<Long> acknowledged = List.copyOf(client.acknowledged());
            List<Long> tried = List.copyOf(client.tried());
            try (AspasClient reader = AspasClient.connectEphemeral(
                    descriptor, ClientOptions.defaults().withServer(clients.indexOf(client) % NODES))) {
                Map<String, Long> values = new TreeMap<>();
                Awaitility.await(client.name() + ": all acknowledged updates certified")
                        .atMost(PATIENCE)
                        .until(() -> missing(reader, client.name(), acknowledged, values)
                                .isEmpty());
                for (long update : tried) {
                    Long value = values.get(CrashClientMain.counter(client.name(), update));
                    long held = value == null ? value(reader, CrashClientMain.counter(client.name(), update)) : value;
                    assertThat(CrashClientMain.times(held, update))
                            .as("%s update %d counts", client.name(), update)
                            .isLessThan(2);
                }
            }
        }
        chain();
    }

    private static List<Long> missing(
            AspasClient reader, String client, List<Long> acknowledged, Map<String, Long> values) throws Exception {
        values.clear();
        List<Long> missing = new ArrayList<>();
        for (long update : acknowledged) {
            String counter = CrashClientMain.counter(client, update);
            if (!values.containsKey(counter)) {
                values.put(counter, value(reader, counter));
            }
            if (CrashClientMain.times(values.getOrDefault(counter, 0L), update) == 0) {
                missing.add(update);
                break;
            }
        }
        return missing;
    }

    private static long value(AspasClient reader, String counter) throws Exception {
        return reader.counter(counter)
                .get(ReadLevel.CERTIFIED)
                .toCompletableFuture()
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .value();
    }

    /** At every server the certificates follow each other, and those with one number are one. */
    private void chain() throws Exception {
        Map<Long, Certificate> all = new TreeMap<>();
        for (int server = 0; server < NODES; server++) {
            try (AspasClient asking = AspasClient.connectEphemeral(
                    descriptor, ClientOptions.defaults().withServer(server))) {
                long newest = certificate(asking, 0).orElseThrow().number().value();
                Certificate last = looked.get(server);
                for (long next = last == null ? 1 : last.number().value() + 1; next <= newest; next++) {
                    Optional<Certificate> found = certificate(asking, next);
                    // One that is not kept any more is no hole: the server told of a later one.
                    if (found.isPresent()) {
                        Certificate before = looked.put(server, found.get());
                        boolean follows = before != null
                                && before.number().next().equals(found.get().number());
                        assertThat(follows ? CertificateChain.wrong(before, found.get()) : Optional.empty())
                                .as("certificate %d of appserver-%d", next, server)
                                .isEmpty();
                        Certificate same = all.putIfAbsent(next, found.get());
                        assertThat(same == null ? found.get().hash() : same.hash())
                                .as("certificate %d of appserver-%d", next, server)
                                .isEqualTo(found.get().hash());
                    }
                }
            }
        }
        assertThat(all).isNotEmpty();
    }

    private static Optional<Certificate> certificate(AspasClient client, long number) throws Exception {
        return client.certificate(new CertificateNumber(number))
                .toCompletableFuture()
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() throws InterruptedException {
        for (CrashClient client : clients) {
            client.close();
        }
        nodes.close();
    }
}
