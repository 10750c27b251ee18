package org.aspas.client.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.RequestName;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.StateLeaves;
import org.jspecify.annotations.Nullable;

/**
 * The client's window of τ (paper §3.6; the protocol page, docs/protocol.md §6): its unconfirmed updates in the order of their numbers,
 * after those that earlier clients with the key left.
 *
 * <p><b>What it guards.</b> τ is what the application is prepared to lose to a lying server: at most τ updates of this run that were ever
 * sent are unconfirmed, whichever servers they were given to. With τ = 1 an update waits for the confirmation of the one before; with
 * no τ only the bound that all servers share limits it. Beside that it guards the numbers: they are contiguous for ever, and what was
 * signed under a number never changes, so that a server which gets an update again recognises it.
 *
 * <p><b>Why the bound holds.</b> An update gets its number when it enters, and enters only if there is room ({@link #hasRoom}). It counts as
 * under way from the first time it is sent until it is confirmed or ends, and one that was never sent is sent only while fewer than τ
 * are under way ({@link #send}). An update that is sent again, to the same server or to the next one after a switch, is the same
 * update and takes no further room. Lowering τ may leave more than τ in the window, but those beyond it were not sent.
 *
 * <p><b>Places.</b> Own updates have their number as their place, from 1. Those that an earlier client left have places up to 0, in
 * the order in which they were given, so that one order has all and the oldest is sent first. Both kinds leave in any order.
 *
 * <p>For one thread.
 */
public final class Window {
    private final long bound;
    private final ClientId self;
    /** By place. Invariant: the places above 0 are numbers up to {@link #lastNumber}, and each is here until it is confirmed or ends. */
    private final TreeMap<Long, PendingUpdate> unconfirmed = new TreeMap<>();
    /** What earlier clients with the key left, confirmed ones too. */
    private final Map<RequestName, Long> left = new HashMap<>();

    private final SendQueue queue = new SendQueue();
    /** The number given last. Invariant: all numbers from 1 to this one were given, each once. */
    private long lastNumber;

    /** Up to where it was said that all is confirmed. Invariant: it never falls. */
    private long announced;

    private long tolerance;

    /**
     * How many of the unconfirmed updates were sent in this run. Invariant: the number of those in {@link #unconfirmed} with {@code
     * sent}; it rises above τ only when τ is lowered.
     */
    private int underWay;

    private int exposure;

    /**
     * A window with what an earlier run left unconfirmed in it.
     *
     * @param bound how many updates may be unconfirmed whatever τ is
     * @param tolerance τ: from 1, or 0 for the bound alone
     */
    public Window(ClientId self, long bound, ClientState record, long tolerance) {
        this.self = self;
        this.bound = bound;
        this.tolerance = tolerance;
        long place = -record.unconfirmed().size();
        for (Signed<ClientSigned> body : record.unconfirmed()) {
            PendingUpdate update = new PendingUpdate(CallId.NONE, ++place, body);
            if (left.putIfAbsent(RequestName.of(update.request()), place) == null) {
                add(update);
            }
        }
        this.announced = left.isEmpty() ? 0 : -1;
    }

    /** What the next client with this key has to know. */
    public ClientState record(CertificateNumber certificate) {
        List<Signed<ClientSigned>> bodies = new ArrayList<>();
        unconfirmed.values().forEach(update -> bodies.add(update.body));
        return new ClientState(certificate, bodies);
    }

    /** τ: from 1, or 0 for the bound alone. */
    public long tolerance() {
        return tolerance;
    }

    void tolerance(long changed) {
        tolerance = changed;
    }

    /** Whether one more may be unconfirmed; its number must not be too far ahead to count (docs/formats.md, §6). */
    boolean hasRoom() {
        return unconfirmed.size() < (tolerance == 0 ? bound : Math.min(tolerance, bound))
                && lastNumber - Objects.requireNonNullElse(unconfirmed.ceilingKey(1L), lastNumber + 1) + 1
                        < StateLeaves.SPAN;
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
            assert underWay <= unconfirmed.size() && (tolerance == 0 || underWay <= tolerance)
                    : underWay + " under way, tolerance " + tolerance + ", unconfirmed " + unconfirmed.size();
        }
        return next;
    }

    /** Everything unconfirmed has to be sent again. */
    void sendAll() {
        queue.clear();
        unconfirmed.values().forEach(queue::add);
    }

    SendQueue queue() {
        return queue;
    }

    long nextNumber() {
        return lastNumber + 1;
    }

    /** Whether an update of this window has had this name. */
    boolean numbered(ClientId client, long number) {
        return own(client) ? number >= 1 && number <= lastNumber : left.containsKey(new RequestName(client, number));
    }

    /** Whether it is this client's own number; one that is addressed to another key can be meant for no other. */
    private boolean own(ClientId client) {
        return client.equals(self) || !client.sameKey(self);
    }

    /** The place of an update with this name; that of none when there is no such update. */
    private long place(ClientId client, long number) {
        return own(client) && number >= 1 ? number : left.getOrDefault(new RequestName(client, number), Long.MAX_VALUE);
    }

    /** The update with the next number enters. */
    void enter(PendingUpdate update) {
        if (update.place != nextNumber()) {
            throw new IllegalStateException("request " + update.place + " enters after " + lastNumber);
        }
        lastNumber++;
        add(update);
    }

    private void add(PendingUpdate update) {
        unconfirmed.put(update.place, update);
        exposure = Math.max(exposure, unconfirmed.size());
        queue.add(update);
    }

    @Nullable
    PendingUpdate get(long number) {
        return unconfirmed.get(number);
    }

    /** The unconfirmed update with this number of this client or an earlier one. */
    @Nullable
    PendingUpdate get(ClientId client, long number) {
        return unconfirmed.get(place(client, number));
    }

    /** The update with this number of this client or an earlier one, if it is on its way. */
    @Nullable
    PendingUpdate onItsWay(ClientId client, long number) {
        return queue.onItsWay(place(client, number));
    }

    /** The unconfirmed update with the lowest number among those that the present server has answered, or says to hold. */
    @Nullable
    PendingUpdate oldestHeld() {
        for (PendingUpdate update : unconfirmed.values()) {
            if (update.since >= 0) {
                return update;
            }
        }
        return null;
    }

    /**
     * When the first update was given to the present server that this has not answered since; negative when there is none. A
     * repeat of what it answered before is owed too.
     */
    long awaitedSince() {
        long first = -1;
        for (PendingUpdate update : unconfirmed.values()) {
            if (update.givenAt >= 0 && (first < 0 || update.givenAt < first)) {
                first = update.givenAt;
            }
        }
        return first;
    }

    Collection<PendingUpdate> all() {
        return unconfirmed.values();
    }

    public int size() {
        return unconfirmed.size();
    }

    /** The most updates that were unconfirmed at once in this run, those that an earlier one left among them. */
    public int exposure() {
        return exposure;
    }

    void remove(PendingUpdate update) {
        if (unconfirmed.remove(update.place) != null && update.sent) {
            underWay--;
        }
        queue.done(update.place);
        assert underWay >= 0 && underWay <= unconfirmed.size() : underWay + " under way of " + unconfirmed.size();
        assert unconfirmed.isEmpty() || unconfirmed.lastKey() <= lastNumber
                : unconfirmed.lastKey() + " was never given";
    }

    void clear() {
        unconfirmed.clear();
        queue.clear();
        underWay = 0;
    }

    /**
     * The number up to which all is confirmed, when that is news since it was last asked for; -1 otherwise. 0 says that all is
     * confirmed that earlier clients with the key left.
     */
    long newlyConfirmed() {
        long number = unconfirmed.isEmpty() ? lastNumber : unconfirmed.firstKey() - 1;
        if (number <= announced) {
            return -1;
        }
        announced = number;
        return number;
    }
}
