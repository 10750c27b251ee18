package org.aspas.emulab.baselines.shell;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.client.api.ClientResources;
import org.aspas.client.net.DelayedTransport;
import org.aspas.client.net.RoundTripDelay;
import org.aspas.client.net.SocketTransport;
import org.aspas.client.net.Transport;
import org.aspas.client.net.TransportDelay;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.LedgerComparison;
import org.aspas.emulab.workload.SessionSettings;
import org.aspas.emulab.workload.SystemUnderTest;

/** A system of servers behind the appserver's shells. Thread-safe. */
public final class ShellSystem implements SystemUnderTest {
    private static final Duration CONNECT = Duration.ofSeconds(30);
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final int QUEUED_FRAMES = 4_096;
    private static final long POLL_MILLIS = 100;

    private final String name;
    private final ShellServers servers;
    private final boolean converging;
    private final ClientResources resources =
            ClientResources.create(Math.max(2, Runtime.getRuntime().availableProcessors()));

    /**
     * A system of running servers, which are closed with it.
     *
     * @param converging whether the servers are to agree; if not, they keep nothing
     */
    public ShellSystem(String name, ShellServers servers, boolean converging) {
        this.name = name;
        this.servers = servers;
        this.converging = converging;
    }

    @Override
    public String name() {
        return name;
    }

    public ShellServers servers() {
        return servers;
    }

    @Override
    public CompletionStage<ShellSession> open(SessionSettings settings) {
        if (settings.placed() && servers.network().isPresent()) {
            EmulatedNetwork network = servers.network().get();
            int home = network.world().home(settings.client(), servers.size());
            TransportDelay delay = network.delayOf(settings.client(), home);
            return ShellSession.open(new DelayedTransport(transport(home), delay, resources.executor(), QUEUED_FRAMES));
        }
        return ShellSession.open(transport(settings.client() % servers.size(), settings.roundTrip()));
    }

    private Transport transport(int server, Duration roundTrip) {
        Transport real = transport(server);
        return roundTrip.isZero()
                ? real
                : new DelayedTransport(
                        real,
                        new RoundTripDelay(roundTrip, resources.scheduler()),
                        resources.executor(),
                        QUEUED_FRAMES);
    }

    private Transport transport(int server) {
        return new SocketTransport(
                resources.loops(),
                servers.sessions(server),
                CONNECT,
                servers.descriptor().limits().linkFrameBytes(),
                QUEUED_FRAMES);
    }

    @Override
    public void awaitServing(Duration patience) throws InterruptedException, TimeoutException {
        servers.awaitReady(patience);
    }

    /** Waits until all running servers have delivered the same, and asks each for every value. */
    @Override
    public Convergence converge(Ledger ledger, Duration patience) throws InterruptedException {
        LedgerComparison comparison = new LedgerComparison(ledger, ANSWER);
        List<Integer> running = servers.running();
        if (!converging) {
            return new LedgerComparison(new Ledger(), ANSWER).result(running.size(), running.size(), 0);
        }
        awaitOneVersion(running, comparison, patience);
        int asked = 0;
        for (int server : running) {
            ShellSession session = comparison.await(
                    "server " + server, "session", ShellSession.open(transport(server, Duration.ZERO)));
            if (session != null) {
                asked += comparison.compare("server " + server, session::counter, session::set) ? 1 : 0;
                session.close();
            }
        }
        return comparison.result(running.size(), asked, 0);
    }

    private void awaitOneVersion(List<Integer> running, LedgerComparison comparison, Duration patience)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        List<String> versions = versions(running);
        while (versions.stream().distinct().count() > 1) {
            if (System.nanoTime() - deadline > 0) {
                comparison.differs("no agreement within " + patience.toSeconds() + " s: " + versions);
                return;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            versions = versions(running);
        }
    }

    private List<String> versions(List<Integer> running) throws InterruptedException {
        List<String> versions = new ArrayList<>();
        for (int server : running) {
            try {
                versions.add(servers.probe(server).standing().version());
            } catch (IOException unreachable) {
                versions.add("server " + server + ": " + unreachable.getMessage());
            }
        }
        return versions;
    }

    @Override
    public void close() {
        resources.close();
        servers.close();
    }

    /**
     * A client of a server behind the appserver's shells: it sends the frames that a client of ASPAS sends, and signs and checks
     * nothing. What is not answered when its connection ends fails, and is not sent again. Thread-safe.
     */
    private static final class ShellSession extends UncertifiedSession {
        private final ClientId id;
        /** Complete once the transport has returned it; frames may come before. */
        private final CompletableFuture<Transport.Connection> connection = new CompletableFuture<>();

        private final CompletableFuture<ShellSession> ready = new CompletableFuture<>();
        private final Map<Long, CompletableFuture<Value>> updates = new ConcurrentHashMap<>();
        private final Map<Long, CompletableFuture<Value>> reads = new ConcurrentHashMap<>();
        private final AtomicLong nonces = new AtomicLong();
        private long numbers;
        private volatile String lost = "";

        private ShellSession(Transport transport) {
            this.id = freshName();
            connection.complete(transport.connect(new Inbox()));
        }

        /** Connects; done when the server has answered. */
        static CompletionStage<ShellSession> open(Transport transport) {
            return new ShellSession(transport).ready;
        }

        /** What comes over the connection, one call at a time. */
        private final class Inbox implements Transport.Listener {
            @Override
            public void connected() {
                // The server speaks first.
            }

            @Override
            public void received(byte[] frame, Runnable consumed) {
                Decoded<Frame> decoded = Codec.decode(frame);
                if (decoded instanceof Decoded.Accepted<Frame> accepted
                        && accepted.value() instanceof Frame.Plain plain) {
                    take(plain.message());
                } else {
                    fail("the server sent what is no message to a client");
                }
                consumed.run();
            }

            @Override
            public void closed(String reason) {
                fail(reason);
            }
        }

        private void take(Message message) {
            if (message instanceof Answer answer) {
                answered(answer.response().message());
            } else if (message instanceof Refusal refusal) {
                CompletableFuture<Value> asked = (refusal.read() ? reads : updates).remove(refusal.reference());
                if (asked != null) {
                    asked.completeExceptionally(new IllegalStateException("refused: " + refusal.detail()));
                }
            } else if (message instanceof Hello) {
                send(NoSignatures.seal(new OpenSession(id, 1, OpenSession.UNBOUNDED)));
            }
        }

        private void send(Signed<?> message) {
            send(Codec.encode(message));
        }

        private void send(byte[] frame) {
            connection.thenAccept(made -> made.send(frame));
        }

        private void answered(Response response) {
            if (response.isUpdate() && response.reference() == 0) {
                ready.complete(this);
                return;
            }
            CompletableFuture<Value> asked = (response.isUpdate() ? updates : reads).remove(response.reference());
            if (asked != null) {
                asked.complete(response.result());
            }
        }

        private void fail(String reason) {
            lost = "the connection is gone: " + reason;
            IllegalStateException gone = new IllegalStateException(lost);
            ready.completeExceptionally(gone);
            for (Map<Long, CompletableFuture<Value>> waiting : List.of(updates, reads)) {
                waiting.keySet().forEach(number -> {
                    CompletableFuture<Value> asked = waiting.remove(number);
                    if (asked != null) {
                        asked.completeExceptionally(gone);
                    }
                });
            }
        }

        @Override
        protected CompletionStage<Value> update(String key, DataType type, Operation operation) {
            CompletableFuture<Value> answer = new CompletableFuture<>();
            synchronized (this) {
                long number = ++numbers;
                updates.put(number, answer);
                send(NoSignatures.seal(new Request(id, number, key, type.name(), operation)));
            }
            failIfLost(answer);
            return answer;
        }

        @Override
        protected CompletionStage<Value> read(String key, DataType type) {
            CompletableFuture<Value> answer = new CompletableFuture<>();
            long nonce = nonces.incrementAndGet();
            reads.put(nonce, answer);
            send(Codec.encode(new Read(nonce, key, type.name(), false, CertificateNumber.NONE)));
            failIfLost(answer);
            return answer;
        }

        /** The connection may have ended before the question was noted. */
        private void failIfLost(CompletableFuture<Value> answer) {
            if (!lost.isEmpty()) {
                answer.completeExceptionally(new IllegalStateException(lost));
            }
        }

        @Override
        public CompletionStage<?> close() {
            connection.thenAccept(Transport.Connection::close);
            return CompletableFuture.completedFuture("closed");
        }
    }
}
