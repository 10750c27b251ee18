package org.aspas.emulab.console.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.core.Policy;
import org.aspas.emulab.console.feed.ActionFields;
import org.aspas.emulab.console.feed.ActionRefused;
import org.aspas.emulab.console.feed.ActionRefused.Why;
import org.aspas.emulab.console.feed.ConsoleBackend;
import org.aspas.emulab.console.feed.ConsoleServer;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.console.feed.NodeControl;
import org.aspas.emulab.console.feed.ProofShelf;
import org.aspas.emulab.console.feed.RecentCertificates;
import org.aspas.emulab.console.feed.ValueFeed;
import org.aspas.emulab.testbed.cluster.AppserverAccess;
import org.aspas.emulab.testbed.cluster.ServerHttp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A console over a deployment of processes. Thread-safe. */
public final class DeploymentWatch implements AutoCloseable, ConsoleBackend {
    private static final Logger LOG = LoggerFactory.getLogger(DeploymentWatch.class);
    private static final long TICK_MILLIS = 1_000;
    private static final Duration CONNECT = Duration.ofSeconds(2);

    private final WatchOptions options;
    private final ConsoleState state;
    private final RecentCertificates certificates;
    private final ProofShelf proofs;
    private final ServerPoll servers;
    private final ConvictionPoll convictions;
    private final AppserverAccess access;
    private final ValueFeed values;
    private final List<AspasClient> clients = new ArrayList<>();
    private final ConsoleServer server;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "console-feed");
        made.setDaemon(true);
        return made;
    });

    private DeploymentWatch(WatchOptions options) throws IOException {
        this.options = options;
        List<String> actions = options.control() == null ? List.of() : NodeActions.NAMES;
        this.state = new ConsoleState(WatchFrame.frame(options, actions));
        this.certificates = new RecentCertificates(state);
        this.proofs = new ProofShelf(state);
        HttpClient http = options.trust().http().connectTimeout(CONNECT).build();
        this.servers = new ServerPoll(options, state, http);
        this.convictions = new ConvictionPoll(options, state, proofs, http);
        this.access = new AppserverAccess(options.descriptor(), http, options.trust());
        this.values = new ValueFeed(state, options.watched(), access.appservers(), this::client);
        this.server = ConsoleServer.start(state, this);
    }

    /**
     * Opens a console.
     *
     * @throws IOException when no port is free
     */
    public static DeploymentWatch start(WatchOptions options) throws IOException {
        DeploymentWatch watch = new DeploymentWatch(options);
        var unused = watch.timer.scheduleWithFixedDelay(watch::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    /** Starts a client with a fresh key that stays with its server and only reads. */
    private AspasClient client(int appserver) {
        AspasClient client = access.client(appserver, ClientOptions.defaults().withPolicy(Policy.STAY));
        clients.add(client);
        return client;
    }

    private void tick() {
        try {
            NodeControl control = options.control();
            servers.publish(control == null ? null : new ServerPoll.Processes(control.running(), control.frozen()));
            clients.forEach(client -> client.certificate(CertificateNumber.NONE)
                    .thenAccept(found -> found.ifPresent(one -> took(one, client.server()))));
            convictions.publish();
            if (state.isHeard() && !options.watched().isEmpty()) {
                values.publish();
            }
        } catch (IOException | RuntimeException failed) {
            LOG.error("the console's feed fails", failed);
        }
    }

    private synchronized void took(Certificate certificate, int from) {
        if (!certificates.take(certificate, NodeId.appserver(from).toString())) {
            return;
        }
        for (Exclusion one : certificate.content().exclusions()) {
            if (servers.excluded(one.origin())) {
                String name = NodeId.appserver(one.origin()).toString();
                String text = "excluded: certificate " + certificate.number() + " says that " + name
                        + " is cut off after entry " + one.cut();
                story("excluded", name, "certificate " + certificate.number(), text);
            }
        }
    }

    private void story(String kind, String node, String by, String text) {
        state.story(state.timed()
                .put("kind", kind)
                .putNull("since")
                .put("server", node)
                .put("by", by)
                .put("text", text)
                .putNull("proof"));
    }

    public URI address() {
        return server.address();
    }

    @Override
    public DescriptorFile descriptor() {
        return options.file();
    }

    @Override
    public PublicKey operator() {
        return options.operator();
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
    public String act(String name, ObjectNode body) throws ActionRefused {
        NodeControl control = options.control();
        if (control == null) {
            throw new ActionRefused(
                    Why.READ_ONLY, "This console is read-only; --operate with the operator's keys enables actions.");
        }
        String done = NodeActions.act(control, options.descriptor().quorums(), name, body);
        story("action", body.path("node").asText(), "console", done);
        return done;
    }

    /** Ends the console; the deployment keeps running. */
    @Override
    public void close() {
        state.end("The console has ended; the deployment keeps running.");
        timer.shutdownNow();
        values.close();
        server.close();
    }

    /** Asks every appserver which servers are convicted, and keeps the proofs that hold. For one thread. */
    private static final class ConvictionPoll {
        private final WatchOptions options;
        private final ConsoleState state;
        private final ProofShelf proofs;
        private final HttpClient http;
        private final EvidenceJudge judge;
        private final Set<String> known = new HashSet<>();

        ConvictionPoll(WatchOptions options, ConsoleState state, ProofShelf proofs, HttpClient http) {
            this.options = options;
            this.state = state;
            this.proofs = proofs;
            this.http = http;
            this.judge = EvidenceJudge.of(options.descriptor());
        }

        void publish() {
            for (NodeDescription server : options.descriptor().nodes(Role.APPSERVER)) {
                JsonNode told = ServerHttp.json(http, server.http().resolve("/v1/blacklist"), ServerPoll.TIMEOUT)
                        .join();
                told.path("appservers").forEach(one -> take(server, one));
            }
        }

        private void take(NodeDescription server, JsonNode one) {
            String hash = one.path("evidence").asText();
            String accused = "appserver-" + one.path("server").asInt();
            if (!hash.matches("[0-9a-f]{64}") || known.contains(hash)) {
                return;
            }
            URI address = server.http().resolve("/v1/evidence/" + hash);
            Optional<Evidence> evidence = ServerHttp.body(http, address, ServerPoll.TIMEOUT)
                    .join()
                    .flatMap(bytes -> Codec.decode(bytes, Evidence.class).accepted())
                    .filter(found -> Digests.evidence(found).toString().equals(hash));
            if (evidence.isEmpty() || judge.judge(evidence.get()) instanceof Judgement.Unfounded) {
                return; // Another server may have the evidence.
            }
            known.add(hash);
            String by = server.id().toString();
            proofs.take(evidence.get(), by);
            state.story(state.timed()
                    .put("kind", "proof")
                    .putNull("since")
                    .put("server", accused)
                    .put("by", by)
                    .put("text", by + " holds the proof " + evidence.get().kind() + " against " + accused)
                    .put("proof", hash));
        }
    }

    /** Performs a page's actions on processes of this machine. */
    private static final class NodeActions {
        static final List<String> NAMES = List.of("stop", "start", "freeze", "thaw");

        private NodeActions() {}

        /** Performs an action, and returns a sentence about it. */
        static String act(NodeControl control, Quorums quorums, String name, ObjectNode body) throws ActionRefused {
            if (!NAMES.contains(name)) {
                throw new ActionRefused(Why.NOT_AVAILABLE, "There is no action " + name + " here.");
            }
            NodeId node = new ActionFields(body, "node").node("node", quorums);
            try {
                boolean runs = control.running().contains(node);
                boolean frozen = control.frozen().contains(node);
                if (name.equals("start") == runs) {
                    throw new ActionRefused(
                            Why.CONFLICT, node + (runs ? " is already running." : " is not running on this machine."));
                }
                if (name.equals("thaw") != frozen && runs) {
                    throw new ActionRefused(Why.CONFLICT, node + (frozen ? " is frozen." : " is not frozen."));
                }
                return done(control, name, node);
            } catch (IOException failed) {
                throw new ActionRefused(Why.CONFLICT, node + ": " + failed.getMessage());
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
                throw new ActionRefused(Why.CONFLICT, "The console is closing.");
            }
        }

        private static String done(NodeControl control, String name, NodeId node)
                throws IOException, InterruptedException {
            switch (name) {
                case "stop" -> control.stop(node);
                case "start" -> control.start(node);
                case "freeze" -> control.freeze(node);
                default -> control.thaw(node);
            }
            return node
                    + switch (name) {
                        case "stop" -> " is killed";
                        case "start" -> " restarts";
                        case "freeze" -> " is frozen";
                        default -> " continues";
                    };
        }
    }
}
