package org.aspas.client.api;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.client.core.port.Policy;
import org.aspas.client.transport.ServerTrust;
import org.aspas.client.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * How a client behaves. Immutable; every method that takes a value returns a changed copy and throws {@link
 * IllegalArgumentException} for a value out of range.
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

    /** Whether the key is used by this start alone, and nothing of it is kept. */
    boolean ephemeral;

    /** Null to choose one at random. */
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

    /** What is wrong with a deadline; empty for a usable one, and for zero, which means none. */
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
     * τ = unbounded, updates wait for room in the window and have no deadlines, reads have ten seconds, connects for ever, leaves a
     * server that is of no use after five seconds, inspects one answer in a hundred.
     */
    public static ClientOptions defaults() {
        return new ClientOptions();
    }

    /** With another τ at the start: from 1, or {@link Tolerance#UNBOUNDED}; changeable while running. */
    public ClientOptions withTolerance(long changed) {
        return with(d -> d.tolerance = changed);
    }

    /**
     * With other bounds.
     *
     * @param unconfirmed how many updates may be unconfirmed however large τ is, from 1
     * @param unanswered how many updates may be on their way at once, from 1
     * @param waiting how many updates may wait for room in the window, from 0; with 0 an update beyond τ fails at once with
     *     {@link AspasException.TooMuchPending}
     * @param reads how many reads may be pending, from 1
     */
    public ClientOptions withBounds(int unconfirmed, int unanswered, int waiting, int reads) {
        return with(d -> {
            d.maxUnconfirmed = unconfirmed;
            d.maxUnanswered = unanswered;
            d.maxWaiting = waiting;
            d.maxReads = reads;
        });
    }

    /** With other times, 1 ms to 365 days, after which a read or a question fails, and after which an attempt to connect fails. */
    public ClientOptions withTimeouts(Duration read, Duration connect) {
        return with(d -> {
            d.readTimeout = read;
            d.connectTimeout = connect;
        });
    }

    /** With another number of failed attempts in a row that ends the client; 0 tries for ever. */
    public ClientOptions withConnectAttempts(int attempts) {
        return with(d -> d.connectAttempts = attempts);
    }

    /** With an artificial round-trip time to add, up to 365 days, for experiments; zero for none. */
    public ClientOptions withRoundTrip(Duration added) {
        return with(d -> d.roundTrip = added);
    }

    /** With other resources than {@link ClientResources#shared}. */
    public ClientOptions withResources(ClientResources shared) {
        return with(d -> d.resources = given(shared, "resources"));
    }

    /** With a place for the record of the client's key: what is unconfirmed at the end is sent again by the next start. */
    public ClientOptions withState(ClientStateStore store) {
        return with(d -> {
            d.state = given(store, "state");
            d.ephemeral = false;
        });
    }

    /**
     * Without a record of the client's key. What is unconfirmed when the client ends is not sent again: whether it takes effect, only
     * reads tell. For clients that only read, tests, and applications that keep track themselves.
     */
    public ClientOptions withEphemeralKey() {
        return with(d -> {
            d.state = null;
            d.ephemeral = true;
        });
    }

    /** With another appserver to talk to first, by its index from 0; usual is one by chance. */
    public ClientOptions withServer(int index) {
        return with(d -> d.server = index);
    }

    /**
     * With deadlines of updates, counted from the call; from 1 ms to 365 days, or zero for none, which is usual. When one is over the
     * stage of the {@link Update} fails with {@link AspasException.MayTakeEffect}, and the client goes on with the update. An update
     * that still waits for room in the window of τ is withdrawn instead: {@link AspasException.TimedOut}.
     *
     * @param answer within which {@link Update#answered} is done
     * @param confirmation within which {@link Update#confirmed} is done
     */
    public ClientOptions withDeadlines(Duration answer, Duration confirmation) {
        return with(d -> {
            d.answerDeadline = answer;
            d.confirmationDeadline = confirmation;
        });
    }

    /** With others who may sign the certificates of servers that clients reach by TLS; usual is whom the JDK trusts. */
    public ClientOptions withTrust(ServerTrust changed) {
        return with(d -> d.trust = given(changed, "trust"));
    }

    /** With a transport around or in place of the real one to each server, given its index. */
    public ClientOptions withTransport(BiFunction<Integer, Transport, Transport> wrapper) {
        return with(d -> d.transport = given(wrapper, "transport"));
    }

    /** With another way to guard itself; {@link Policy#STAY} never asks or turns to another server. */
    public ClientOptions withPolicy(Policy changed) {
        return with(d -> d.policy = given(changed, "policy"));
    }

    /**
     * With another inspection.
     *
     * @param probability that an answer is inspected, 0 to 1
     * @param perMinute how many a minute at most, from 0
     */
    public ClientOptions withInspection(double probability, int perMinute) {
        return with(d -> d.policy = policy.withInspection(probability, perMinute));
    }

    /** With other times, 1 ms to 365 days, after which the client doubts its server, and leaves one that it cannot use. */
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

    /** With a seed, so that the choice of servers and of answers to inspect can be repeated. */
    public ClientOptions withSeed(long number) {
        return with(d -> d.seed = number);
    }

    /**
     * With a hook that is told of updates whose entries were revoked, so that the application can undo what it showed. It
     * is called on the client's executor, so it returns quickly.
     */
    public ClientOptions withOnRevoked(Consumer<ClientEvent.Revoked> undo) {
        return with(d -> d.onRevoked = given(undo, "onRevoked"));
    }
}
