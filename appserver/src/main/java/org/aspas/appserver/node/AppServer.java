package org.aspas.appserver.node;

import akka.actor.ActorSystem;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.http.HttpCounts;
import org.aspas.appserver.http.JsonClient;
import org.aspas.appserver.http.ServerIdentity;
import org.aspas.appserver.net.CoreHandle;
import org.aspas.appserver.net.PeerLinks;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOptions;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.appserver.store.StoreUnusableException;
import org.aspas.appserver.store.VolatileStore;
import org.aspas.appserver.trace.AppServerSpans;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.lag.StepDurations;
import org.aspas.certify.tag.SessionTags;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running appserver. Thread-safe. */
public final class AppServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AppServer.class);
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final long CLOSE_SECONDS = 10;

    /**
     * Servers of one process start one after another: Akka HTTP remembers the settings that it has read, for all actor
     * systems together, in a plain field ({@code SettingsCompanionImpl.cache}) whose list has mutable nodes, so that a
     * second thread may see one of them half made.
     */
    private static final Lock STARTING = new ReentrantLock();

    private final Parts parts;
    private final ClientListeners listeners;
    private final InetSocketAddress linkAddress;
    private final AtomicBoolean closed = new AtomicBoolean();

    private AppServer(Parts parts, ClientListeners listeners, InetSocketAddress linkAddress) {
        this.parts = parts;
        this.listeners = listeners;
        this.linkAddress = linkAddress;
    }

    /**
     * Starts an appserver: binds its ports, then dials the other servers for as long as it runs. Servers whose port is
     * 0 in the descriptor and that the options do not name are dialled after {@link #connect}.
     *
     * @throws StartException when a port cannot be bound, the store cannot be used, or the key is not this server's
     */
    public static AppServer start(Descriptor descriptor, int index, SigningKey key, AppServerOptions options)
            throws StartException {
        STARTING.lock();
        try {
            SignatureCounts counts = new SignatureCounts();
            return startAlone(descriptor.metered(counts), index, key.metered(counts), options, counts);
        } finally {
            STARTING.unlock();
        }
    }

    private static AppServer startAlone(
            Descriptor descriptor, int index, SigningKey key, AppServerOptions options, SignatureCounts counts)
            throws StartException {
        NodeDescription described = describe(descriptor, index, key);
        Parts parts = parts(descriptor, described, key, options, counts);
        InetSocketAddress linkAddress;
        ClientListeners listeners;
        try {
            linkAddress = parts.links.start();
            listeners = ClientListeners.open(
                    described,
                    options,
                    parts.system,
                    new ServerIdentity(
                            descriptor,
                            described.id().index(),
                            SoftwareVersion.text(),
                            parts.store,
                            parts.signatures,
                            parts.spans),
                    parts.core,
                    parts.links,
                    parts.jsonClient);
        } catch (PortUnavailableException taken) {
            parts.abandon();
            throw new StartException(String.valueOf(taken.getMessage()), taken);
        } catch (StartException failed) {
            parts.abandon();
            throw failed;
        }
        AppServer server = new AppServer(parts, listeners, linkAddress);
        server.dial(descriptor, options);
        LOG.info("{} serves clients on {} and links on {}", server.parts.self, listeners.httpAddress(), linkAddress);
        String library = Ed25519Choice.ofThisProcess().description();
        LOG.info("{} signs and verifies by {}", server.parts.self, library);
        return server;
    }

    private static NodeDescription describe(Descriptor descriptor, int index, SigningKey key) throws StartException {
        try {
            NodeDescription described = descriptor.node(NodeId.appserver(index));
            if (!described.key().equals(key.publicKey())) {
                throw new IllegalArgumentException("the key given is not the one that the descriptor has for appserver-"
                        + index + ": " + key.publicKey());
            }
            ServerTags.requireShare(described, key);
            return described;
        } catch (IllegalArgumentException wrong) {
            throw new StartException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private static Parts parts(
            Descriptor descriptor,
            NodeDescription described,
            SigningKey key,
            AppServerOptions options,
            SignatureCounts counts)
            throws StartException {
        EntryStore store = new VolatileStore();
        try {
            StoreOptions kept = options.store();
            if (kept != null) {
                StoreOwner owner = new StoreOwner(descriptor.id(), described.id(), key.publicKey());
                store = JournalStore.open(kept, owner);
            }
            return new Parts(descriptor, described, key, options, store, counts);
        } catch (StoreUnusableException unusable) {
            throw new StartException(String.valueOf(unusable.getMessage()), unusable, unusable.mayPass());
        } catch (UncheckedIOException | IllegalStateException unreadable) {
            store.close();
            throw new StartException("the store cannot be used: " + unreadable.getMessage(), unreadable);
        }
    }

    private void dial(Descriptor descriptor, AppServerOptions options) {
        for (NodeDescription node : descriptor.nodes()) {
            if (!node.id().equals(parts.self)) {
                options.peer(node.id())
                        .or(() -> node.linkPort() == 0
                                ? Optional.empty()
                                : Optional.of(new InetSocketAddress(node.host(), node.linkPort())))
                        .ifPresent(address -> parts.links.connect(node.id(), address));
            }
        }
    }

    /** Begins to dial another server at an address, or dials there from the next attempt on. */
    public void connect(NodeId node, InetSocketAddress address) {
        parts.links.connect(node, address);
    }

    public NodeId id() {
        return parts.self;
    }

    public InetSocketAddress httpAddress() {
        return listeners.httpAddress();
    }

    /** Where clients with binary sessions reach this server; empty when it has no port for them. */
    public Optional<InetSocketAddress> sessionAddress() {
        return listeners.sessionAddress();
    }

    public InetSocketAddress linkAddress() {
        return linkAddress;
    }

    /** Completes with why this server must end: it can store nothing any more, or its core cannot go on. */
    public CompletionStage<String> failure() {
        return parts.store.failure().applyToEither(parts.core.failure(), reason -> reason);
    }

    /** How the core is; fails when it has stopped. */
    public CompletionStage<CoreStatus> status() {
        return parts.core.status();
    }

    /** How long the steps of the certification of this server's own entries take. */
    public StepDurations lag() {
        return parts.core.lag();
    }

    public HttpCounts httpCounts() {
        return listeners.counts();
    }

    /** The public-key operations since the start. */
    public SignatureCounts.Reading signatures() {
        return parts.signatures.read();
    }

    /** Whether frames can be sent to another server now. */
    public boolean isConnected(NodeId node) {
        return parts.links.isConnected(node);
    }

    /**
     * Prepares the end: says that it is not ready, refuses what comes, sends its clients to other servers, and waits until they
     * have gone and its own entries are certified, so that nobody needs this server. Blocks; {@link #close} comes next.
     */
    public void drain(Duration patience) {
        Drain.of(parts.self, parts.core, patience);
    }

    /** Stops accepting, ends the core and every connection, and waits until all is released, a few seconds at most. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        parts.jsonClient.close();
        CompletableFuture<?> listening = listeners.stop(PATIENCE).toCompletableFuture();
        await(parts.core.stop().toCompletableFuture());
        parts.links.close();
        await(listening);
        parts.store.close();
        if (parts.ownSystem) {
            parts.system.terminate();
            await(parts.system.getWhenTerminated().toCompletableFuture());
        }
        if (parts.spans != null) {
            parts.spans.close();
        }
        LOG.info("{} has ended", parts.self);
    }

    private void await(CompletableFuture<?> end) {
        try {
            end.orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException late) {
            LOG.warn("{} does not end cleanly", parts.self, late.getCause());
        }
    }

    /** What a server consists of, its ports apart: those are bound last. */
    private static final class Parts {
        final NodeId self;
        final boolean ownSystem;
        final ActorSystem system;
        final EntryStore store;
        final PeerLinks links;
        final CoreHandle core;
        final JsonClient jsonClient;
        final SignatureCounts signatures;
        final @Nullable AppServerSpans spans;

        Parts(
                Descriptor descriptor,
                NodeDescription described,
                SigningKey key,
                AppServerOptions options,
                EntryStore store,
                SignatureCounts signatures) {
            this.self = described.id();
            this.store = store;
            this.signatures = signatures;
            CompletableFuture<CoreHandle> running = new CompletableFuture<>();
            InetSocketAddress listen = options.linkAddress() != null
                    ? options.linkAddress()
                    : new InetSocketAddress(described.host(), described.linkPort());
            CoreSettings settings = CoreSettings.of(
                    descriptor, self, key, options.retention(), ServerTags.of(descriptor, described, key));
            this.links = new PeerLinks(
                    descriptor,
                    self,
                    key,
                    listen,
                    event -> running.thenCompose(core -> core.happened(event)),
                    options.delay(),
                    settings.tags());
            AppServerMachine machine = options.machine().make(settings, store.records(), store.state(), links);
            this.ownSystem = options.system() == null;
            this.system = options.system() == null ? AkkaSystem.create("aspas-" + self) : options.system();
            this.spans = AppServerSpans.start(options.tracing(), self, descriptor.id());
            this.core = CoreHandle.start(system, machine, settings, store, links, options.tick(), spans);
            running.complete(core);
            this.jsonClient = new JsonClient(
                    core,
                    (options.jsonClientKey() == null ? SigningKey.generate() : options.jsonClientKey())
                            .metered(signatures),
                    descriptor.id(),
                    options.http().jsonQueue());
        }

        /** Ends what runs already. */
        void abandon() {
            jsonClient.close();
            links.close();
            core.stop().toCompletableFuture().join();
            store.close();
            if (ownSystem) {
                system.terminate();
                system.getWhenTerminated().toCompletableFuture().join();
            }
            if (spans != null) {
                spans.close();
            }
        }
    }

    /** Waits until nobody needs a server that is about to end. */
    private static final class Drain {
        private static final Logger LOG = LoggerFactory.getLogger(Drain.class);
        private static final long PAUSE_MILLIS = 50;
        /** The JSON API's client has a session, and stays. */
        private static final long OWN_SESSIONS = 1;

        private Drain() {}

        static void of(NodeId self, CoreHandle core, Duration patience) {
            LOG.info("{} drains", self);
            long end = System.nanoTime() + patience.toNanos();
            try {
                core.happened(new Event.Drain()).toCompletableFuture().join();
                while (!done(core.status().toCompletableFuture().join())) {
                    if (System.nanoTime() - end >= 0) {
                        LOG.warn("{} ends with clients, or with entries that no certificate covers", self);
                        return;
                    }
                    pause();
                }
            } catch (CompletionException stopped) {
                LOG.warn("{} cannot drain: its core has stopped", self);
            }
        }

        private static boolean done(CoreStatus status) {
            SortedMap<String, Long> gauges = status.gauges();
            return gauges.getOrDefault("sessions", 0L) <= OWN_SESSIONS
                    && gauges.getOrDefault("uncertified_own_entries", 0L) == 0;
        }

        private static void pause() {
            CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS))
                    .join();
        }
    }

    /** What an appserver needs of its process to judge tags (docs/tags.md): a clock, chance, and its agreement key. */
    private static final class ServerTags {
        /** One right tag in so many is not believed, and the signature verified; nobody else knows which. */
        private static final int DOUBTED = 64;

        private ServerTags() {}

        static SessionTags of(Descriptor descriptor, NodeDescription self, SigningKey key) {
            SecureRandom random = new SecureRandom();
            return new SessionTags(
                    descriptor.id(),
                    self.id().index(),
                    descriptor.agreements().isEmpty() ? null : AgreementKey.ofServer(key),
                    () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                    () -> random.nextInt(DOUBTED) == 0);
        }

        /**
         * Compares what the descriptor says with what follows from the key.
         *
         * @throws IllegalArgumentException when the descriptor has another share
         */
        static void requireShare(NodeDescription self, SigningKey key) {
            AgreementShare described = self.agreement();
            AgreementShare own = AgreementKey.ofServer(key).share();
            if (described != null && !described.equals(own)) {
                throw new IllegalArgumentException("the descriptor has another agreementKey for " + self.id()
                        + " than that which follows from its key: " + own);
            }
        }
    }
}
