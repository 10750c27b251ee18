package org.aspas.bftcluster.isolation;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.engine.OrderingUnavailable;
import org.aspas.bftcluster.frame.RequestCheck;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;

/**
 * The client of the ordering cluster that lives in each bftserver: it makes requests out of this bftserver's commands
 * and gives each request to all replicas that are linked. A command is done when the own replica has executed it.
 *
 * <p>The library takes a client's requests only in an unbroken sequence. When it first hears of a session in the
 * middle, it never takes what came before. So no replica hears of a session from the middle on: whatever could have
 * broken the sequence at one replica makes this client go on under a fresh client id and session.
 *
 * <p>Half of the room for pending commands is for what this bftserver says itself; the rest it may use for commands of
 * others ({@link #relay}). Thread-safe.
 */
final class OrderingClient {
    /** Reports and answers are short: so small a part of the bytes that may wait. */
    private static final int SHORT = 64;

    private static final long FILLER_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** How many orders the usual time goes back. */
    private static final long WEIGHT = 8;

    private static final byte[] FILLER = {0};

    private final int self;
    private final int maxPending;
    private final long maxBytes;
    private final long timeoutNanos;
    private final Recipients recipients;
    private final Set<Integer> linked = new TreeSet<>();
    /** Those that did not take a request of this session, and so get no more of it. */
    private final Set<Integer> missed = new TreeSet<>();

    private final SecureRandom random = new SecureRandom();
    private final Map<RequestId, Submission> pending = new LinkedHashMap<>();
    private int turn;
    private int session;
    private int sequence;
    private long pendingBytes;
    private int relayed;
    private long relayedBytes;
    private long filledNanos = System.nanoTime() - 2 * FILLER_NANOS;
    private boolean closed;
    /** How long an order takes of late. */
    private long usualNanos;

    @FunctionalInterface
    interface Recipients {
        /** Gives a request to a bftserver, also to this one, in order and without waiting; false when it was not taken. */
        boolean give(int bftserver, byte[] request);
    }

    OrderingClient(int self, int maxPending, long maxBytes, long timeoutMillis, Recipients recipients) {
        this.self = self;
        this.maxPending = maxPending;
        this.maxBytes = maxBytes;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        this.recipients = recipients;
        this.turn = random.nextInt(RequestCheck.CLIENTS);
        this.session = random.nextInt();
    }

    synchronized CompletionStage<byte[]> submit(byte[] command) {
        return submit(command, false);
    }

    /** Submits a command that somebody else gave to this bftserver; a short one is not refused because of long ones. */
    synchronized CompletionStage<byte[]> relay(byte[] command) {
        boolean tooLong = command.length > maxBytes / SHORT && relayedBytes + command.length > maxBytes / 2;
        if (relayed >= maxPending / 2 || tooLong) {
            return CompletableFuture.failedStage(new OrderingUnavailable("too many commands of others wait"));
        }
        return submit(command, true);
    }

    /**
     * Has a command ordered that is none, unless it did so a moment ago. A new leader that has nothing to propose would
     * propose an empty batch, which its peers must refuse because it makes their libraries lose decisions; so there is
     * always something.
     */
    synchronized void fill(long nanos) {
        if (nanos - filledNanos > FILLER_NANOS) {
            filledNanos = nanos;
            var unused = submit(FILLER.clone(), false);
        }
    }

    private CompletionStage<byte[]> submit(byte[] command, boolean relay) {
        if (closed || pending.size() >= maxPending || pendingBytes + command.length > maxBytes) {
            return CompletableFuture.failedStage(new OrderingUnavailable(
                    closed ? "the replica is closed" : "too many commands wait for the cluster"));
        }
        RequestId id = new RequestId(RequestCheck.client(self, turn), session, sequence++);
        CompletableFuture<byte[]> result = new CompletableFuture<>();
        Submission submission = new Submission(System.nanoTime() + timeoutNanos, command, relay, result);
        pending.put(id, submission);
        count(submission, 1);
        give(TOMMessage.messageToBytes(new TOMMessage(
                id.client(), id.session(), id.sequence(), id.sequence(), command, 0, TOMMessageType.ORDERED_REQUEST)));
        return result.minimalCompletionStage();
    }

    private void give(byte[] request) {
        for (int other : linked) {
            if (!missed.contains(other) && !recipients.give(other, request)) {
                missed.add(other);
            }
        }
        if (!recipients.give(self, request)) {
            renew();
        }
    }

    /** From now on another bftserver gets the requests, of a fresh session. */
    synchronized void linked(int bftserver) {
        renew();
        linked.add(bftserver);
    }

    synchronized void unlinked(int bftserver) {
        linked.remove(bftserver);
    }

    private void count(Submission submission, int sign) {
        pendingBytes += sign * (long) submission.bytes();
        if (submission.relay()) {
            relayed += sign;
            relayedBytes += sign * (long) submission.bytes();
        }
    }

    /** Goes on as a fresh client; what is pending stays so. */
    synchronized void renew() {
        renew(false);
    }

    private void renew(boolean used) {
        missed.clear();
        if (used || sequence > 0) {
            turn = (turn + 1) % RequestCheck.CLIENTS;
            session = random.nextInt();
            sequence = 0;
        }
    }

    /**
     * The own replica has executed a request with an identity of this client. A Byzantine replica can have another command
     * ordered under it; then the one that was to be ordered is lost, and so is the session.
     */
    void executed(RequestId id, byte[] command, byte[] answer) {
        Submission submission;
        boolean forged;
        synchronized (this) {
            submission = pending.remove(id);
            if (submission != null) {
                count(submission, -1);
                long took = System.nanoTime() - (submission.deadlineNanos() - timeoutNanos);
                usualNanos += (took - usualNanos) / WEIGHT;
            }
            boolean ahead = id.client() == RequestCheck.client(self, turn)
                    && id.session() == session
                    && id.sequence() >= sequence;
            forged = submission == null ? ahead : !Arrays.equals(submission.command(), command);
            if (forged) {
                renew(true);
            }
        }
        if (submission != null && forged) {
            submission
                    .result()
                    .completeExceptionally(new OrderingUnavailable("another command took its place in the order"));
        } else if (submission != null) {
            submission.result().complete(answer);
        }
    }

    /** Fails what has waited too long; ends a session that some did not hear all of. Called now and then. */
    void expire(long nowNanos) {
        List<Submission> late = new ArrayList<>();
        synchronized (this) {
            Iterator<Submission> oldest = pending.values().iterator();
            while (oldest.hasNext()) {
                Submission next = oldest.next();
                if (nowNanos - next.deadlineNanos() < 0) {
                    break;
                }
                late.add(next);
                count(next, -1);
                oldest.remove();
            }
            if (!late.isEmpty() || !missed.isEmpty()) {
                renew();
            }
        }
        late.forEach(submission ->
                submission.result().completeExceptionally(new OrderingUnavailable("not ordered in time")));
    }

    /** How long it takes of late from the submission of a command to its execution here; 0 before the first. */
    synchronized long usualNanos() {
        return usualNanos;
    }

    void close() {
        List<Submission> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(pending.values());
            pending.clear();
        }
        left.forEach(submission ->
                submission.result().completeExceptionally(new OrderingUnavailable("the replica is closed")));
    }

    /**
     * One command on its way that this bftserver submitted.
     *
     * @param deadlineNanos when it counts as lost
     * @param relay whether it is somebody else's, passed on by this bftserver
     */
    private record Submission(long deadlineNanos, byte[] command, boolean relay, CompletableFuture<byte[]> result) {
        int bytes() {
            return command.length;
        }
    }
}
