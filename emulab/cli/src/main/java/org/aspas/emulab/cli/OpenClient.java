package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.AspasException;
import org.aspas.client.api.ClientStatistics;
import org.aspas.client.api.FileClientState;
import org.aspas.client.api.Tolerance;
import org.aspas.client.api.Update;
import org.aspas.client.api.UpdateAnswer;
import org.aspas.client.api.UpdateConfirmation;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Failure;

/** A client that commands talk through: how long they wait, where it went, and what becomes of an update that fails. */
final class OpenClient implements AutoCloseable {
    private static final double NANOS_PER_MILLI = 1e6;
    /** Why an update does not fit its object, and never will. */
    private static final Set<Refusal.Reason> NEVER_FIT =
            Set.of(Refusal.Reason.WRONG_TYPE, Refusal.Reason.BAD_OPERATION);
    /** How long a refused update is waited for, until a certificate covers it. */
    private static final int MOST_SECONDS_REFUSED = 5;

    private final AspasClient client;
    private final Descriptor descriptor;
    private final String name;
    private final FileClientState record;
    private final int timeoutSeconds;
    private final List<Left> switches = new CopyOnWriteArrayList<>();
    private volatile long lastTurn;
    private long began;
    private long called;
    private volatile long readyAt;
    private boolean kept;
    private volatile boolean ended;

    /** A server that the client left, after how long with it. */
    private record Left(ClientEvent.Switched event, long nanos) {}

    /**
     * A client that has been connecting in the background since {@code began}, by {@link System#nanoTime()}.
     *
     * @param timeoutSeconds how long a command waits for an answer
     */
    OpenClient(
            AspasClient client,
            Descriptor descriptor,
            String name,
            FileClientState record,
            int timeoutSeconds,
            long began) {
        this.client = client;
        this.descriptor = descriptor;
        this.name = name;
        this.record = record;
        this.timeoutSeconds = timeoutSeconds;
        this.began = began;
        this.lastTurn = began;
        client.ready().thenRun(() -> readyAt = System.nanoTime());
        client.events(event -> {
            if (event instanceof ClientEvent.Switched switched) {
                long now = System.nanoTime();
                switches.add(new Left(switched, now - lastTurn));
                lastTurn = now;
            }
        });
    }

    /** Lets other commands use the client after this one, so {@link #close} leaves it open. */
    OpenClient kept() {
        kept = true;
        return this;
    }

    /** Begins another command on this client: times and switches count from now. */
    OpenClient again() {
        switches.clear();
        began = System.nanoTime();
        lastTurn = began;
        return this;
    }

    boolean usable() {
        return !ended;
    }

    AspasClient client() {
        return client;
    }

    /** The client for a call whose time counts from now. */
    AspasClient call() {
        called = System.nanoTime();
        return client;
    }

    /** Sets τ for the updates from now on: from 1, or unbounded. */
    void tolerance(long tolerance) {
        client.tolerance(tolerance);
    }

    /** What a read gives. A timeout says who was silent, and since when. */
    <T> T await(CompletionStage<T> stage)
            throws InterruptedException, ExecutionException, TimeoutException, CommandFailed {
        try {
            return within(stage).orElseThrow(() -> new TimeoutException(silence()));
        } catch (ExecutionException failed) {
            stranger(failed);
            if (UserErrors.cause(failed) instanceof AspasException.Unreachable gone) {
                throw new TimeoutException("appserver-" + client.server() + ": " + gone.getMessage());
            }
            throw failed;
        }
    }

    /** Says where another deployment answers, if that is what is wrong. */
    private void stranger(Exception failed) throws CommandFailed {
        if (UserErrors.cause(failed) instanceof AspasException.WrongServer other) {
            end();
            throw new CommandFailed(other.getMessage() + " (it should be at "
                    + descriptor.node(NodeId.appserver(client.server())).http().getAuthority() + ")");
        }
    }

    /**
     * The answer to an update.
     *
     * @throws KeptException when there is none, and the next command sends the update
     * @throws RefusedException when it never has an effect, and nothing of it is left to be sent
     */
    UpdateAnswer answer(Update update) throws Exception {
        try {
            return within(update.answered()).orElseThrow(() -> new TimeoutException(unanswered()));
        } catch (ExecutionException | TimeoutException failed) {
            if (UserErrors.cause(failed) instanceof AspasException.MayTakeEffect doubt
                    && doubt.why() instanceof Failure.Refused refused
                    && NEVER_FIT.contains(refused.reason())) {
                throw refused(update, refused);
            }
            Exception left = left(failed);
            stranger(left);
            throw left;
        }
    }

    /**
     * f+1 servers say that the update does not fit its object. Its number has to be taken all the same, by an entry without effect,
     * which is what they make of it when it is given again. Then nothing is left to be sent.
     */
    private Exception refused(Update update, Failure.Refused why) throws Exception {
        boolean over = within(update.confirmed(), Math.min(timeoutSeconds, MOST_SECONDS_REFUSED))
                .isPresent();
        Optional<String> request = over ? Optional.empty() : endedWith();
        String detail =
                why.reason() == Refusal.Reason.WRONG_TYPE ? why.detail() : "the update is refused: " + why.detail();
        return new RefusedException(detail, request, name);
    }

    /** What a failed update leaves: its request in the client's record, unless it was never signed. */
    private Exception left(Exception failed) {
        Throwable cause = UserErrors.cause(failed);
        boolean signed = client.statistics().waiting() == 0
                && !(cause instanceof AspasException.InvalidCall)
                && !(cause instanceof AspasException.TooMuchPending);
        if (!signed) {
            Exception unsent = cause instanceof TimeoutException ? new TimeoutException(noRoom()) : failed;
            end();
            return unsent;
        }
        return endedWith()
                .<Exception>map(request -> new KeptException(failed, request, name))
                .orElse(failed);
    }

    /** Why an update has no answer. A server that has it may wait for a certificate, as everybody does with τ = 1. */
    private String unanswered() {
        return readyAt != 0 && client.statistics().tolerance() == 1
                ? "with --tau 1 an answer waits for a certificate, and none covered the update within " + timeoutSeconds
                        + " s (see aspas status)"
                : silence();
    }

    /** Why an update was not even signed: those before it take all the room that τ gives. */
    private String noRoom() {
        ClientStatistics now = client.statistics();
        return "the update is not sent, and not kept: after " + timeoutSeconds
                + " s earlier updates still leave no room for it (unconfirmed: " + now.unconfirmed() + ", --tau "
                + Tolerance.text(now.tolerance()) + "; see aspas pending list)";
    }

    /** Ends the client, and returns the name of the last request that it leaves in its record. */
    private Optional<String> endedWith() {
        end();
        // Not from the files: another command of this client may have taken it over by now.
        return record.last().unconfirmed().stream()
                .map(PendingRequests.Pending::of)
                .filter(one -> one.request().client().equals(client.id()))
                .reduce((first, second) -> second)
                .map(PendingRequests.Pending::name);
    }

    /** The confirmation of an update that is answered; empty when none comes in time. */
    Optional<UpdateConfirmation> confirmation(Update update) throws InterruptedException, ExecutionException {
        return within(update.confirmed());
    }

    private <T> Optional<T> within(CompletionStage<T> stage) throws InterruptedException, ExecutionException {
        return within(stage, timeoutSeconds);
    }

    private static <T> Optional<T> within(CompletionStage<T> stage, int seconds)
            throws InterruptedException, ExecutionException {
        try {
            return Optional.of(stage.toCompletableFuture().get(seconds, TimeUnit.SECONDS));
        } catch (TimeoutException late) {
            return Optional.empty();
        }
    }

    /** An open session says that the server was there; without one it never said anything that counts. */
    private String silence() {
        return "no answer from appserver-" + client.server() + " within " + timeoutSeconds + " s"
                + (readyAt != 0 ? "" : ", which opened no session: it is stopped, cut off or overloaded");
    }

    /** The newest certificate that the client has verified; none before the first. */
    CertificateNumber newest() {
        return client.newestCertificate().map(Certificate::number).orElse(CertificateNumber.NONE);
    }

    /** What to say when an update was answered and no certificate covered it in time. */
    String notConfirmed(UpdateAnswer answer, CertificateNumber whenAnswered) {
        CertificateNumber now = newest();
        String why = now.isAfter(whenAnswered)
                ? "certificates up to " + now.value() + " came, but none is proved to cover it"
                : "no certificate came (see aspas status)";
        return "the update was answered by appserver-" + answer.dot().origin() + ", but not confirmed within "
                + timeoutSeconds + " s: " + why + "; it already counts there, and counts twice if you repeat it";
    }

    /**
     * Adds who answered, whom the client left before, how long it took to open the session, and how long the call took on an
     * open session.
     *
     * @param callNanos from the call to its result
     */
    void describe(ObjectNode out, long callNanos) {
        out.put("server", client.server());
        out.put("connect_ms", Math.max(0, readyAt - began) / NANOS_PER_MILLI);
        long waited = Math.max(0, readyAt - called);
        out.put("round_trip_ms", Math.max(0, callNanos - waited) / NANOS_PER_MILLI);
        if (!switches.isEmpty()) {
            ArrayNode left = out.putArray("left");
            switches.forEach(one -> left.addObject()
                    .put("server", one.event().from())
                    .put("why", one.event().why().name().toLowerCase(Locale.ROOT))
                    .put("after_ms", one.nanos() / NANOS_PER_MILLI)
                    .put("detail", one.event().detail()));
        }
    }

    /** Ends the client unless another command may use it. */
    @Override
    public void close() {
        if (!kept) {
            end();
        }
    }

    void end() {
        ended = true;
        client.close();
    }
}
