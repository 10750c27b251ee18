package org.aspas.emulab.console.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.appserver.store.Durability;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.core.port.Policy;
import org.aspas.emulab.console.feed.CertificateShelf;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.console.feed.ProofShelf;
import org.aspas.emulab.console.feed.ValueFeed;
import org.aspas.emulab.console.http.ConsoleServer;
import org.aspas.emulab.console.port.ActionRefused;
import org.aspas.emulab.console.port.ConsoleBackend;
import org.aspas.emulab.lab.attack.AttackStage;
import org.aspas.emulab.lab.attack.ByzantineReport;
import org.aspas.emulab.lab.cluster.Cluster;
import org.aspas.emulab.lab.cluster.Keeping;
import org.aspas.emulab.lab.delay.EmulatedNetwork;
import org.aspas.emulab.sim.role.Roles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All tiers in this process, clients that go on until it is closed, and a console over all of it. Thread-safe. */
public final class LiveDemo implements AutoCloseable, ConsoleBackend {
    private static final Logger LOG = LoggerFactory.getLogger(LiveDemo.class);
    private static final long TICK_MILLIS = 500;
    /** Values and lag change slowly, and cost reads. */
    private static final int TICKS_PER_SLOW_ONE = 2;

    private final EmulatedNetwork network;
    private final Cluster cluster;
    private final AttackStage stage;
    private final ClientResources resources =
            ClientResources.create(Math.max(2, Runtime.getRuntime().availableProcessors()));
    private final DemoLoad load;
    private final ConsoleState state;
    private final CertificateShelf certificates;
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
     * Starts everything, and returns when the servers are ready, clients work and the console is open.
     *
     * @throws TimeoutException when a server or client is not ready in time
     */
    public static LiveDemo start(LiveDemoOptions options) throws IOException, InterruptedException, TimeoutException {
        AttackStage stage = new AttackStage(options.quorums().appservers(), options.seed());
        EmulatedNetwork network = new EmulatedNetwork(options.world(), options.seed());
        Cluster cluster = Cluster.start(
                options.quorums(),
                Keeping.NOTHING
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

    private LiveDemo(LiveDemoOptions options, EmulatedNetwork network, Cluster cluster, AttackStage stage)
            throws IOException, InterruptedException, TimeoutException {
        this.network = network;
        this.cluster = cluster;
        this.stage = stage;
        this.state = new ConsoleState(DemoTopology.frame(options, cluster.descriptor(), DemoActions.NAMES));
        this.certificates = new CertificateShelf(state);
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

    /** One that reads at a server whatever that does, and is next to it: the world does not delay it. */
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
     * The roles that somebody may take over a server in: those that need nobody who asks for snapshots, nor the server's log from its
     * first entry on, which nobody has seen who takes it over later.
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
}
