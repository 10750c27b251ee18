package org.aspas.emulab.console.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.appserver.store.Durability;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.PublicKey;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.core.Policy;
import org.aspas.emulab.console.feed.ActionRefused;
import org.aspas.emulab.console.feed.ConsoleBackend;
import org.aspas.emulab.console.feed.ConsoleServer;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.console.feed.HelloFields;
import org.aspas.emulab.console.feed.ProofShelf;
import org.aspas.emulab.console.feed.RecentCertificates;
import org.aspas.emulab.console.feed.ValueFeed;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.world.Site;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.testbed.attack.AttackController;
import org.aspas.emulab.testbed.attack.ByzantineReport;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.testbed.cluster.StorageOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A live demo: all tiers in this process, clients that work until it is closed, and a console. Thread-safe. */
public final class LiveDemo implements AutoCloseable, ConsoleBackend {
    private static final Logger LOG = LoggerFactory.getLogger(LiveDemo.class);
    private static final long TICK_MILLIS = 500;
    /** The interval of values and lag, which change slowly and cost reads. */
    private static final int TICKS_PER_SLOW_ONE = 2;

    private final EmulatedNetwork network;
    private final Cluster cluster;
    private final AttackController stage;
    private final ClientResources resources =
            ClientResources.create(Math.max(2, Runtime.getRuntime().availableProcessors()));
    private final DemoLoad load;
    private final ConsoleState state;
    private final RecentCertificates certificates;
    private final ProofShelf proofs;
    private final NodeFeed nodes;
    private final StoryFeed story;
    private final ClientFeed clients;
    private final ValueFeed values;
    private final DemoActions actions;
    private final ConsoleServer server;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "console-feed");
        made.setDaemon(true);
        return made;
    });
    private int ticks;
    private boolean closed;

    /**
     * Starts everything, and returns when the servers are ready, the clients work and the console is open.
     *
     * @throws TimeoutException when a server or client is not ready in time
     */
    public static LiveDemo start(LiveDemoOptions options) throws IOException, InterruptedException, TimeoutException {
        AttackController stage = new AttackController(options.quorums().appservers(), options.seed());
        EmulatedNetwork network = new EmulatedNetwork(options.world(), options.seed());
        Cluster cluster = Cluster.start(
                options.quorums(),
                StorageOptions.NOTHING
                        .with(Durability.OS)
                        .options()
                        .withMachines(stage::machine)
                        .in(network));
        boolean ready = false;
        try {
            cluster.awaitReady(options.patience());
            LiveDemo demo = new LiveDemo(options, network, cluster, stage);
            ready = true;
            return demo;
        } finally {
            if (!ready) {
                cluster.close();
                network.close();
            }
        }
    }

    private LiveDemo(LiveDemoOptions options, EmulatedNetwork network, Cluster cluster, AttackController stage)
            throws IOException, InterruptedException, TimeoutException {
        this.network = network;
        this.cluster = cluster;
        this.stage = stage;
        this.state = new ConsoleState(DemoTopology.frame(options, cluster.descriptor(), DemoActions.NAMES));
        this.certificates = new RecentCertificates(state);
        this.proofs = new ProofShelf(state);
        this.nodes = new NodeFeed(state, cluster, stage, options.world());
        this.load = DemoLoad.connect(options, cluster, network, resources, stage);
        this.story = new StoryFeed(state, certificates, proofs, load.open(), load::serverOf, nodes::excluded);
        stage.listen(story);
        this.clients = new ClientFeed(state, load.tally(), load.classes(), load.classOfClient(), cluster.appservers());
        this.values = new ValueFeed(state, options.watched(), cluster.appservers(), this::reader);
        this.actions = new DemoActions(state, cluster, stage, network, load.classes(), nodes, story);
        this.server = ConsoleServer.start(state, this);
        load.begin();
        var unused = timer.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Makes a client that reads at one server whatever that server does. The world does not delay it. */
    private AspasClient reader(int appserver) {
        return cluster.client(
                appserver, ClientOptions.defaults().withResources(resources).withPolicy(Policy.STAY));
    }

    private void tick() {
        try {
            boolean slow = ++ticks % TICKS_PER_SLOW_ONE == 0;
            if (state.isHeard()) {
                nodes.publish(load.clientsByServer());
                clients.publish();
                if (slow) {
                    values.publish();
                    nodes.lag();
                }
            }
            stage.report().ifPresent(story::publish);
        } catch (RuntimeException bug) {
            LOG.error("the console's feed fails", bug);
        }
    }

    /**
     * Returns the roles in which an attacker can take over a running server. Left out are roles that need a server that requests a
     * snapshot, and roles that need the server's log from its first entry on, which a late attacker has not seen.
     */
    public static List<String> roles() {
        return Roles.servers().stream()
                .filter(role -> !Roles.liesInSnapshots(role) && !Roles.needsItsWholeLog(role))
                .toList();
    }

    public URI address() {
        return server.address();
    }

    public DemoSummary summary() {
        return load.summary(certificates.newest(), stage.report());
    }

    @Override
    public DescriptorFile descriptor() {
        return cluster.deployment().file();
    }

    @Override
    public PublicKey operator() {
        return cluster.deployment().operator().publicKey();
    }

    @Override
    public Optional<byte[]> certificate(long number) {
        return certificates.find(number);
    }

    @Override
    public Optional<byte[]> proof(String hash) {
        return proofs.find(hash);
    }

    @Override
    public Optional<byte[]> verdict(String hash) {
        return proofs.verdict(hash);
    }

    @Override
    public String act(String name, ObjectNode body) throws ActionRefused {
        return actions.act(name, body);
    }

    /** Ends the clients, the console and all servers. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        state.end("The demo has ended.");
        timer.shutdownNow();
        actions.close();
        load.close();
        values.close();
        server.close();
        resources.close();
        cluster.close();
        network.close();
    }

    public Optional<ByzantineReport> attack() {
        return stage.report();
    }

    /** The constant part of a demo, as the first event describes it. */
    private static final class DemoTopology {
        private DemoTopology() {}

        /** Returns the constant fields of {@code hello}. */
        static ObjectNode frame(LiveDemoOptions options, Descriptor descriptor, List<String> actions) {
            WorldMap world = options.world();
            ObjectNode frame = HelloFields.begin("demo", "ASPAS demo in world " + world.name(), descriptor, actions);
            ObjectNode topology =
                    frame.withObject("/topology").put("world", world.name()).put("about", world.about());
            sites(topology.putArray("sites"), options, descriptor);
            HelloFields.links(topology, List.copyOf(world.sites().keySet()), world.roundTrips(), 0.0);
            ArrayNode roles = frame.withArray("/roles");
            LiveDemo.roles()
                    .forEach(role -> roles.addObject()
                            .put("name", role)
                            .put("line", Roles.line(role))
                            .put("provable", Roles.isProvable(role)));
            return frame;
        }

        private static void sites(ArrayNode sites, LiveDemoOptions options, Descriptor descriptor) {
            WorldMap world = options.world();
            for (Site site : world.sites().values()) {
                ObjectNode fields = sites.addObject()
                        .put("name", site.name())
                        .put("near", site.near())
                        .put("latitude", site.latitude())
                        .put("longitude", site.longitude());
                ArrayNode nodes = fields.putArray("nodes");
                descriptor.nodes().stream()
                        .map(NodeDescription::id)
                        .filter(node -> Optional.of(site).equals(world.siteOf(node)))
                        .forEach(node -> nodes.add(node.toString()));
                long clients = 0;
                for (int client = 0; client < options.clients(); client++) {
                    clients += Optional.of(site).equals(world.siteOfClient(client)) ? 1 : 0;
                }
                fields.put("clients", clients);
            }
        }
    }

    /** Publishes the operations and the state of the clients. For one thread. */
    private static final class ClientFeed {
        private final ConsoleState state;
        private final OperationTally tally;
        private final List<ClientClass> classes;
        private final List<String> classOfClient;
        private final int servers;
        private long before = System.nanoTime();

        ClientFeed(
                ConsoleState state,
                OperationTally tally,
                List<ClientClass> classes,
                List<String> classOfClient,
                int servers) {
            this.state = state;
            this.tally = tally;
            this.classes = classes;
            this.classOfClient = classOfClient;
            this.servers = servers;
        }

        void publish() {
            operations();
            classes();
        }

        private void operations() {
            long now = System.nanoTime();
            ObjectNode event = state.timed().put("millis", TimeUnit.NANOSECONDS.toMillis(now - before));
            before = now;
            ArrayNode all = event.putArray("servers");
            for (int server = 0; server < servers; server++) {
                OperationTally.Counts counts = tally.at(server);
                all.addObject()
                        .put("server", "appserver-" + server)
                        .put("updates", counts.updates.sumThenReset())
                        .put("reads", counts.reads.sumThenReset())
                        .put("confirmed", counts.confirmed.sumThenReset())
                        .put("failed", counts.failed.sumThenReset());
            }
            ArrayNode samples = event.putArray("samples");
            for (OperationTally.Sample one : tally.takeSamples()) {
                samples.addObject()
                        .put("server", "appserver-" + one.server())
                        .put("client", one.client())
                        .put("class", classOfClient.get(one.client()))
                        .put("kind", one.kind().name().toLowerCase(Locale.ROOT))
                        .put("key", one.key())
                        .put("millis", tenths(one.nanos()));
            }
            state.publish("operations", event);
        }

        private void classes() {
            ObjectNode event = state.timed();
            ArrayNode all = event.putArray("classes");
            for (ClientClass one : classes) {
                ClientClass.Picture now = one.take();
                ObjectNode fields = all.addObject()
                        .put("id", one.id())
                        .put("label", one.label())
                        .put("clients", one.size());
                if (one.tolerance().tolerance() == 0) {
                    fields.putNull("tau");
                } else {
                    fields.put("tau", one.tolerance().tolerance());
                }
                fields.put("waiting", now.waiting());
                ratio(fields, "waited", now.waited(), now.updates());
                fields.put("unconfirmed", now.unconfirmed())
                        .put("exposure", now.exposure())
                        .put("updates", now.updates())
                        .put("answered", now.answered());
                if (now.answered() == 0) {
                    fields.putNull("answerMillis");
                } else {
                    fields.put("answerMillis", tenths(now.answerNanos() / now.answered()));
                }
            }
            state.publish("classes", event);
        }

        private static void ratio(ObjectNode fields, String name, long part, long whole) {
            if (whole == 0) {
                fields.putNull(name);
            } else {
                fields.put(name, Math.min(1, Math.round(1000.0 * part / whole) / 1000.0));
            }
        }

        /** Returns milliseconds with one decimal place. */
        static double tenths(long nanos) {
            return Math.round(nanos / 100_000.0) / 10.0;
        }
    }
}
