package org.aspas.emulab.console.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.emulab.testbed.attack.AttackController;
import org.aspas.emulab.testbed.attack.ByzantineReport;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.OperationKind;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.WorkloadDriver;
import org.aspas.emulab.workload.WorkloadPhase;
import org.aspas.emulab.workload.Write;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.WorkloadException;

/** The clients of a live demo, which work until they are closed. Thread-safe. */
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
     * @throws TimeoutException when a client gets no session in time
     */
    static DemoLoad connect(
            LiveDemoOptions options,
            Cluster cluster,
            EmulatedNetwork network,
            ClientResources resources,
            AttackController stage)
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

    /** Returns the id of each client's class. */
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

    /** Issues no more operations and closes all clients. */
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

    /** A client of the workload whose operations are counted at the server that answers them. Thread-safe. */
    private record ObservedSession(
            int number, ClientSession session, OperationTally tally, OpenUpdates open, Supplier<ClientClass> ofClass)
            implements StoreSession {
        AspasClient client() {
            return session.client();
        }

        @Override
        public Write increment(String key, long amount) {
            long began = System.nanoTime();
            OpenUpdates.Stretch stretch = open.begin(number);
            return observed(key, began, stretch, session.increment(key, amount));
        }

        @Override
        public Write add(String key, String element) {
            long began = System.nanoTime();
            OpenUpdates.Stretch stretch = open.begin(number);
            return observed(key, began, stretch, session.add(key, element));
        }

        private Write observed(String key, long began, OpenUpdates.Stretch stretch, Write write) {
            write.answered().whenComplete((answer, failure) -> {
                if (ended(OperationKind.UPDATE, key, began, failure)) {
                    ofClass.get().answered(System.nanoTime() - began);
                }
            });
            write.confirmed().whenComplete((confirmation, failure) -> {
                stretch.ended(number, failure == null);
                if (failure == null) {
                    tally.at(client().server()).confirmed.increment();
                }
            });
            return write;
        }

        @Override
        public CompletionStage<Long> counter(String key) {
            return read(key, session.counter(key));
        }

        @Override
        public CompletionStage<Set<String>> set(String key) {
            return read(key, session.set(key));
        }

        private <T> CompletionStage<T> read(String key, CompletionStage<T> value) {
            long began = System.nanoTime();
            return value.whenComplete((found, failure) -> ended(OperationKind.READ, key, began, failure));
        }

        private boolean ended(OperationKind kind, String key, long began, @Nullable Throwable failure) {
            int server = client().server();
            OperationTally.Counts counts = tally.at(server);
            if (failure != null) {
                counts.failed.increment();
                return false;
            }
            (kind == OperationKind.READ ? counts.reads : counts.updates).increment();
            tally.ended(new OperationTally.Sample(server, number, kind, key, System.nanoTime() - began));
            return true;
        }

        @Override
        public long verificationFailures() {
            return session.verificationFailures();
        }

        @Override
        public long updates() {
            return session.updates();
        }

        @Override
        public long switches() {
            return session.switches();
        }

        @Override
        public CompletionStage<?> close() {
            return session.close();
        }
    }
}
