package org.aspas.appserver.core.snapshot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.aspas.appserver.core.broadcast.LogEdge;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.objects.StateView;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.SnapshotChunk;
import org.aspas.certify.message.SnapshotHead;
import org.aspas.certify.message.SnapshotPart;
import org.aspas.certify.message.SnapshotPull;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the certified state at some certificates, and gives it in parts. All who ask share one view of each; what a view has
 * in common with the newest state costs nothing. For peers the newest two are kept, the older one for a bounded time after
 * somebody last asked for it. One with which the server began is among them, for nobody may have what lies before it. For clients, such as those that make a backup, one is made when they ask. For one thread.
 */
public final class SnapshotSource extends CorePart {
    private static final int KEPT = 2;
    /** So many are kept while somebody asks for the oldest of them: behind them certificates may be missing. */
    private static final int KEPT_IN_USE = 3;

    /** For how long a snapshot is kept that is not the newest one, after somebody last asked for it. */
    private static final long KEPT_MILLIS = 30_000;
    /** So many questions a peer may ask at once, and in each second. */
    private static final long QUESTIONS_AT_ONCE = 64;

    private static final long QUESTIONS_PER_SECOND = 64;
    /** All clients together may ask so many questions at once, and in each second. */
    private static final long CLIENT_QUESTIONS = 32;
    /** One that clients asked for stays so long at most, however often they ask. */
    private static final long CLIENTS_KEEP_MILLIS = 600_000;

    private static final class Taken {
        final Certificate certificate;
        final StateView view;
        final SnapshotHead head;
        final long takenAt;
        long usedAt;

        Taken(Certificate certificate, StateView view, SnapshotHead head, long now) {
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
    private final Map<NodeId, TokenBucket> budgets = new TreeMap<>();
    private final TokenBucket clients = new TokenBucket(CLIENT_QUESTIONS, CLIENT_QUESTIONS, Long.MIN_VALUE / 2);
    private @Nullable Certificate newest;
    private @Nullable Taken forClients;
    private long askedAt = Long.MIN_VALUE / 2;

    /** A source that has nothing yet. */
    public SnapshotSource(CoreContext context, Logs logs, ObjectStore objects) {
        super(context);
        this.logs = logs;
        this.objects = objects;
        settings.peers()
                .forEach(peer -> budgets.put(
                        peer, new TokenBucket(QUESTIONS_AT_ONCE, QUESTIONS_PER_SECOND, Long.MIN_VALUE / 2)));
    }

    /**
     * A certificate was adopted, or its snapshot installed: objects and logs are those of it.
     *
     * @param began whether the entries that it added are not here
     */
    public void adopted(Certificate certificate, boolean began) {
        newest = certificate;
        if (began || certificate.number().value() % settings.limits().snapshotEvery() == 0) {
            keep(certificate);
        }
    }

    /** Another state takes the place of the certified one: what the base has of earlier ones is about to go. */
    public void forget() {
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
    public void tick() {
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

    /** Answers a peer; one that asks for too much gets nothing for a while. */
    public void answer(NodeId from, SnapshotPull pull) {
        TokenBucket budget = budgets.get(from);
        if (budget == null || outbox.full(settings.limits().maxUnanswered()) || !budget.take(1, time.now())) {
            counters.count("refused_snapshot_pull");
            return;
        }
        keepForSomebody(pull);
        outbox.node(from, part(pull, Optional.ofNullable(newestFirst.peekFirst())));
    }

    /**
     * Answers a client, unless clients ask for too much. One that names no certificate gets the head of a snapshot at the newest
     * one, or of the one that clients are getting already.
     */
    public Optional<Refusal> answer(ConnectionId from, SnapshotPull pull) {
        if (outbox.full(settings.limits().maxUnanswered()) || !clients.take(1, time.now())) {
            return Optional.of(new Refusal(0, true, Refusal.Reason.TOO_OFTEN, "wait a second and ask again"));
        }
        Certificate certificate = newest;
        boolean names = pull.place() != null || !pull.number().equals(CertificateNumber.NONE);
        if (!names && forClients == null && certificate != null) {
            forClients = take(certificate);
        }
        outbox.client(from, part(pull, Optional.ofNullable(forClients)));
        return Optional.empty();
    }

    private SnapshotPart part(SnapshotPull pull, Optional<Taken> usual) {
        Optional<Taken> found = pull.number().equals(CertificateNumber.NONE) ? usual : find(pull.number());
        found.ifPresent(taken -> taken.usedAt = time.now());
        SnapshotPull.Place place = pull.place();
        if (place == null) {
            return found.or(() -> usual).map(taken -> taken.head).orElseGet(() -> new SnapshotHead(null, List.of()));
        }
        counters.count("snapshot_chunks_sent");
        return found.map(taken -> taken.view.chunk(pull.number(), place))
                .orElseGet(() -> new SnapshotChunk(pull.number(), place, null, List.of()));
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

    private Optional<Taken> find(CertificateNumber number) {
        return Stream.concat(newestFirst.stream(), Stream.ofNullable(forClients))
                .filter(taken -> taken.certificate.number().equals(number))
                .findFirst();
    }
}
