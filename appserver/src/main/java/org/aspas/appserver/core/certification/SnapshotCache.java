package org.aspas.appserver.core.certification;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.aspas.appserver.core.log.LogEdge;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.object.StateView;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPull;
import org.jspecify.annotations.Nullable;

/**
 * The certified state at some certificates. What a view has in common with the newest state costs nothing.
 *
 * <p>For peers one is taken after so many certificates or so many bytes of entries that four of them fit into what is kept of both
 * ({@code CoreLimits}), and where the server itself began with a state. The newest stays. The one before it stays for a bounded
 * time after it was taken, and any older one for as long as a peer is getting it. {@code Retention} keeps what follows the {@link
 * #oldest}, so that whoever installs one of them can go on, however long a large state takes. A peer holds one snapshot at a time,
 * and none behind which more than {@link #HELD_TIMES} times the usual bytes were certified: so much costs a peer that never ends.
 *
 * <p>For clients, such as those that make a backup, one is taken when they ask. For one thread.
 */
final class SnapshotCache extends CorePart {
    /** So many times the usual bytes are kept behind a snapshot that a peer is getting. */
    private static final int HELD_TIMES = 4;

    /** For how long a snapshot is kept that is not the newest one, after it was taken or a peer last asked for it. */
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
        /** The bytes of the entries that were certified after it. */
        private long bytesAfter;

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
    /** Which snapshot each peer is getting. */
    private final Map<NodeId, Taken> users = new TreeMap<>();

    private @Nullable Certificate newest;
    private @Nullable Taken forClients;
    private long askedAt = Long.MIN_VALUE / 2;
    /** The bytes of the entries that were certified since the newest one for peers was taken. */
    private long bytesSince;

    SnapshotCache(CoreState context, Logs logs, ObjectStore objects) {
        super(context);
        this.logs = logs;
        this.objects = objects;
    }

    /**
     * A certificate was adopted.
     *
     * @param began whether the entries that it added are not here
     * @param added the encoded bytes of these entries
     */
    void adopted(Certificate certificate, boolean began, long added) {
        newest = certificate;
        newestFirst.forEach(taken -> taken.bytesAfter += added);
        bytesSince += added;
        boolean due = certificate.number().value() % settings.limits().snapshotEvery() == 0
                || bytesSince >= settings.limits().snapshotBytes();
        if (began || due) {
            keep(certificate);
        }
    }

    void forget() {
        newestFirst.clear();
        users.clear();
        forClients = null;
    }

    private void keep(Certificate certificate) {
        newestFirst.addFirst(take(certificate));
        bytesSince = 0;
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

    /** The certificate of the oldest one that peers get; none without one. */
    CertificateNumber oldest() {
        return newestFirst.isEmpty()
                ? CertificateNumber.NONE
                : newestFirst.getLast().certificate.number();
    }

    void tick() {
        int place = 0;
        for (Iterator<Taken> kept = newestFirst.iterator(); kept.hasNext(); place++) {
            Taken taken = kept.next();
            boolean stays = place == 0 || held(taken) || (place == 1 && fresh(taken));
            if (!stays) {
                kept.remove();
                users.values().removeIf(used -> used == taken);
            }
        }
        Taken asked = forClients;
        if (asked != null && !stays(asked)) {
            forClients = null;
        }
    }

    /** Whether a peer is getting it, and not at too high a price. */
    private boolean held(Taken taken) {
        long most = HELD_TIMES * settings.limits().retention().bytes();
        return users.containsValue(taken) && inUse(taken) && taken.bytesAfter <= most;
    }

    private boolean fresh(Taken taken) {
        return time.now() - taken.takenAt < KEPT_MILLIS
                && taken.bytesAfter <= settings.limits().retention().bytes();
    }

    private boolean inUse(Taken taken) {
        return time.now() - taken.usedAt < KEPT_MILLIS;
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
     * Somebody can use only a snapshot at a certificate or a later one: without one, the newest state is kept, but not more often than one is
     * kept at all.
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
     * The one at a certificate.
     *
     * @param usual the one that is meant when no certificate is named
     */
    Optional<Taken> find(CertificateNumber number, Optional<Taken> usual) {
        return number.equals(CertificateNumber.NONE)
                ? usual
                : Stream.concat(newestFirst.stream(), Stream.ofNullable(forClients))
                        .filter(taken -> taken.certificate.number().equals(number))
                        .findFirst();
    }

    /** A peer asked for one, or for a part of it. */
    void used(NodeId peer, Taken taken) {
        taken.usedAt = time.now();
        users.put(peer, taken);
    }

    /** A client did: that holds only what is kept for clients. */
    void usedByClient(Taken taken) {
        if (taken == forClients) {
            taken.usedAt = time.now();
        }
    }
}
