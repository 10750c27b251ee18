package org.aspas.client.core.read;

import java.util.Collection;
import org.aspas.certify.wire.Response;
import org.aspas.client.core.guard.LateAnswers;
import org.aspas.client.core.guard.Lateness;
import org.aspas.client.core.step.Step;
import org.aspas.crdt.value.Value;

/**
 * How long the present server takes for reads. Only those of the application count: a switch begins some reads of the client
 * itself, and must not lead to the next one.
 */
final class ReadTimes {
    private final long readMillis;
    private final Step step;
    private final LateAnswers late = new LateAnswers();
    /**
     * When the first read was given to the present server that it has left open until its time was over; negative when it has
     * answered one since.
     */
    private long openSince = -1;

    /** Begins with no reads; {@code readMillis} is the time after which a read fails. */
    ReadTimes(long readMillis, Step step) {
        this.readMillis = readMillis;
        this.step = step;
    }

    /** Since when the present server has left reads open, over all connections; negative when it leaves none open. */
    long awaitedSince(Collection<PendingRead> pending) {
        return pending.stream()
                .filter(one -> one.receiver.insists())
                .mapToLong(one -> one.givenAt)
                .filter(at -> at >= 0)
                .map(at -> openSince < 0 ? at : Math.min(at, openSince))
                .min()
                .orElse(-1);
    }

    void timedOut(PendingRead one) {
        if (one.receiver.insists() && openSince < 0) {
            openSince = one.givenAt;
        }
    }

    /** An answer has come. A whole value of many elements may take half as long as what makes a server be left. */
    void answered(PendingRead one, Response response) {
        if (!one.receiver.insists()) {
            return;
        }
        openSince = -1;
        long millis = step.now() - one.givenAt;
        boolean large = one.asked.part() == null && response.result() instanceof Value.Sequence;
        long most = large ? readMillis / 4 : 0;
        late.answered(step.now(), millis, millis >= Math.max(LateAnswers.LATE_MILLIS, most));
    }

    void switched() {
        openSince = -1;
        late.switched();
    }

    Lateness lateness() {
        return late.lateness();
    }
}
