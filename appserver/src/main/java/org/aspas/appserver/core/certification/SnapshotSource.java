package org.aspas.appserver.core.certification;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.object.StateView;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPart;
import org.aspas.certify.wire.SnapshotPull;

/**
 * Keeps the certified state at some certificates, and gives it in parts. All who ask share one view of each. Each peer has a budget of
 * bytes, and all clients together have one. A question beyond it waits for a later tick, of which each answers a few: the
 * thread of the core serves updates too. For one thread.
 */
public final class SnapshotSource extends CorePart {
    private static final long MIB = 1 << 20;
    /** The bytes that one peer gets per second. */
    private static final long PEER_BYTES = 16 * MIB;
    /** The bytes that all clients together get per second. */
    private static final long CLIENT_BYTES = 8 * MIB;
    /** The bytes that are given at once, before anybody waits. */
    private static final long BYTES_AT_ONCE = MIB;
    /** A tick answers so many questions of peers at most, and so many of clients: a part of small objects takes about 2 ms to make. */
    private static final int PEERS_A_TICK = 3;

    private static final int CLIENTS_A_TICK = 1;
    /** So many questions of one peer wait, or of one connection of a client; four times what a correct peer asks at once. */
    private static final int MOST_OF_ONE = 16;
    /** So many questions of all clients wait: at 256 KiB each what they get in four seconds. */
    private static final int MOST_OF_CLIENTS = 128;

    private final SnapshotCache cache;
    private final Map<NodeId, ByteBudget> budgets = new TreeMap<>();
    private final ByteBudget ofClients = new ByteBudget(BYTES_AT_ONCE, CLIENT_BYTES);
    private final QuestionQueue<NodeId> peers;
    private final QuestionQueue<ConnectionId> clients = new QuestionQueue<>(MOST_OF_ONE, MOST_OF_CLIENTS);

    public SnapshotSource(CoreState context, Logs logs, ObjectStore objects) {
        super(context);
        this.cache = new SnapshotCache(context, logs, objects);
        settings.peers().forEach(peer -> budgets.put(peer, new ByteBudget(BYTES_AT_ONCE, PEER_BYTES)));
        this.peers = new QuestionQueue<>(MOST_OF_ONE, MOST_OF_ONE * Math.max(1, budgets.size()));
    }

    /**
     * A certificate was adopted, or its snapshot installed: objects and logs are those of it.
     *
     * @param began whether the entries that it added are not here
     * @param added the encoded bytes of the entries that it added
     */
    public void adopted(Certificate certificate, boolean began, long added) {
        cache.adopted(certificate, began, added);
    }

    /** The certificate of the oldest snapshot that peers get; none without one. */
    public CertificateNumber oldest() {
        return cache.oldest();
    }

    /** Another state takes the place of the certified one: what the base has of earlier ones is about to go. */
    public void forget() {
        cache.forget();
    }

    /** A link to a peer went down: what it asked is not answered. */
    public void gone(NodeId peer) {
        peers.gone(peer);
    }

    /** A client's connection ended: what it asked is not answered. */
    public void gone(ConnectionId client) {
        clients.gone(client);
    }

    /** Gives some of those that wait their turn. */
    public void tick() {
        cache.tick();
        for (int given = 0; given < PEERS_A_TICK && room(); given++) {
            peers.next(this::mayGive).ifPresent(turn -> give(turn.asker(), turn.pull()));
        }
        for (int given = 0; given < CLIENTS_A_TICK && room() && !clients.isEmpty(); given++) {
            if (!ofClients.mayGive(time.now())) {
                return;
            }
            clients.next(any -> true).ifPresent(turn -> give(turn.asker(), turn.pull()));
        }
    }

    /** Whether the disk keeps back so little that more may be added to it. */
    private boolean room() {
        return outbox.roomForParts() && !outbox.full(settings.limits().maxUnanswered());
    }

    private boolean mayGive(NodeId peer) {
        ByteBudget budget = budgets.get(peer);
        return budget != null && budget.mayGive(time.now());
    }

    /** Answers a peer, now or when its turn comes; one that asks for too much gets nothing. */
    public void answer(NodeId from, SnapshotPull pull) {
        if (!peers.waits(from) && room() && mayGive(from)) {
            give(from, pull);
        } else if (!budgets.containsKey(from) || peers.add(from, pull).isPresent()) {
            counters.count("refused_snapshot_pull");
        }
    }

    /**
     * Answers a client, now or when its turn comes, unless clients ask for too much. One that names no certificate gets the head of a
     * snapshot at the newest one, or of the one that clients are getting already.
     *
     * @return the refusal of this question
     */
    public Optional<Refusal> answer(ConnectionId from, SnapshotPull pull) {
        if (clients.isEmpty() && room() && ofClients.mayGive(time.now())) {
            give(from, pull);
            return Optional.empty();
        }
        Refusal refusal = new Refusal(0, true, Refusal.Reason.TOO_OFTEN, "wait a moment and ask again");
        Optional<ConnectionId> refused = clients.add(from, pull);
        refused.filter(one -> !one.equals(from)).ifPresent(other -> refuse(other, refusal));
        return refused.filter(from::equals).map(own -> refusal);
    }

    private void give(NodeId to, SnapshotPull pull) {
        ByteBudget budget = budgets.get(to);
        if (budget != null) {
            Optional<SnapshotCache.Taken> newest = cache.forPeer(pull);
            Optional<SnapshotCache.Taken> found = cache.find(pull.number(), newest);
            found.ifPresent(taken -> cache.used(to, taken));
            outbox.node(to, part(pull, found, newest, budget));
        }
    }

    private void give(ConnectionId to, SnapshotPull pull) {
        Optional<SnapshotCache.Taken> usual = cache.forClient(pull);
        Optional<SnapshotCache.Taken> found = cache.find(pull.number(), usual);
        found.ifPresent(cache::usedByClient);
        outbox.client(to, part(pull, found, usual, ofClients));
    }

    private SnapshotPart part(
            SnapshotPull pull,
            Optional<SnapshotCache.Taken> found,
            Optional<SnapshotCache.Taken> usual,
            ByteBudget budget) {
        SnapshotPull.Place place = pull.place();
        if (place == null) {
            SnapshotHead head =
                    found.or(() -> usual).map(taken -> taken.head).orElseGet(() -> new SnapshotHead(null, List.of()));
            budget.gave(bytes(head));
            return head;
        }
        counters.count("snapshot_chunks_sent");
        StateView.Part part = found.map(taken -> taken.view.part(pull.number(), place))
                .orElseGet(() -> new StateView.Part(new SnapshotChunk(pull.number(), place, null, List.of()), 0));
        budget.gave(part.bytes());
        return part.chunk();
    }

    /** About how long a head is: its last entries are what may be long. */
    private static long bytes(SnapshotHead head) {
        long bytes = 0;
        for (SnapshotHead.LogEnd end : head.logs()) {
            bytes += end.last() == null ? 0 : end.last().bytes().length;
        }
        return bytes;
    }

    public void measure(Map<String, Long> gauges) {
        gauges.put("snapshot_questions_waiting", (long) peers.size() + clients.size());
    }

    /**
     * How many bytes of answers somebody may get. An answer is given while anything is left, and counts when its length is known: what
     * it takes too much comes off what follows. For one thread.
     */
    private static final class ByteBudget {
        /** An answer counts so many bytes at least: also a short one costs a look at the state. */
        static final long LEAST = 64 << 10;

        private final TokenBucket bytes;

        /** A full budget, in bytes. */
        ByteBudget(long atOnce, long perSecond) {
            this.bytes = new TokenBucket(atOnce, perSecond, Long.MIN_VALUE / 2);
        }

        /** Whether an answer may be given at this time, in milliseconds; if so, it has to be, and {@link #gave} says how long it was. */
        boolean mayGive(long now) {
            return bytes.take(now);
        }

        void gave(long length) {
            bytes.overdraw(Math.max(length, LEAST) - 1);
        }
    }

    /**
     * Questions that wait for their turn. Those of one asker keep their order, and askers take turns, so that one who asks much
     * delays another by one answer for each of its own. For one thread.
     */
    private static final class QuestionQueue<A> {
        /** A question whose turn has come. */
        record Turn<A>(A asker, SnapshotPull pull) {}

        private final int mostOfOne;
        private final int mostOfAll;
        /** The asker whose turn is next comes first; each has a question that waits. */
        private final Map<A, ArrayDeque<SnapshotPull>> waiting = new LinkedHashMap<>();

        private int size;

        /**
         * An empty queue.
         *
         * @param mostOfOne so many questions of one asker wait at once, from 1
         * @param mostOfAll so many of all wait at once, from 1
         */
        QuestionQueue(int mostOfOne, int mostOfAll) {
            this.mostOfOne = mostOfOne;
            this.mostOfAll = mostOfAll;
        }

        boolean isEmpty() {
            return waiting.isEmpty();
        }

        int size() {
            return size;
        }

        boolean waits(A asker) {
            return waiting.containsKey(asker);
        }

        /**
         * Adds a question, if there is room. Where all have no more room, who has the most gives up its newest question for one that has
         * fewer.
         *
         * @return whose question does not wait: the asker's own, or another one's; empty when all do
         */
        Optional<A> add(A asker, SnapshotPull pull) {
            int own = count(asker);
            if (own >= mostOfOne) {
                return Optional.of(asker);
            }
            Optional<A> loser = Optional.empty();
            if (size >= mostOfAll) {
                A most = waiting.entrySet().stream()
                        .max(Map.Entry.comparingByValue((one, other) -> Integer.compare(one.size(), other.size())))
                        .orElseThrow()
                        .getKey();
                if (count(most) <= own + 1) {
                    return Optional.of(asker);
                }
                waiting.getOrDefault(most, new ArrayDeque<>()).removeLast();
                size--;
                loser = Optional.of(most);
            }
            waiting.computeIfAbsent(asker, any -> new ArrayDeque<>()).addLast(pull);
            size++;
            return loser;
        }

        private int count(A asker) {
            ArrayDeque<SnapshotPull> own = waiting.get(asker);
            return own == null ? 0 : own.size();
        }

        /**
         * Takes the oldest question of the asker whose turn it is.
         *
         * @param may whether an asker may get an answer now; asked of one after another until it is true
         */
        Optional<Turn<A>> next(Predicate<A> may) {
            Optional<A> found = waiting.keySet().stream().filter(may).findFirst();
            if (found.isEmpty()) {
                return Optional.empty();
            }
            A asker = found.get();
            ArrayDeque<SnapshotPull> own = waiting.remove(asker);
            if (own == null) {
                throw new IllegalStateException("nothing of " + asker + " waits");
            }
            SnapshotPull pull = own.removeFirst();
            size--;
            if (!own.isEmpty()) {
                waiting.put(asker, own);
            }
            return Optional.of(new Turn<>(asker, pull));
        }

        /** An asker is gone: nothing of it waits any more. */
        void gone(A asker) {
            size -= count(asker);
            waiting.remove(asker);
        }
    }
}
