package org.aspas.appserver.http;

import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.http.JsonClient.UpdateWindow.RequestId;
import org.aspas.appserver.http.JsonClient.UpdateWindow.Update;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.ClientPort;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.value.Operation;
import org.jspecify.annotations.Nullable;

/**
 * The client that stands for all users of the JSON API: one key, never used before, and one session without a bound on
 * unconfirmed updates, opened with the first read or update. {@link UpdateWindow} numbers its updates. Where the key is not
 * admitted, reads go without a session. Whoever uses it trusts this server. Thread-safe; all state belongs to one own
 * thread, so that signing holds up neither the core nor a connection.
 */
public final class JsonClient implements AutoCloseable {
    private enum State {
        CLOSED,
        /** The session record is on its way. */
        OPENING,
        OPEN
    }

    private final ClientPort port;
    private final Sealer sealer;
    private final ClientId client;
    private final int maxWaiting;
    private final AtomicInteger load = new AtomicInteger();
    private final ExecutorService thread;

    private State state = State.CLOSED;
    private @Nullable Connection connection;
    private long session;
    /** Whether the last session record was refused for more than a moment: then reads go without a session. */
    private boolean refused;

    private final UpdateWindow updates = new UpdateWindow();
    private long nextNonce = 1;
    private final Deque<Query> waitingReads = new ArrayDeque<>();
    private final Map<Long, Query> reads = new HashMap<>();
    private final CertificateWaiters certificates = new CertificateWaiters(this::post);

    private record Query(
            String key,
            String type,
            boolean certified,
            @Nullable ReadPart part,
            CompletableFuture<Reply> reply) {
        Read asked(long nonce) {
            return new Read(nonce, key, type, certified, CertificateNumber.NONE, part);
        }
    }

    /** One connection to the core; what comes on an older one is ignored. */
    private final class Connection implements ClientOutlet {
        private final ConnectionId id;
        private boolean greeted;

        Connection() {
            this.id = port.open(this);
        }

        void transmit(Frame frame) {
            port.receive(id, frame);
        }

        @Override
        public void send(Message message) {
            post(() -> {
                if (connection == this) {
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
                if (connection != this) {
                    return;
                }
                if (state == State.CLOSED && greeted) {
                    askAgain();
                } else if (greeted) {
                    onSessionEnded();
                } else {
                    onClosed(busy("The server has closed the session of its JSON client."));
                }
            });
        }
    }

    /**
     * A client; nothing is sent before its first use.
     *
     * @param key its key, never used before
     * @param maxWaiting how many updates and reads may wait at once
     */
    public JsonClient(ClientPort port, SigningKey key, Hash deployment, int maxWaiting) {
        this.port = port;
        this.sealer = new Sealer(key, deployment);
        this.client = new ClientId(
                key.publicKey(),
                Math.max(0, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())),
                new SecureRandom().nextLong());
        this.maxWaiting = maxWaiting;
        this.thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), body -> {
            Thread own = new Thread(body, "json-client-" + client);
            own.setDaemon(true);
            return own;
        });
    }

    /**
     * Updates an object.
     *
     * @param confirmation completed with a certificate that covers the update, when there is one; may be absent
     */
    CompletableFuture<Reply> update(
            String key, String type, Operation operation, @Nullable CompletableFuture<Certificate> confirmation) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        return admit(reply, () -> updates.add(new Update(key, type, operation, reply, confirmation)));
    }

    /** Reads an object or a part of it, as it is here or as it is certified. */
    CompletableFuture<Reply> read(String key, String type, boolean certified, @Nullable ReadPart part) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        return admit(reply, () -> waitingReads.add(new Query(key, type, certified, part, reply)));
    }

    /** The certificate with a number, or the newest for none. */
    CompletableFuture<CertificateReply> certificate(CertificateNumber number) {
        CompletableFuture<CertificateReply> reply = new CompletableFuture<>();
        post(() -> {
            certificates.await(number, reply);
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

    private Connection connected() {
        Connection current = connection;
        if (current == null) {
            current = new Connection();
            connection = current;
        }
        return current;
    }

    private void openSession(Connection current) {
        state = State.OPENING;
        session++;
        current.transmit(new Frame.Sealed(sealer.seal(new OpenSession(client, session, OpenSession.UNBOUNDED))));
    }

    private void pump() {
        Connection current = connected();
        boolean updating = updates.hasWaiting() || !updates.flying().isEmpty();
        if (state == State.CLOSED && (updating || (!waitingReads.isEmpty() && !refused))) {
            openSession(current);
        }
        while (!waitingReads.isEmpty()) {
            Query query = waitingReads.remove();
            long nonce = nextNonce++;
            reads.put(nonce, query);
            current.transmit(new Frame.Plain(query.asked(nonce)));
        }
        if (state == State.OPEN) {
            for (Optional<RequestId> next = updates.next(); next.isPresent(); next = updates.next()) {
                transmit(current, next.get());
            }
        }
    }

    private void transmit(Connection current, RequestId numbered) {
        Update update = numbered.update();
        current.transmit(new Frame.Sealed(
                sealer.seal(new Request(client, numbered.number(), update.key(), update.type(), update.operation()))));
    }

    private void onMessage(Message message) {
        if (message instanceof Answer answer) {
            onAnswer(answer);
        } else if (message instanceof Refusal refusal) {
            onRefusal(refusal);
        } else if (message instanceof Confirmation confirmation) {
            certificates.confirmed(confirmation);
        } else if (message instanceof CertificateReply reply) {
            certificates.replied(reply);
        }
    }

    private void onAnswer(Answer answer) {
        long reference = answer.response().message().reference();
        if (!answer.response().message().isUpdate()) {
            Query query = reads.remove(reference);
            complete(query, new Reply.Answered(answer, query == null ? null : query.asked(reference)));
        } else if (reference == 0) {
            state = State.OPEN;
            refused = false;
            updates.flying().forEach(again -> transmit(connected(), again));
        } else {
            updates.answered(reference).ifPresent(update -> {
                certificates.awaitConfirmation(reference, update.confirmation());
                update.reply().complete(new Reply.Answered(answer, null));
            });
        }
        pump();
    }

    private void onRefusal(Refusal refusal) {
        if (refusal.read()) {
            complete(reads.remove(refusal.reference()), new Reply.Refused(refusal));
        } else if (state == State.OPENING) {
            state = State.CLOSED;
            refused = refusal.reason() != Refusal.Reason.BUSY;
            updates.refuseWaiting(refusal);
        } else {
            updates.refused(refusal).ifPresent(once -> transmit(connected(), once));
            pump();
        }
    }

    private static void complete(@Nullable Query query, Reply reply) {
        if (query != null) {
            query.reply().complete(reply);
        }
    }

    /** The server ends a connection without a session that is long idle: what was asked meanwhile is asked again. */
    private void askAgain() {
        connection = null;
        waitingReads.addAll(reads.values());
        reads.clear();
        certificates.numbers().forEach(number -> connected().transmit(new Frame.Plain(new GetCertificate(number))));
        if (!waitingReads.isEmpty() || !updates.flying().isEmpty()) {
            pump();
        }
    }

    /** The server ends a session: what was in flight goes on in the next one, and all else fails. */
    private void onSessionEnded() {
        Refusal why = busy("The server has ended the session of its JSON client.");
        disconnect(why);
        updates.refuseWaiting(why);
        if (!updates.flying().isEmpty()) {
            pump();
        }
    }

    /** Fails everything that waits; the next use connects again. */
    private void onClosed(Refusal why) {
        updates.refuseAll(why);
        disconnect(why);
    }

    /** The connection is gone, and what was asked on it fails. */
    private void disconnect(Refusal why) {
        state = State.CLOSED;
        connection = null;
        List<Query> asked = new ArrayList<>(waitingReads);
        asked.addAll(reads.values());
        waitingReads.clear();
        reads.clear();
        certificates.cancel();
        asked.forEach(query -> query.reply().complete(new Reply.Refused(why)));
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

    /** Who waits for a certificate: for one with a number, or for any that covers an update. For one thread. */
    private static final class CertificateWaiters {
        private final Executor thread;
        private final Map<Long, CompletableFuture<Certificate>> byUpdate = new HashMap<>();
        private final Map<CertificateNumber, List<CompletableFuture<CertificateReply>>> byNumber = new HashMap<>();

        /** {@code thread} is the only one that may call this. */
        CertificateWaiters(Executor thread) {
            this.thread = thread;
        }

        void await(CertificateNumber number, CompletableFuture<CertificateReply> reply) {
            byNumber.computeIfAbsent(number, any -> new ArrayList<>()).add(reply);
        }

        /** Somebody waits for a certificate that covers an update, until it comes or they give up. */
        void awaitConfirmation(long update, @Nullable CompletableFuture<Certificate> confirmation) {
            if (confirmation != null && !confirmation.isDone()) {
                byUpdate.put(update, confirmation);
                confirmation.whenComplete(
                        (certificate, failure) -> thread.execute(() -> byUpdate.remove(update, confirmation)));
            }
        }

        void confirmed(Confirmation confirmation) {
            for (Confirmation.Covered covered : confirmation.covered()) {
                CompletableFuture<Certificate> waiter = byUpdate.remove(covered.number());
                if (waiter != null) {
                    waiter.complete(confirmation.certificate());
                }
            }
        }

        void replied(CertificateReply reply) {
            List<CompletableFuture<CertificateReply>> waiters = byNumber.remove(reply.number());
            if (waiters != null) {
                waiters.forEach(waiter -> waiter.complete(reply));
            }
        }

        Set<CertificateNumber> numbers() {
            return byNumber.keySet();
        }

        /** Cancels those who wait for a number. */
        void cancel() {
            byNumber.values().forEach(waiters -> waiters.forEach(waiter -> waiter.cancel(false)));
            byNumber.clear();
        }
    }

    /**
     * The updates of the JSON client, and their numbers: up to {@value #SIZE} are in flight, the others wait. For one thread.
     *
     * <p>When an update is refused, the core refuses those after it as {@code BEHIND}. One that does not fit its object's type is
     * given again, which enters it without effect; any other leaves its number free. The window then drains: nothing new is sent
     * until everything in flight is answered. What was only behind is sent again under new numbers, which is no equivocation as
     * long as nobody but this server, which refused them, has seen the old ones.
     *
     * <p>What was in flight when the session ended may have been entered, or not. It is given again in the next session, under its
     * numbers: a number that was never entered would close the way for all later ones.
     */
    static final class UpdateWindow {
        private static final int SIZE = 64;

        /**
         * An update.
         *
         * @param reply completed with the core's answer or refusal
         * @param confirmation completed with a certificate that covers the update; absent if nobody waits for that
         */
        record Update(
                String key,
                String type,
                Operation operation,
                CompletableFuture<Reply> reply,
                @Nullable CompletableFuture<Certificate> confirmation) {
            void refuse(Refusal why) {
                reply.complete(new Reply.Refused(why));
            }
        }

        /** An update that is to be sent under a number. */
        record RequestId(long number, Update update) {}

        private final Deque<Update> waiting = new ArrayDeque<>();
        private final NavigableMap<Long, Update> inFlight = new TreeMap<>();
        private final NavigableMap<Long, Update> behind = new TreeMap<>();
        private long nextNumber = 1;
        private boolean draining;

        void add(Update update) {
            waiting.add(update);
        }

        boolean hasWaiting() {
            return !waiting.isEmpty();
        }

        /** What is in flight, in the order of the numbers. */
        List<RequestId> flying() {
            return inFlight.entrySet().stream()
                    .map(one -> new RequestId(one.getKey(), one.getValue()))
                    .toList();
        }

        /** The next update, if it may be sent now; it is in flight then. */
        Optional<RequestId> next() {
            if (draining || inFlight.size() >= SIZE || waiting.isEmpty()) {
                return Optional.empty();
            }
            RequestId next = new RequestId(nextNumber++, waiting.remove());
            inFlight.put(next.number(), next.update());
            return Optional.of(next);
        }

        /** Takes the update that was answered, if it was in flight. */
        Optional<Update> answered(long number) {
            Update update = inFlight.remove(number);
            endDraining();
            return Optional.ofNullable(update);
        }

        /** An update was refused. Gives it if it is to be sent once more under its number. */
        Optional<RequestId> refused(Refusal refusal) {
            long number = refusal.reference();
            Update update = inFlight.get(number);
            if (update == null) {
                return Optional.empty();
            }
            if (refusal.reason() == Refusal.Reason.WRONG_TYPE && !update.reply().isDone()) {
                drain(number + 1);
                update.refuse(refusal);
                return Optional.of(new RequestId(number, update));
            }
            inFlight.remove(number);
            if (draining && refusal.reason() == Refusal.Reason.BEHIND) {
                behind.put(number, update);
            } else {
                drain(draining ? Math.min(nextNumber, number) : number);
                update.refuse(refusal);
            }
            endDraining();
            return Optional.empty();
        }

        /** Everything after a refused number is behind, so nothing after it was entered. */
        private void drain(long next) {
            nextNumber = next;
            draining = true;
        }

        private void endDraining() {
            if (draining && inFlight.isEmpty()) {
                draining = false;
                behind.descendingMap().values().forEach(waiting::addFirst);
                behind.clear();
            }
        }

        void refuseWaiting(Refusal why) {
            List<Update> refused = List.copyOf(waiting);
            waiting.clear();
            refused.forEach(update -> update.refuse(why));
        }

        void refuseAll(Refusal why) {
            List<Update> refused = new ArrayList<>(inFlight.values());
            refused.addAll(behind.values());
            inFlight.clear();
            behind.clear();
            draining = false;
            refused.forEach(update -> update.refuse(why));
            refuseWaiting(why);
        }
    }
}
