package org.aspas.appserver.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.appserver.core.ConnectionId;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.ClientPort;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateReply;
import org.aspas.certify.message.Confirmation;
import org.aspas.certify.message.GetCertificate;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.message.Read;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.crdt.value.Operation;
import org.jspecify.annotations.Nullable;

/**
 * The client that stands for all users of the JSON API: one key, contiguous request numbers, one session without a
 * bound on unconfirmed updates, opened with the first read or update. Where the key is not admitted, reads go without one. Whoever uses it trusts this server. Thread-safe; all state belongs to one own thread, so
 * that signing holds up neither the core nor a connection.
 *
 * <p>Numbers: up to {@value #WINDOW} updates are in flight. When one is refused, the core refuses those after it as {@code
 * BEHIND}. One that does not fit its object's type is given again, which enters it without effect; any other leaves its
 * number free. This client then waits until everything in flight is answered, and sends what was only behind again under
 * new numbers, which is no equivocation as long as nobody but this server, which refused them, has seen the old ones. The
 * key must not have been used before.
 */
public final class JsonClient implements AutoCloseable {
    private static final int WINDOW = 64;

    private enum State {
        /** No session. */
        CLOSED,
        /** The session record is on its way. */
        OPENING,
        /** Updates may be sent. */
        OPEN
    }

    private final ClientPort port;
    private final Sealer sealer;
    private final ClientId client;
    private final int maxWaiting;
    private final AtomicInteger load = new AtomicInteger();
    private final ExecutorService thread;

    private State state = State.CLOSED;
    private @Nullable Line line;
    private long session;
    /** Whether the last session record was refused for more than a moment: then reads go without a session. */
    private boolean stranger;

    private long nextNumber = 1;
    private long nextNonce = 1;
    private boolean draining;
    private final Deque<Update> waitingUpdates = new ArrayDeque<>();
    private final Deque<Query> waitingReads = new ArrayDeque<>();
    private final NavigableMap<Long, Update> inFlight = new TreeMap<>();
    private final NavigableMap<Long, Update> again = new TreeMap<>();
    private final Map<Long, Query> reads = new HashMap<>();
    private final Map<Long, CompletableFuture<Certificate>> unconfirmed = new HashMap<>();
    private final Map<Long, List<CompletableFuture<CertificateReply>>> certificates = new HashMap<>();

    private record Update(
            String key,
            String type,
            Operation operation,
            CompletableFuture<Reply> reply,
            @Nullable CompletableFuture<Certificate> confirmation) {}

    private record Query(String key, String type, boolean certified, CompletableFuture<Reply> reply) {}

    /** One connection to the core; what comes on an older one is ignored. */
    private final class Line implements ClientOutlet {
        private final ConnectionId connection;
        private boolean greeted;

        Line() {
            this.connection = port.open(this);
        }

        void transmit(Frame frame) {
            port.receive(connection, frame);
        }

        @Override
        public void send(Message message) {
            post(() -> {
                if (line == this) {
                    greeted = true;
                    onMessage(message);
                }
            });
        }

        @Override
        public void send(Signed<? extends Message> message) {
            // The gateway asks for no standing, inspection or verdict; nothing signed comes that it waits for.
        }

        @Override
        public void close() {
            post(() -> {
                if (line != this) {
                    return;
                }
                if (state == State.CLOSED && greeted) {
                    askAgain();
                } else {
                    onClosed(busy("The server has closed the session of its JSON client."));
                }
            });
        }
    }

    /**
     * A client; nothing is sent before its first use.
     *
     * @param port the server
     * @param key its key, never used before
     * @param deployment the deployment id
     * @param maxWaiting how many updates and reads may wait at once
     */
    public JsonClient(ClientPort port, SigningKey key, Hash deployment, int maxWaiting) {
        this.port = port;
        this.sealer = new Sealer(key, deployment);
        this.client = new ClientId(key.publicKey());
        this.maxWaiting = maxWaiting;
        this.thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), body -> {
            Thread own = new Thread(body, "json-client-" + client);
            own.setDaemon(true);
            return own;
        });
    }

    /** Under which identity JSON updates are entered. */
    public ClientId client() {
        return client;
    }

    /**
     * Updates an object.
     *
     * @param confirmation completed with a certificate that covers the update, when there is one; may be absent
     */
    CompletableFuture<Reply> update(
            String key, String type, Operation operation, @Nullable CompletableFuture<Certificate> confirmation) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        return admit(reply, () -> waitingUpdates.add(new Update(key, type, operation, reply, confirmation)));
    }

    /** Reads an object, as it is here or as it is certified. */
    CompletableFuture<Reply> read(String key, String type, boolean certified) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        return admit(reply, () -> waitingReads.add(new Query(key, type, certified, reply)));
    }

    /** The certificate with a number, or the newest for 0. */
    CompletableFuture<CertificateReply> certificate(long number) {
        CompletableFuture<CertificateReply> reply = new CompletableFuture<>();
        post(() -> {
            certificates.computeIfAbsent(number, any -> new ArrayList<>()).add(reply);
            connected().transmit(new Frame.Plain(new GetCertificate(number)));
        });
        return reply;
    }

    private CompletableFuture<Reply> admit(CompletableFuture<Reply> reply, Runnable queue) {
        if (load.incrementAndGet() > maxWaiting) {
            load.decrementAndGet();
            reply.complete(new Reply.Refused(busy("Too many requests wait already.")));
            return reply;
        }
        reply.whenComplete((answer, failure) -> load.decrementAndGet());
        post(() -> {
            queue.run();
            pump();
        });
        return reply;
    }

    private void post(Runnable step) {
        try {
            thread.execute(step);
        } catch (RejectedExecutionException closed) {
            // Closing has failed or will fail all that wait.
            return;
        }
    }

    private Line connected() {
        Line current = line;
        if (current == null) {
            current = new Line();
            line = current;
        }
        return current;
    }

    private void openSession(Line current) {
        state = State.OPENING;
        session++;
        current.transmit(new Frame.Sealed(sealer.seal(new OpenSession(client, session, OpenSession.UNBOUNDED))));
    }

    private void pump() {
        Line current = connected();
        if (state == State.CLOSED && (!waitingUpdates.isEmpty() || (!waitingReads.isEmpty() && !stranger))) {
            openSession(current);
        }
        while (!waitingReads.isEmpty()) {
            Query query = waitingReads.remove();
            long nonce = nextNonce++;
            reads.put(nonce, query);
            current.transmit(new Frame.Plain(new Read(nonce, query.key(), query.type(), query.certified(), 0)));
        }
        while (state == State.OPEN && !draining && inFlight.size() < WINDOW && !waitingUpdates.isEmpty()) {
            Update update = waitingUpdates.remove();
            long number = nextNumber++;
            transmit(current, number, update);
        }
    }

    private void transmit(Line current, long number, Update update) {
        inFlight.put(number, update);
        current.transmit(new Frame.Sealed(
                sealer.seal(new Request(client, number, update.key(), update.type(), update.operation()))));
    }

    private void onMessage(Message message) {
        if (message instanceof Answer answer) {
            onAnswer(answer);
        } else if (message instanceof Refusal refusal) {
            onRefusal(refusal);
        } else if (message instanceof Confirmation confirmation) {
            for (Confirmation.Covered covered : confirmation.covered()) {
                CompletableFuture<Certificate> waiter = unconfirmed.remove(covered.number());
                if (waiter != null) {
                    waiter.complete(confirmation.certificate());
                }
            }
        } else if (message instanceof CertificateReply reply) {
            List<CompletableFuture<CertificateReply>> waiters = certificates.remove(reply.number());
            if (waiters != null) {
                waiters.forEach(waiter -> waiter.complete(reply));
            }
        }
    }

    private void onAnswer(Answer answer) {
        long reference = answer.response().message().reference();
        if (!answer.response().message().isUpdate()) {
            complete(reads.remove(reference), new Reply.Answered(answer));
        } else if (reference == 0) {
            state = State.OPEN;
            stranger = false;
        } else {
            Update update = inFlight.remove(reference);
            if (update != null) {
                await(reference, update.confirmation());
                update.reply().complete(new Reply.Answered(answer));
            }
            endDraining();
        }
        pump();
    }

    private void await(long number, @Nullable CompletableFuture<Certificate> confirmation) {
        if (confirmation != null && !confirmation.isDone()) {
            unconfirmed.put(number, confirmation);
            confirmation.whenComplete((certificate, failure) -> post(() -> unconfirmed.remove(number, confirmation)));
        }
    }

    private void onRefusal(Refusal refusal) {
        if (refusal.read()) {
            complete(reads.remove(refusal.reference()), new Reply.Refused(refusal));
        } else if (state == State.OPENING) {
            state = State.CLOSED;
            stranger = refusal.reason() != Refusal.Reason.BUSY;
            List<Update> refused = List.copyOf(waitingUpdates);
            waitingUpdates.clear();
            refused.forEach(update -> update.reply().complete(new Reply.Refused(refusal)));
        } else {
            onUpdateRefused(refusal);
            endDraining();
            pump();
        }
    }

    private void onUpdateRefused(Refusal refusal) {
        Update update = inFlight.remove(refusal.reference());
        if (update == null) {
            return;
        }
        if (draining && refusal.reason() == Refusal.Reason.BEHIND) {
            again.put(refusal.reference(), update);
            return;
        }
        if (refusal.reason() == Refusal.Reason.WRONG_TYPE && !update.reply().isDone()) {
            // Given again, it is entered without effect. Everything after it that is on its way is behind.
            nextNumber = refusal.reference() + 1;
            draining = true;
            update.reply().complete(new Reply.Refused(refusal));
            transmit(connected(), refusal.reference(), update);
            return;
        }
        // Everything after the freed number is behind, so nothing after it was entered.
        nextNumber = draining ? Math.min(nextNumber, refusal.reference()) : refusal.reference();
        draining = true;
        update.reply().complete(new Reply.Refused(refusal));
    }

    private void endDraining() {
        if (draining && inFlight.isEmpty()) {
            draining = false;
            again.descendingMap().values().forEach(waitingUpdates::addFirst);
            again.clear();
        }
    }

    private static void complete(@Nullable Query query, Reply reply) {
        if (query != null) {
            query.reply().complete(reply);
        }
    }

    /** The server ends a connection without a session that is long idle: what was asked meanwhile is asked again. */
    private void askAgain() {
        line = null;
        waitingReads.addAll(reads.values());
        reads.clear();
        certificates.keySet().forEach(number -> connected().transmit(new Frame.Plain(new GetCertificate(number))));
        if (!waitingReads.isEmpty()) {
            pump();
        }
    }

    /** Fails everything that waits; the next use connects again. */
    private void onClosed(Refusal why) {
        state = State.CLOSED;
        line = null;
        Reply refused = new Reply.Refused(why);
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        inFlight.values().forEach(update -> replies.add(update.reply()));
        again.values().forEach(update -> replies.add(update.reply()));
        waitingUpdates.forEach(update -> replies.add(update.reply()));
        waitingReads.forEach(query -> replies.add(query.reply()));
        reads.values().forEach(query -> replies.add(query.reply()));
        inFlight.clear();
        again.clear();
        waitingUpdates.clear();
        waitingReads.clear();
        reads.clear();
        draining = false;
        certificates.values().forEach(waiters -> waiters.forEach(waiter -> waiter.cancel(false)));
        certificates.clear();
        replies.forEach(reply -> reply.complete(refused));
    }

    private static Refusal busy(String detail) {
        return new Refusal(0, false, Refusal.Reason.BUSY, detail);
    }

    /** Refuses all that waits and ends the own thread. */
    @Override
    public void close() {
        post(() -> onClosed(busy("The server is shutting down.")));
        thread.shutdown();
    }
}
