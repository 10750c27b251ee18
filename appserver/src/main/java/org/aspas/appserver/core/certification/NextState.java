package org.aspas.appserver.core.certification;

import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.object.Candidate;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/** Computes the state at a version that may be certified next, and remembers the last one. For one thread. */
final class NextState {
    private final Logs logs;
    private final ObjectStore objects;
    private final CertifiedHistory history;
    private @Nullable Candidate candidate;

    NextState(Logs logs, ObjectStore objects, CertifiedHistory history) {
        this.logs = logs;
        this.objects = objects;
        this.history = history;
    }

    /** The state at a version, or before what in it waits for each other. */
    Candidate at(VersionVector version) {
        Candidate known = candidate;
        if (known != null && known.version().equals(version)) {
            return known;
        }
        VersionVector certified = history.certified();
        Candidate computed = objects.candidate(certified, logs.between(certified, version));
        candidate = computed;
        return computed;
    }

    /** The certified state or the logs have changed. */
    void forget() {
        candidate = null;
    }
}
