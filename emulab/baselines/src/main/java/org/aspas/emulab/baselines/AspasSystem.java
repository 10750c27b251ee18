package org.aspas.emulab.baselines;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.core.Policy;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.SessionSettings;
import org.aspas.emulab.workload.SystemUnderTest;

/** ASPAS: a cluster of all tiers in this process, and real clients, each with a key of its own. Thread-safe. */
public final class AspasSystem implements SystemUnderTest {
    private final Cluster cluster;
    private final ClientResources resources;
    private final List<Integer> correct;
    private final Policy policy;

    private AspasSystem(Cluster cluster, ClientResources resources, List<Integer> correct, Policy policy) {
        this.cluster = cluster;
        this.resources = resources;
        this.correct = List.copyOf(correct);
        this.policy = policy;
    }

    /**
     * Waits until a started cluster is ready and makes a system of it. The cluster is the system's, and is closed with it; it
     * is closed too when it is not ready in time.
     *
     * @param correct the appservers that are not Byzantine, by their indexes
     * @throws TimeoutException when a server is not ready in time; the message names it
     */
    public static AspasSystem of(Cluster cluster, List<Integer> correct, Policy policy, Duration patience)
            throws InterruptedException, TimeoutException {
        boolean ready = false;
        try {
            cluster.awaitReady(patience);
            ready = true;
        } finally {
            if (!ready) {
                cluster.close();
            }
        }
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        return new AspasSystem(cluster, ClientResources.create(threads), correct, policy);
    }

    /** The same servers with clients that guard themselves otherwise. Closing one of the two closes both. */
    public AspasSystem guarded(Policy other) {
        return new AspasSystem(cluster, resources, correct, other);
    }

    public Cluster cluster() {
        return cluster;
    }

    public ClientResources resources() {
        return resources;
    }

    @Override
    public String name() {
        return "aspas";
    }

    @Override
    public CompletionStage<ClientSession> open(SessionSettings settings) {
        ClientOptions options = ClientOptions.defaults()
                .withResources(resources)
                .withRoundTrip(settings.roundTrip())
                .withPolicy(policy)
                .withTolerance(settings.tolerance().tolerance());
        int server = settings.client() % cluster.appservers();
        if (settings.placed() && cluster.world().isPresent()) {
            EmulatedNetwork network = cluster.world().get().network();
            options = network.place(options, resources, settings.client());
            server = network.world().home(settings.client(), cluster.appservers());
        }
        AspasClient client = cluster.client(server, options);
        return client.ready().thenApply(ready -> new ClientSession(client));
    }

    @Override
    public void awaitServing(Duration patience) throws IOException, InterruptedException, TimeoutException {
        servers().awaitServing(patience);
    }

    @Override
    public long newestCertificate() throws IOException, InterruptedException {
        return servers().newestCertificate();
    }

    @Override
    public long entries() throws IOException, InterruptedException {
        return servers().entries();
    }

    @Override
    public Convergence converge(Ledger ledger, Duration patience) throws InterruptedException {
        return servers().converge(ledger, resources, patience);
    }

    @Override
    public Map<LagStep, DurationFigures> lagSteps(Duration past) {
        return cluster.lagSteps(past);
    }

    @Override
    public SortedMap<String, SignatureCounts.Reading> signatures() {
        SortedMap<String, SignatureCounts.Reading> parties = new TreeMap<>(cluster.signatures());
        parties.put("clients", resources.signatures().read());
        return parties;
    }

    private CorrectServers servers() {
        return new CorrectServers(cluster.access(), correct);
    }

    @Override
    public void close() {
        resources.close();
        cluster.close();
    }
}
