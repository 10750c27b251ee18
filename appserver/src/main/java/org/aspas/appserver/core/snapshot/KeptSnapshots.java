package org.aspas.appserver.core.snapshot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.aspas.appserver.core.broadcast.LogEdge;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.objects.StateView;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.SnapshotHead;
import org.aspas.certify.message.SnapshotPull;
import org.jspecify.annotations.Nullable;

/**
 * The certified state at some certificates. What a view has in common with the newest state costs nothing. For peers the newest two are kept,
 * the older one for a bounded time after somebody last asked for it. One with which the server began is among them, for nobody may have what lies
 * before it. For clients, such as those that make a backup, one is made when they ask. For one thread.
 */
final class KeptSnapshots extends CorePart {
    private static final int KEPT = 2;
    /** So many are kept while somebody asks for the oldest of them: behind them certificates may be missing. */
    private static final int KEPT_IN_USE = 3;

    /** For how long a snapshot is kept that is not the newest one, after somebody last asked for it. */
    private static final long KEPT_MILLIS = 30_000;
    /** One that clients asked for stays so long at most, however often they ask. */
    private static final long CLIENTS_KEEP_MILLIS = 600_000;

    /** A state that is kept. */
    static final class Taken {
        final Certificate certificate;
        final StateView view;
        final SnapshotHead head;
        private final long takenAt;
        private long usedAt;

        private Taken(Certificate certificate, StateView view, SnapshotHead head, long now) {
            this.certificate = certificate;
            this.view = view;
            this.head = head;
            this.takenAt = now;
            this.usedAt = now;
        }
    }

    private final Logs logs;
    private final ObjectStore objects;
    private final ArrayDeque<Taken> newestFirst = new ArrayDeque<>();
    private @Nullable Certificate newest;
    private @Nullable Taken forClients;
    private long askedAt = Long.MIN_VALUE / 2;

    KeptSnapshots(CoreContext context, Logs logs, ObjectStore objects) {
        super(context);
        this.logs = logs;
        this.objects = objects;
    }

    /** A certificate was adopted; {@code began} says whether the entries that it added are not here. */
    void adopted(Certificate certificate, boolean began) {
        newest = certificate;
        if (began || certificate.number().value() % settings.limits().snapshotEvery() == 0) {
            keep(certificate);
        }
    }

    /** Nothing is kept any more. */
    void forget() {
        newestFirst.clear();
        forClients = null;
    }

    private void keep(Certificate certificate) {
        newestFirst.addFirst(take(certificate));
        while (newestFirst.size() > KEPT && (newestFirst.size() > KEPT_IN_USE || !inUse(newestFirst.getLast()))) {
            newestFirst.removeLast();
        }
        counters.count("snapshots_taken");
    }

    private Taken take(Certificate certificate) {
        List<SnapshotHead.LogEnd> ends = new ArrayList<>();
        for (int origin = 0; origin < certificate.content().version().size(); origin++) {
            LogEdge edge = logs.of(origin).edge(certificate.content().version().get(origin));
            ends.add(new SnapshotHead.LogEnd(edge.peaks(), edge.included()));
        }
        return new Taken(certificate, objects.view(), new SnapshotHead(certificate, ends), time.now());
    }

    private boolean inUse(Taken taken) {
        return time.now() - taken.usedAt < KEPT_MILLIS;
    }

    /** Time has passed. */
    void tick() {
        Iterator<Taken> kept = newestFirst.iterator();
        if (kept.hasNext()) {
            kept.next();
        }
        while (kept.hasNext()) {
            if (!inUse(kept.next())) {
                kept.remove();
            }
        }
        Taken asked = forClients;
        if (asked != null && !stays(asked)) {
            forClients = null;
        }
    }

    private boolean stays(Taken asked) {
        return inUse(asked) && time.now() - asked.takenAt < CLIENTS_KEEP_MILLIS;
    }

    /** The newest one for peers, for one of whom there may be a new one now. */
    Optional<Taken> forPeer(SnapshotPull pull) {
        keepForSomebody(pull);
        return Optional.ofNullable(newestFirst.peekFirst());
    }

    /** The one that clients are getting; one at the newest certificate when they get none and the question names none. */
    Optional<Taken> forClient(SnapshotPull pull) {
        Certificate certificate = newest;
        boolean names = pull.place() != null || !pull.number().equals(CertificateNumber.NONE);
        if (!names && forClients == null && certificate != null) {
            forClients = take(certificate);
        }
        return Optional.ofNullable(forClients);
    }

    /**
     * Somebody can use only a snapshot at a certificate or a later one, since its base is gone: without one, the newest state is kept, but
     * not more often than one is kept at all.
     */
    private void keepForSomebody(SnapshotPull pull) {
        Certificate now = newest;
        Taken held = newestFirst.peekFirst();
        boolean behind = held == null || pull.number().isAfter(held.certificate.number());
        if (pull.place() == null
                && behind
                && now != null
                && !pull.number().isAfter(now.number())
                && time.now() - askedAt >= KEPT_MILLIS) {
            askedAt = time.now();
            keep(now);
        }
    }

    /**
     * The one at a certificate, which is in use by that.
     *
     * @param usual the one that is meant when no certificate is named
     */
    Optional<Taken> use(CertificateNumber number, Optional<Taken> usual) {
        Optional<Taken> found = number.equals(CertificateNumber.NONE)
                ? usual
                : Stream.concat(newestFirst.stream(), Stream.ofNullable(forClients))
                        .filter(taken -> taken.certificate.number().equals(number))
                        .findFirst();
        found.ifPresent(taken -> taken.usedAt = time.now());
        return found;
    }
}
