package org.aspas.appserver.core.certification;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.log.EntryIntake;
import org.aspas.appserver.core.log.LogEdge;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.log.OriginLog;
import org.aspas.appserver.core.log.OwnRecords;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Head;

/**
 * What a server does whose journal goes on from a certified state that no base has any more. It knows all that it signed, by the own
 * log's certified end and the entries after it. It takes a snapshot of that state or a later one from its peers, and until then
 * serves nobody and reports nothing. What it held of other logs and nobody certified waits here until these logs are back. For
 * one thread.
 */
public final class SnapshotBootstrap extends CorePart {
    private final Logs logs;
    private final CertifiedHistory history;
    private final EntryIntake intake;
    private final List<Batch> waiting = new ArrayList<>();

    public SnapshotBootstrap(CoreState context, Logs logs, CertifiedHistory history, EntryIntake intake) {
        super(context);
        this.logs = logs;
        this.history = history;
        this.intake = intake;
    }

    /** Whether a snapshot is awaited. */
    public boolean lost() {
        return history.incomplete();
    }

    /** The own log goes on from its certified end. */
    public void ownEnd(LogEdge end) {
        new OwnRecords(logs).restart(end);
    }

    /**
     * The state of this certificate was here, and is gone.
     *
     * @param number the least certificate with whose snapshot the server goes on
     */
    public void lose(CertificateNumber number) {
        if (!lost()) {
            counters.count("bases_lost");
        }
        history.require(number);
        for (int origin = 0; origin < settings.quorums().appservers(); origin++) {
            if (!logs.madeHere(origin)) {
                logs.repair(origin, Long.MAX_VALUE);
            }
        }
        condition.become(
                ServerState.REPAIRING,
                "its base is gone: it takes a snapshot at certificate " + number + " or later from its peers");
    }

    /** A batch of the journal has no place before the snapshot is here. */
    public void defer(Batch batch) {
        waiting.add(batch);
    }

    /** A snapshot was installed: what waited for it is taken, as far as it is new. */
    public void installed() {
        List<Batch> all = lost() ? List.of() : List.copyOf(waiting);
        for (Batch batch : all) {
            Head head = batch.head().message();
            OriginLog log = logs.of(head.origin());
            long before = log.size();
            if (intake.accept(batch) == BatchOutcome.ADDED) {
                int count = batch.entries().size();
                int fresh = (int) (head.size() - before);
                outbox.persist(
                        Records.batch(new Batch(batch.head(), batch.entries().subList(count - fresh, count))));
            }
        }
        waiting.removeAll(all);
    }
}
