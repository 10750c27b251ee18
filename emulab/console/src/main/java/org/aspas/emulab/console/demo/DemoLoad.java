package org.aspas.emulab.console.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.emulab.lab.attack.AttackStage;
import org.aspas.emulab.lab.attack.ByzantineReport;
import org.aspas.emulab.lab.cluster.Cluster;
import org.aspas.emulab.lab.delay.EmulatedNetwork;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.WorkloadDriver;
import org.aspas.emulab.workload.WorkloadPhase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.WorkloadException;

/** The clients of a live demo, which go on until they are closed. Thread-safe. */
final class DemoLoad implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DemoLoad.class);
    private static final long ENDLESS_MILLIS = TimeUnit.DAYS.toMillis(365);
    private static final long CLOSE_SECONDS = 5;
    private static final List<String> LABELS = List.of("careful", "balanced", "fast");

    private final LiveDemoOptions options;
    private final OperationTally tally;
    private final OpenUpdates open;
    private final List<ObservedSession> sessions = new ArrayList<>();
    private final List<ClientClass> classes = new ArrayList<>();
    private final List<String> classOfClient = new ArrayList<>();
    private final Map<Integer, ClientClass> classByClient = new ConcurrentHashMap<>();
    private final Measures measures = new Measures(System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(ENDLESS_MILLIS));
    private final Thread driver = new Thread(this::drive, "console-workload");
    private volatile long begun = System.nanoTime();

    private DemoLoad(LiveDemoOptions options, int servers) {
        this.options = options;
        this.tally = new OperationTally(servers);
        this.open = new OpenUpdates(options.clients());
        driver.setDaemon(true);
    }

    /**
     * Connects all clients, each at its place in the world.
     *
     * @throws TimeoutException when one has no session in time
     */
    static DemoLoad connect(
            LiveDemoOptions options,
            Cluster cluster,
            EmulatedNetwork network,
            ClientResources resources,
            AttackStage stage)
            throws InterruptedException, TimeoutException {
        DemoLoad load = new DemoLoad(options, cluster.appservers());
        List<ToleranceClass> dealt = options.mix().deal(options.clients());
        for (int number = 0; number < dealt.size(); number++) {
            ClientOptions own = ClientOptions.defaults()
                    .withResources(resources)
                    .withPolicy(options.policy())
                    .withTolerance(dealt.get(number).tolerance());
            int home = network.world().home(number, cluster.appservers());
            AspasClient client = cluster.client(home, network.place(own, resources, number));
            int mine = number;
            stage.watch(number, client);
            load.sessions.add(new ObservedSession(
                    number, new ClientSession(client), load.tally, load.open, () -> load.classOf(mine)));
        }
        load.classify(dealt);
        for (ObservedSession session : load.sessions) {
            await(session, options.patience());
        }
        return load;
    }

    private static void await(ObservedSession session, Duration patience)
            throws InterruptedException, TimeoutException {
        try {
            session.client().ready().toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a client gets no session: " + failed.getCause(), failed);
        }
    }

    private void classify(List<ToleranceClass> dealt) {
        for (ToleranceClass one : options.mix().classes()) {
            List<AspasClient> members = new ArrayList<>();
            List<Integer> numbers = new ArrayList<>();
            for (int number = 0; number < dealt.size(); number++) {
                if (dealt.get(number).equals(one)) {
                    members.add(sessions.get(number).client());
                    numbers.add(number);
                }
            }
            int place = classes.size();
            String label = place < LABELS.size() ? LABELS.get(place) : one.label();
            ClientClass made = new ClientClass(Character.toString('a' + place), label, one, members);
            classes.add(made);
            numbers.forEach(number -> classByClient.put(number, made));
        }
        for (int number = 0; number < dealt.size(); number++) {
            classOfClient.add(classOf(number).id());
        }
    }

    private ClientClass classOf(int client) {
        ClientClass found = classByClient.get(client);
        if (found == null) {
            throw new IllegalStateException("client " + client + " has no class");
        }
        return found;
    }

    OperationTally tally() {
        return tally;
    }

    OpenUpdates open() {
        return open;
    }

    List<ClientClass> classes() {
        return List.copyOf(classes);
    }

    /** The id of each client's class. */
    List<String> classOfClient() {
        return List.copyOf(classOfClient);
    }

    int serverOf(int client) {
        return sessions.get(client).client().server();
    }

    int[] clientsByServer() {
        int[] clients = new int[options.quorums().appservers()];
        sessions.forEach(session -> clients[session.client().server()]++);
        return clients;
    }

    void begin() {
        begun = System.nanoTime();
        driver.start();
    }

    private void drive() {
        List<StoreSession> all = List.copyOf(sessions);
        List<ToleranceClass> dealt = options.mix().deal(options.clients());
        try {
            new WorkloadDriver(all, dealt, measures, new Ledger(), options.seed(), options.load())
                    .run(List.of(new WorkloadPhase(options.workload(), ENDLESS_MILLIS)), phase -> {});
        } catch (InterruptedException ending) {
            LOG.debug("the demo's workload ends");
        } catch (WorkloadException | RuntimeException bug) {
            LOG.error("the demo's workload has ended", bug);
        }
    }

    DemoSummary summary(long certificate, Optional<ByzantineReport> attack) {
        return new DemoSummary(
                (System.nanoTime() - begun) / 1e9,
                measures.operations(),
                measures.errors(),
                sessions.stream()
                        .mapToLong(ObservedSession::verificationFailures)
                        .sum(),
                certificate,
                attack);
    }

    /** Begins no more operations, and closes all clients. */
    @Override
    public void close() {
        driver.interrupt();
        sessions.stream()
                .map(ObservedSession::close)
                .toList()
                .forEach(end -> end.toCompletableFuture()
                        .handle((done, failure) -> true)
                        .completeOnTimeout(true, CLOSE_SECONDS, TimeUnit.SECONDS)
                        .join());
    }
}
