package org.aspas.client.api;

import java.time.Duration;
import java.util.function.Function;
import org.aspas.client.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * How a client behaves. Immutable; every method that takes a value returns a changed copy and throws {@link
 * IllegalArgumentException} for a value out of range.
 *
 * @param tolerance τ at the start: from 1, or {@link Tolerance#UNBOUNDED}; changeable while running
 * @param maxUnconfirmed how many updates may be unconfirmed however large τ is, from 1
 * @param maxUnanswered how many updates may be on their way at once, from 1
 * @param maxWaiting how many updates may wait for room in the window, from 0; with 0 an update beyond τ fails at once with
 *     {@link AspasException.TooMuchPending}
 * @param maxReads how many reads may be pending, from 1
 * @param readTimeout after which a read fails
 * @param connectTimeout after which an attempt to connect fails
 * @param connectAttempts how many failed attempts in a row end the client, from 1; 0 tries for ever
 * @param roundTrip an artificial round-trip time to add, for experiments; zero for none
 * @param resources what this client shares with others; null for {@link ClientResources#shared}
 * @param state where to keep the request numbers and the highest certificate; null for a key that is used once
 * @param transport wraps or replaces the transport to the server, for tests
 */
public record ClientOptions(
        long tolerance,
        int maxUnconfirmed,
        int maxUnanswered,
        int maxWaiting,
        int maxReads,
        Duration readTimeout,
        Duration connectTimeout,
        int connectAttempts,
        Duration roundTrip,
        @Nullable ClientResources resources,
        @Nullable ClientStateStore state,
        Function<Transport, Transport> transport) {
    private static final ClientOptions DEFAULTS = new ClientOptions(
            Tolerance.UNBOUNDED,
            100_000,
            1024,
            10_000,
            1024,
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            0,
            Duration.ZERO,
            null,
            null,
            Function.identity());

    /** Checks the ranges. */
    public ClientOptions {
        Tolerance.check(tolerance);
        check(maxUnconfirmed >= 1, "maxUnconfirmed must be at least 1");
        check(maxUnanswered >= 1, "maxUnanswered must be at least 1");
        check(maxWaiting >= 0, "maxWaiting must not be negative");
        check(maxReads >= 1, "maxReads must be at least 1");
        check(readTimeout.toMillis() >= 1, "readTimeout must be at least 1 ms");
        check(connectTimeout.toMillis() >= 1, "connectTimeout must be at least 1 ms");
        check(connectAttempts >= 0, "connectAttempts must not be negative");
        check(!roundTrip.isNegative(), "roundTrip must not be negative");
    }

    private static void check(boolean right, String complaint) {
        if (!right) {
            throw new IllegalArgumentException(complaint);
        }
    }

    /** τ = ∞, updates wait for room in the window, connects for ever, nothing durable. */
    public static ClientOptions defaults() {
        return DEFAULTS;
    }

    /** With another τ. */
    public ClientOptions withTolerance(long changed) {
        return new ClientOptions(
                changed,
                maxUnconfirmed,
                maxUnanswered,
                maxWaiting,
                maxReads,
                readTimeout,
                connectTimeout,
                connectAttempts,
                roundTrip,
                resources,
                state,
                transport);
    }

    /** With other bounds. */
    public ClientOptions withBounds(int unconfirmed, int unanswered, int waiting, int reads) {
        return new ClientOptions(
                tolerance,
                unconfirmed,
                unanswered,
                waiting,
                reads,
                readTimeout,
                connectTimeout,
                connectAttempts,
                roundTrip,
                resources,
                state,
                transport);
    }

    /** With other timeouts. */
    public ClientOptions withTimeouts(Duration read, Duration connect) {
        return new ClientOptions(
                tolerance,
                maxUnconfirmed,
                maxUnanswered,
                maxWaiting,
                maxReads,
                read,
                connect,
                connectAttempts,
                roundTrip,
                resources,
                state,
                transport);
    }

    /** With another number of failed attempts in a row that ends the client; 0 tries for ever. */
    public ClientOptions withConnectAttempts(int attempts) {
        return new ClientOptions(
                tolerance,
                maxUnconfirmed,
                maxUnanswered,
                maxWaiting,
                maxReads,
                readTimeout,
                connectTimeout,
                attempts,
                roundTrip,
                resources,
                state,
                transport);
    }

    /** With an artificial round-trip time. */
    public ClientOptions withRoundTrip(Duration added) {
        return new ClientOptions(
                tolerance,
                maxUnconfirmed,
                maxUnanswered,
                maxWaiting,
                maxReads,
                readTimeout,
                connectTimeout,
                connectAttempts,
                added,
                resources,
                state,
                transport);
    }

    /** With shared resources. */
    public ClientOptions withResources(ClientResources shared) {
        return new ClientOptions(
                tolerance,
                maxUnconfirmed,
                maxUnanswered,
                maxWaiting,
                maxReads,
                readTimeout,
                connectTimeout,
                connectAttempts,
                roundTrip,
                shared,
                state,
                transport);
    }

    /** With a place for the record of the client's key. */
    public ClientOptions withState(ClientStateStore store) {
        return new ClientOptions(
                tolerance,
                maxUnconfirmed,
                maxUnanswered,
                maxWaiting,
                maxReads,
                readTimeout,
                connectTimeout,
                connectAttempts,
                roundTrip,
                resources,
                store,
                transport);
    }

    /** With a transport around or in place of the real one. */
    public ClientOptions withTransport(Function<Transport, Transport> wrapper) {
        return new ClientOptions(
                tolerance,
                maxUnconfirmed,
                maxUnanswered,
                maxWaiting,
                maxReads,
                readTimeout,
                connectTimeout,
                connectAttempts,
                roundTrip,
                resources,
                state,
                wrapper);
    }
}
