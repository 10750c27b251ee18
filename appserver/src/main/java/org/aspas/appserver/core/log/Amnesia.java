package org.aspas.appserver.core.log;

import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.ServerState;

/**
 * Makes a server amnesiac: it may have signed what it no longer holds. From then on it signs nothing that could contradict that:
 * no entries, heads, reports, or words to clients that have a session. It takes its own entries from others, as any server's. That
 * is recorded before them, since the store then looks whole again. For one thread.
 */
public final class Amnesia extends CorePart {
    private final Logs logs;
    /** Whether the records that were replayed say so. */
    private boolean recorded;

    public Amnesia(CoreState context, Logs logs) {
        super(context);
        this.logs = logs;
    }

    /**
     * The server is amnesiac, for as long as its store is used under this key.
     *
     * @param reason how that is known, in words for people
     */
    public void begin(String reason) {
        if (!condition.amnesiac()) {
            condition.become(ServerState.AMNESIAC, reason);
            logs.lost();
            outbox.persist(Records.amnesiac(reason));
        }
    }

    public void restore(String reason) {
        begin(reason);
        recorded = true;
    }

    /**
     * Replay is over. A snapshot among the records may have shown the loss where no record names it; a newer base would hide that
     * from the next start, so it is recorded now.
     */
    public void replayed() {
        if (condition.amnesiac() && !recorded) {
            outbox.persist(Records.amnesiac(condition.why()));
        }
    }
}
