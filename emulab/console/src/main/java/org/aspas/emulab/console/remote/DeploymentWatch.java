package org.aspas.emulab.console.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.core.port.Policy;
import org.aspas.emulab.console.feed.CertificateShelf;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.console.feed.ProofShelf;
import org.aspas.emulab.console.feed.ValueFeed;
import org.aspas.emulab.console.http.ConsoleServer;
import org.aspas.emulab.console.port.ActionRefused;
import org.aspas.emulab.console.port.ActionRefused.Why;
import org.aspas.emulab.console.port.ConsoleBackend;
import org.aspas.emulab.console.port.NodeControl;
import org.aspas.emulab.lab.cluster.AppserverAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A console over a deployment of processes. Thread-safe. */
public final class DeploymentWatch implements AutoCloseable, ConsoleBackend {
    private static final Logger LOG = LoggerFactory.getLogger(DeploymentWatch.class);
    private static final long TICK_MILLIS = 1_000;
    private static final Duration CONNECT = Duration.ofSeconds(2);

    private final WatchOptions options;
    private final ConsoleState state;
    private final CertificateShelf certificates;
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
        this.certificates = new CertificateShelf(state);
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
     * @throws IOException when there is no free port
     */
    public static DeploymentWatch start(WatchOptions options) throws IOException {
        DeploymentWatch watch = new DeploymentWatch(options);
        var unused = watch.timer.scheduleWithFixedDelay(watch::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    /** One with a fresh key, which stays with its server and writes nothing. */
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
                    Why.READ_ONLY, "This console may only look; with the operator's key --operate lets it act.");
        }
        String done = NodeActions.act(control, options.descriptor().quorums(), name, body);
        story("action", body.path("node").asText(), "console", done);
        return done;
    }

    /** Ends the console; the deployment goes on. */
    @Override
    public void close() {
        state.end("The console has ended; the deployment goes on.");
        timer.shutdownNow();
        values.close();
        server.close();
    }
}
