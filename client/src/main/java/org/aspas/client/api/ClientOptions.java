package org.aspas.client.api;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Policy;
import org.aspas.client.net.ServerTrust;
import org.aspas.client.net.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a client. Immutable and thread-safe: every {@code with} method returns a changed copy, and throws {@link
 * IllegalArgumentException} when a value is null or out of range.
 */
public final class ClientOptions {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(365);

    long tolerance = Tolerance.UNBOUNDED;
    int maxUnconfirmed = 100_000;
    int maxUnanswered = 1024;
    int maxWaiting = 10_000;
    int maxReads = 1024;
    Duration readTimeout = Duration.ofSeconds(10);
    Duration connectTimeout = Duration.ofSeconds(5);
    int connectAttempts;
    Duration roundTrip = Duration.ZERO;

    @Nullable
    ClientResources resources;

    @Nullable
    ClientStateStore state;

    /** Whether the key serves this run only, so that nothing about it is stored. */
    boolean ephemeral;

    /** The first appserver's index; null for a random one. */
    @Nullable
    Integer server;

    Duration answerDeadline = Duration.ZERO;
    Duration confirmationDeadline = Duration.ZERO;

    ServerTrust trust = ServerTrust.usual();
    BiFunction<Integer, Transport, Transport> transport = (server, real) -> real;
    Policy policy = Policy.USUAL;

    @Nullable
    Long seed;

    Consumer<ClientEvent.Revoked> onRevoked = revoked -> {};

    private ClientOptions() {}

    private ClientOptions(ClientOptions from) {
        tolerance = from.tolerance;
        maxUnconfirmed = from.maxUnconfirmed;
        maxUnanswered = from.maxUnanswered;
        maxWaiting = from.maxWaiting;
        maxReads = from.maxReads;
        readTimeout = from.readTimeout;
        connectTimeout = from.connectTimeout;
        connectAttempts = from.connectAttempts;
        roundTrip = from.roundTrip;
        resources = from.resources;
        state = from.state;
        ephemeral = from.ephemeral;
        server = from.server;
        answerDeadline = from.answerDeadline;
        confirmationDeadline = from.confirmationDeadline;
        trust = from.trust;
        transport = from.transport;
        policy = from.policy;
        seed = from.seed;
        onRevoked = from.onRevoked;
    }

    private ClientOptions with(Consumer<ClientOptions> change) {
        ClientOptions changed = new ClientOptions(this);
        change.accept(changed);
        changed.checkRanges();
        return changed;
    }

    private void checkRanges() {
        check(Tolerance.isOne(tolerance), Tolerance.RANGE + tolerance);
        check(maxUnconfirmed >= 1, "maxUnconfirmed must be at least 1");
        check(maxUnanswered >= 1, "maxUnanswered must be at least 1");
        check(maxWaiting >= 0, "maxWaiting must not be negative");
        check(maxReads >= 1, "maxReads must be at least 1");
        check(inRange(readTimeout), "readTimeout must be 1 ms to 365 days: " + readTimeout);
        check(inRange(connectTimeout), "connectTimeout must be 1 ms to 365 days: " + connectTimeout);
        check(connectAttempts >= 0, "connectAttempts must not be negative");
        check(
                roundTrip != null && !roundTrip.isNegative() && roundTrip.compareTo(LONGEST) <= 0,
                "roundTrip must be zero to 365 days: " + roundTrip);
        check(server == null || server >= 0, "server must not be negative");
        deadlineFault(answerDeadline, "the deadline of answers").ifPresent(ClientOptions::refuse);
        deadlineFault(confirmationDeadline, "the deadline of confirmations").ifPresent(ClientOptions::refuse);
    }

    /** Returns the fault of a deadline; empty for a valid one and for zero, which means none. */
    static Optional<String> deadlineFault(@Nullable Duration deadline, String name) {
        return inRange(deadline) || deadline != null && deadline.isZero()
                ? Optional.empty()
                : Optional.of(name + " must be 1 ms to 365 days, or zero for none: " + deadline);
    }

    private static boolean inRange(@Nullable Duration time) {
        return time != null && time.compareTo(SHORTEST) >= 0 && time.compareTo(LONGEST) <= 0;
    }

    static <T> T given(@Nullable T value, String name) {
        if (value == null) {
            throw new IllegalArgumentException(name + " is null");
        }
        return value;
    }

    private static void refuse(String complaint) {
        throw new IllegalArgumentException(complaint);
    }

    private static void check(boolean right, String complaint) {
        if (!right) {
            refuse(complaint);
        }
    }

    /**
     * Returns the default settings: τ is unbounded. Updates wait for room in the window and have no deadlines. Reads time out after ten
     * seconds, and attempts to connect are repeated without limit. The client leaves an unusable server after five seconds and inspects
     * one answer in a hundred.
     */
    public static ClientOptions defaults() {
        return new ClientOptions();
    }

    /** Sets the initial τ: from 1, or {@link Tolerance#UNBOUNDED}. {@link AspasClient#tolerance(long)} changes it at run time. */
    public ClientOptions withTolerance(long changed) {
        return with(d -> d.tolerance = changed);
    }

    /**
     * Sets the client's bounds.
     *
     * @param unconfirmed the most updates that may be unconfirmed, however large τ is; from 1
     * @param unanswered the most updates that may be sent and unanswered at once; from 1
     * @param waiting the most updates that may wait for room in the window; from 0. With 0 an update beyond τ fails at once with {@link
     *     AspasException.TooMuchPending}
     * @param reads the most reads that may be pending; from 1
     */
    public ClientOptions withBounds(int unconfirmed, int unanswered, int waiting, int reads) {
        return with(d -> {
            d.maxUnconfirmed = unconfirmed;
            d.maxUnanswered = unanswered;
            d.maxWaiting = waiting;
            d.maxReads = reads;
        });
    }

    /**
     * Sets the timeouts, each from 1 ms to 365 days.
     *
     * @param read after which a read, or a request for a certificate, fails
     * @param connect after which an attempt to connect fails
     */
    public ClientOptions withTimeouts(Duration read, Duration connect) {
        return with(d -> {
            d.readTimeout = read;
            d.connectTimeout = connect;
        });
    }

    /** Sets how many failed attempts to connect in a row end the client; 0 for no limit. */
    public ClientOptions withConnectAttempts(int attempts) {
        return with(d -> d.connectAttempts = attempts);
    }

    /** Adds an artificial round-trip time for experiments, up to 365 days; zero for none. */
    public ClientOptions withRoundTrip(Duration added) {
        return with(d -> d.roundTrip = added);
    }

    /** Sets the threads and connections to run on, instead of {@link ClientResources#shared}. */
    public ClientOptions withResources(ClientResources shared) {
        return with(d -> d.resources = given(shared, "resources"));
    }

    /** Sets the store for the client's record, from which the next run sends again the updates that this one leaves unconfirmed. */
    public ClientOptions withState(ClientStateStore store) {
        return with(d -> {
            d.state = given(store, "state");
            d.ephemeral = false;
        });
    }

    /**
     * Runs the client without a record. Updates that are unconfirmed when it ends are not sent again, and only reads tell whether they
     * took effect. This suits clients that only read, tests, and applications that track their updates themselves.
     */
    public ClientOptions withEphemeralKey() {
        return with(d -> {
            d.state = null;
            d.ephemeral = true;
        });
    }

    /** Sets the first appserver to use, by its index from 0; the default is a random one. */
    public ClientOptions withServer(int index) {
        return with(d -> d.server = index);
    }

    /**
     * Sets the deadlines of updates, counted from the call: from 1 ms to 365 days, or zero for none, the default. When a deadline expires,
     * the stage of the {@link Update} fails with {@link AspasException.MayTakeEffect}, but the client keeps sending the update. An
     * update that still waits for room in the window of τ is withdrawn instead and fails with {@link AspasException.TimedOut}.
     *
     * @param answer the deadline of {@link Update#answered}
     * @param confirmation the deadline of {@link Update#confirmed}
     */
    public ClientOptions withDeadlines(Duration answer, Duration confirmation) {
        return with(d -> {
            d.answerDeadline = answer;
            d.confirmationDeadline = confirmation;
        });
    }

    /** Sets the authorities that may sign the TLS certificates of servers; the default is those that the JDK trusts. */
    public ClientOptions withTrust(ServerTrust changed) {
        return with(d -> d.trust = given(changed, "trust"));
    }

    /** Sets a function that wraps or replaces the real transport to each server, given the server's index. */
    public ClientOptions withTransport(BiFunction<Integer, Transport, Transport> wrapper) {
        return with(d -> d.transport = given(wrapper, "transport"));
    }

    /** Sets how the client guards itself against its server; with {@link Policy#STAY} it never asks or moves to another one. */
    public ClientOptions withPolicy(Policy changed) {
        return with(d -> d.policy = given(changed, "policy"));
    }

    /**
     * Sets how often other servers are asked to recompute an answer.
     *
     * @param probability the probability that an answer is inspected, 0 to 1
     * @param perMinute the most inspections a minute, from 0
     */
    public ClientOptions withInspection(double probability, int perMinute) {
        return with(d -> d.policy = policy.withInspection(probability, perMinute));
    }

    /**
     * Sets how long the client bears with its server, each from 1 ms to 365 days.
     *
     * @param grace how long an answered update may stay unconfirmed before the client asks other servers
     * @param unreachable how long the server may be unusable, or leave an update unanswered, before the client leaves it
     */
    public ClientOptions withPatience(Duration grace, Duration unreachable) {
        check(
                inRange(grace) && inRange(unreachable),
                "patience must be 1 ms to 365 days: " + grace + ", " + unreachable);
        return with(d -> d.policy = new Policy(
                true,
                grace.toMillis(),
                unreachable.toMillis(),
                policy.newestCertificateMillis(),
                policy.inspection(),
                policy.inspectionsPerMinute()));
    }

    /** Sets the seed that makes the choices of servers and of answers to inspect reproducible. */
    public ClientOptions withSeed(long number) {
        return with(d -> d.seed = number);
    }

    /**
     * Sets a hook that receives the updates whose entries were revoked, so that the application can undo what it showed. It is called on
     * the client's executor, so it must not block.
     */
    public ClientOptions withOnRevoked(Consumer<ClientEvent.Revoked> undo) {
        return with(d -> d.onRevoked = given(undo, "onRevoked"));
    }
}
