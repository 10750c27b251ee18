package org.aspas.emulab.workload;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.aspas.client.core.InspectionCounts;

/** What a workload needs of one client. Thread-safe. */
public interface StoreSession {
    Write increment(String key, long amount);

    Write add(String key, String element);

    /** A counter's value as the client's server has it now; 0 when nobody has touched it. */
    CompletionStage<Long> counter(String key);

    /** A set's elements as the client's server has them now; empty when nobody has touched it. */
    CompletionStage<Set<String>> set(String key);

    /** How many checks of what the server sent have failed so far. */
    long verificationFailures();

    /** How many checks have failed so far of all of them together. */
    static long verificationFailures(Collection<StoreSession> sessions) {
        return sessions.stream().mapToLong(StoreSession::verificationFailures).sum();
    }

    /** How many of the server's answers it has had inspected so far; 0 for a system that inspects none. */
    default long inspections() {
        return 0;
    }

    /** What became of the answers that chance picked for inspection so far; nothing for a system that inspects none. */
    default InspectionCounts inspected() {
        return InspectionCounts.NONE;
    }

    /** How many updates it has made so far; 0 for a system that does not count them. */
    default long updates() {
        return 0;
    }

    /** How often it has turned to another server so far; 0 for a system in which it cannot. */
    default long switches() {
        return 0;
    }

    /** Ends the session; done when the system is told. */
    CompletionStage<?> close();
}
