package org.aspas.emulab.console.demo;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientStatistics;
import org.aspas.client.api.Tolerance;
import org.aspas.emulab.workload.ToleranceClass;

/** A group of clients that share one τ, which can be changed while they run. Thread-safe. */
final class ClientClass {
    private final String id;
    private final String label;
    private final List<AspasClient> clients;
    private final LongAdder answered = new LongAdder();
    private final LongAdder answerNanos = new LongAdder();
    private volatile ToleranceClass tolerance;
    private long updatesBefore;
    private long waitedBefore;

    /**
     * The state of a class's clients, and their activity since the last picture.
     *
     * @param waiting updates that are waiting now: for room in the window of τ, or with τ = 1 for their own confirmation
     * @param unconfirmed updates that are unconfirmed now
     * @param exposure the largest number of unconfirmed updates that one client has now
     * @param updates updates that were issued since the last picture
     * @param waited updates that τ has delayed since then
     * @param answered updates that were answered since then
     * @param answerNanos nanoseconds that these took in total
     */
    record Picture(
            long waiting, long unconfirmed, int exposure, long updates, long waited, long answered, long answerNanos) {}

    ClientClass(String id, String label, ToleranceClass tolerance, List<AspasClient> clients) {
        this.id = id;
        this.label = label;
        this.tolerance = tolerance;
        this.clients = List.copyOf(clients);
    }

    String id() {
        return id;
    }

    String label() {
        return label;
    }

    int size() {
        return clients.size();
    }

    ToleranceClass tolerance() {
        return tolerance;
    }

    void tolerance(ToleranceClass other) {
        tolerance = other;
        long bound = other.tolerance() == 0 ? Tolerance.UNBOUNDED : other.tolerance();
        clients.forEach(client -> client.tolerance(bound));
    }

    void answered(long nanos) {
        answered.increment();
        answerNanos.add(nanos);
    }

    /** Returns the clients' state, and their activity since the last call. For one thread. */
    Picture take() {
        long waiting = 0;
        long unconfirmed = 0;
        long updates = 0;
        long waited = 0;
        int exposure = 0;
        for (AspasClient client : clients) {
            ClientStatistics now = client.statistics();
            waiting += now.waiting() + (now.tolerance() == 1 && now.unconfirmed() == 1 ? 1 : 0);
            unconfirmed += now.unconfirmed();
            exposure = Math.max(exposure, now.unconfirmed());
            updates += now.updates();
            waited += now.waited();
        }
        Picture picture = new Picture(
                waiting,
                unconfirmed,
                exposure,
                updates - updatesBefore,
                waited - waitedBefore,
                answered.sumThenReset(),
                answerNanos.sumThenReset());
        updatesBefore = updates;
        waitedBefore = waited;
        return picture;
    }
}
