package org.aspas.emulab.workload;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;

/**
 * A running replicated store of counters and sets, which workloads are run against: ASPAS itself, or one that it is compared
 * with. Thread-safe.
 *
 * <p>A run opens a session for each client, waits until the system serves, drives the sessions, closes them, and asks whether
 * the servers agree.
 */
public interface SystemUnderTest extends AutoCloseable {
    /** The system's name for people and programs, such as {@code aspas} or {@code ap}. */
    String name();

    /**
     * Connects a client.
     *
     * @return done when the session can be used; fails when it cannot be had
     */
    CompletionStage<? extends StoreSession> open(SessionSettings settings);

    /**
     * Waits, once the first sessions are open, until the system does all that it does in a run: what it does only once at its
     * start is then over.
     *
     * @throws TimeoutException when a server is not so far in time; the message names it
     */
    void awaitServing(Duration patience) throws IOException, InterruptedException, TimeoutException;

    /** The number of the newest certificate that a correct server has; 0 for a system that certifies nothing. */
    default long newestCertificate() throws IOException, InterruptedException {
        return 0;
    }

    /** How many entries the servers' logs hold together; 0 for a system without such logs. */
    default long entries() throws IOException, InterruptedException {
        return 0;
    }

    /**
     * Whether all correct servers hold the same, and what the clients were answered; to be called when nothing is written any
     * more.
     *
     * @param ledger what the clients were answered, since the system was started
     * @param patience how long the servers may take to agree; comparing takes some tens of seconds more at most
     */
    Convergence converge(Ledger ledger, Duration patience) throws InterruptedException;

    /**
     * Figures of the system's own since the last call, or since its start, by name; none for a system that has none. Its page
     * says what they are.
     */
    default SortedMap<String, Double> takeFigures() {
        return Collections.emptySortedMap();
    }

    /**
     * How long the steps from answers to confirmations took in the time until now, over all servers; empty for a system that
     * certifies nothing.
     *
     * @param past how far to look back; a system in another process may look back a minute instead
     */
    default Map<LagStep, DurationFigures> lagSteps(Duration past) throws IOException, InterruptedException {
        return Map.of();
    }

    /**
     * The public-key operations until now of clients and servers by party, such as {@code clients} and {@code appservers}; none
     * for a system that signs nothing.
     */
    default SortedMap<String, SignatureCounts.Reading> signatures() throws IOException, InterruptedException {
        return Collections.emptySortedMap();
    }

    /** The processes that the system has beside this one. */
    default List<ProcessHandle> processes() {
        return List.of();
    }

    /** The processor time that the system has taken so far in other processes than this one; zero when it has none. */
    default Duration processorTimeElsewhere() {
        return Duration.ZERO;
    }

    /** Stops the servers and whatever is left of the sessions. */
    @Override
    void close();
}
