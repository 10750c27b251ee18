package org.aspas.client.core.window;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.port.CallId;
import org.aspas.client.core.port.ClientState;
import org.jspecify.annotations.Nullable;

/**
 * The window of τ (paper §3.6; the protocol page, docs/protocol.md §6): the unconfirmed updates in the order of their
 * numbers. A number is given when an update enters, so that numbers stay contiguous.
 */
public final class Window {
    private final long bound;
    private final TreeMap<Long, PendingUpdate> unconfirmed = new TreeMap<>();
    private final SendQueue queue = new SendQueue();
    private long lastNumber;
    private long announced;
    private long tolerance;
    /** How many of the unconfirmed updates were sent in this run. */
    private int underWay;
    /** The most updates that were ever unconfirmed at once. */
    private int exposure;

    /**
     * A window with what an earlier run left unconfirmed in it.
     *
     * @param bound how many updates may be unconfirmed whatever τ is
     * @param tolerance τ: from 1, or 0 for the bound alone
     */
    public Window(long bound, ClientState record, long tolerance) {
        this.bound = bound;
        this.lastNumber = record.lastNumber();
        this.announced = record.lastNumber();
        this.tolerance = tolerance;
        for (Signed<ClientSigned> body : record.unconfirmed()) {
            if (body.message() instanceof Request request) {
                add(new PendingUpdate(CallId.NONE, request.number(), body, 0));
                announced = Math.min(announced, request.number() - 1);
            }
        }
    }

    /** What another run with this key has to know. */
    public ClientState record(long session, CertificateNumber certificate) {
        List<Signed<ClientSigned>> bodies = new ArrayList<>();
        unconfirmed.values().forEach(update -> bodies.add(update.body));
        return new ClientState(lastNumber, session, certificate, bodies);
    }

    /** τ: from 1, or 0 for the bound alone. */
    public long tolerance() {
        return tolerance;
    }

    void tolerance(long changed) {
        tolerance = changed;
    }

    boolean hasRoom() {
        return unconfirmed.size() < (tolerance == 0 ? bound : Math.min(tolerance, bound));
    }

    /**
     * Whether an update may be sent: again at any time, for the first time only if that makes no more than τ unconfirmed ones
     * that are under way. After τ was lowered the window may hold more than τ that were never sent.
     */
    private boolean mayBeSent(PendingUpdate update) {
        return update.sent || tolerance == 0 || underWay < tolerance;
    }

    /** The next update to send, while fewer than {@code most} are on their way; null when none may be sent now. */
    @Nullable
    PendingUpdate send(int most) {
        PendingUpdate next = queue.next(most, this::mayBeSent);
        if (next != null && !next.sent) {
            next.sent = true;
            underWay++;
        }
        return next;
    }

    /** Everything unconfirmed has to be sent again. */
    void sendAll() {
        queue.clear();
        unconfirmed.values().forEach(queue::add);
    }

    /** What is on its way. */
    SendQueue queue() {
        return queue;
    }

    /** The number of the next update to enter. */
    long nextNumber() {
        return lastNumber + 1;
    }

    /** Whether an update has had this number. */
    boolean numbered(long number) {
        return number >= 1 && number <= lastNumber;
    }

    /** The update with the next number enters. */
    void enter(PendingUpdate update) {
        if (update.number != nextNumber()) {
            throw new IllegalStateException("request " + update.number + " enters after " + lastNumber);
        }
        lastNumber++;
        add(update);
    }

    private void add(PendingUpdate update) {
        unconfirmed.put(update.number, update);
        exposure = Math.max(exposure, unconfirmed.size());
        queue.add(update);
    }

    /** The unconfirmed update with this number. */
    @Nullable
    PendingUpdate get(long number) {
        return unconfirmed.get(number);
    }

    /** The unconfirmed update with the lowest number. */
    @Nullable
    PendingUpdate oldest() {
        return unconfirmed.isEmpty() ? null : unconfirmed.firstEntry().getValue();
    }

    Collection<PendingUpdate> all() {
        return unconfirmed.values();
    }

    /** How many updates are unconfirmed. */
    public int size() {
        return unconfirmed.size();
    }

    /** The most updates that were unconfirmed at once in this run, those that an earlier one left among them. */
    public int exposure() {
        return exposure;
    }

    void remove(PendingUpdate update) {
        if (unconfirmed.remove(update.number) != null && update.sent) {
            underWay--;
        }
        queue.done(update.number);
    }

    void clear() {
        unconfirmed.clear();
        queue.clear();
        underWay = 0;
    }

    /** The number up to which all is confirmed, when that is news since it was last asked for; 0 otherwise. */
    long newlyConfirmed() {
        long number = unconfirmed.isEmpty() ? lastNumber : unconfirmed.firstKey() - 1;
        if (number <= announced) {
            return 0;
        }
        announced = number;
        return number;
    }
}
