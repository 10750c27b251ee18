package org.aspas.emulab.baselines.obft.core;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.crypto.Mac;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.wire.Decoded;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.obft.core.Effect.Phase;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Answer;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Clocks;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Decided;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Enter;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Fetch;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Fetched;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Operations;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Proof;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Proposal;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Request;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Vote;
import org.jspecify.annotations.Nullable;

/**
 * One replica of OBFT, reconstructed: it executes a client's update at once, answers, and multicasts it with a code for each
 * other replica. After so many operations it stops its clients and synchronises:
 *
 * <ol>
 *   <li>It says so to all, with its clocks, and waits until it has what every other one had executed: links keep their order,
 *       so that this takes one delay.
 *   <li>It reports its log, and the replicas agree on a set ({@link Agreement}).
 *   <li>It fetches what it lacks ({@link Fetching}), undoes what the set does not have ({@link EpochObjects}), and goes on.
 * </ol>
 *
 * Not thread-safe.
 */
public final class ObftReplica {
    private static final long FRAME_BYTES = 512 << 10;

    private final ObftSettings settings;
    private final int self;
    private final ObftKeys keys;
    private final ObftCodec codec;
    private final ObftOutbox out;
    private final EpochObjects objects;
    private final HeldRequests held;
    private final PeerClocks clocks;
    private final PastEpochs past = new PastEpochs();
    private final Map<Dot, SharedOperation> future;
    private long epoch;
    private EpochLog log;
    private Agreement agreement;
    private @Nullable Fetching fetching;
    private Phase phase = Phase.RUNNING;
    private long ticks;
    private long rejected;

    public ObftReplica(ObftSettings settings, ObftKeys keys) {
        this.settings = settings;
        this.self = settings.self();
        this.keys = keys;
        this.codec = new ObftCodec(settings.replicas(), settings.mostPerOrigin());
        this.out = new ObftOutbox(self, settings.replicas(), keys);
        this.objects = new EpochObjects(settings.replicas());
        this.clocks = new PeerClocks(settings);
        this.held = new HeldRequests(keys, codec);
        this.future = new BoundedMap<>(settings.replicas() * settings.interval());
        this.log = new EpochLog(VersionVector.zero(settings.replicas()), settings.mostPerOrigin());
        this.agreement = new Agreement(settings, keys, epoch, log.base());
    }

    /** Handles an event. The effects are to be carried out in order. */
    public List<Effect> step(Event event) {
        if (event instanceof Event.ClientFrame frame) {
            count(held.offer(frame.connection(), frame.frame()));
        } else if (event instanceof Event.ReplicaFrame frame) {
            count(frame.replica() != self && onReplicaFrame(frame.replica(), frame.frame()));
        } else if (event instanceof Event.Synchronise) {
            stop();
        } else {
            onTick();
        }
        boolean more = true;
        while (more) {
            serve();
            more = advance();
        }
        return out.drain();
    }

    private void count(boolean taken) {
        rejected += taken ? 0 : 1;
    }

    /** How many synchronisations are over. */
    public long epoch() {
        return epoch;
    }

    /** How many frames and operations were malformed, forged or out of place so far. */
    public long rejected() {
        return rejected;
    }

    /** The value of an object as this replica has it; empty if there is no such datatype. */
    public Optional<Value> value(String key, String type) {
        return objects.value(key, type);
    }

    /** How many operations of each origin have taken effect here. */
    public VersionVector version() {
        return objects.delivered();
    }

    // ---- Clients ----

    /** Executes, answers and multicasts what waits, as long as clients are not stopped. */
    private void serve() {
        while (phase == Phase.RUNNING && log.size() < settings.interval() && !held.isEmpty()) {
            HeldRequests.Held next = held.next();
            Request request = next.request();
            Operation update = request.operation();
            if (update == null) {
                out.add(held.answer(next, value(request.key(), request.type()).orElse(null)));
            } else if (isSound(request.type(), update)) {
                SharedOperation executed = execute(request.key(), request.type(), update);
                out.add(held.answer(next, Value.of(0)));
                out.multicast(executed);
            } else {
                out.add(held.answer(next, null));
            }
        }
    }

    private static boolean isSound(String type, Operation update) {
        return DataTypes.byName(type)
                .filter(known -> known.check(update).isEmpty())
                .isPresent();
    }

    /** Executes an update as this replica's next operation. */
    private SharedOperation execute(String key, String type, Operation update) {
        SharedOperation bare = ObftCodec.operation(epoch, self, objects.delivered(), key, type, update);
        SharedOperation sealed = new SharedOperation(
                epoch, self, bare.dependencies(), key, type, update, bare.body(), keys.vector(bare.body()));
        take(sealed);
        return sealed;
    }

    private void take(SharedOperation operation) {
        log.offer(operation).forEach(objects::take);
    }

    // ---- Replicas ----

    /** Whether the frame is a genuine message. */
    private boolean onReplicaFrame(int from, byte[] frame) {
        if (frame.length > 0 && frame[0] == ObftCodec.OPERATIONS) {
            return codec.decode(frame) instanceof Decoded.Accepted<ObftMessage> decoded
                    && decoded.value() instanceof Operations several
                    && several.operations().stream().filter(this::onOperation).count()
                            == several.operations().size();
        }
        if (!keys.opens(from, frame) || !(codec.unsealed(frame) instanceof Decoded.Accepted<ObftMessage> decoded)) {
            return false;
        }
        return onMessage(from, decoded.value());
    }

    private boolean onMessage(int from, ObftMessage message) {
        if (message instanceof Clocks theirs) {
            onClocks(from, theirs);
        } else if (message instanceof Fetch fetch) {
            onFetch(from, fetch);
        } else if (message instanceof Fetched fetched) {
            if (fetching != null && fetched.epoch() == epoch) {
                fetching.onFetched(from, fetched, out);
            }
        } else if (message instanceof Decided decided) {
            return decided.proof().set().epoch() != epoch || agreement.accept(decided.proof());
        } else if (message instanceof Enter enter) {
            if (enter.epoch() == epoch) {
                agreement.onEnter(from, enter, out);
            }
        } else if (message instanceof Proposal proposal) {
            if (proposal.epoch() == epoch) {
                agreement.onProposal(from, proposal, out);
            }
        } else if (message instanceof Vote vote) {
            if (vote.epoch() == epoch) {
                agreement.onVote(from, vote, out);
            }
        } else {
            return false;
        }
        return true;
    }

    /** Takes an operation of another origin, of this epoch or the next; whether it is genuine. */
    private boolean onOperation(SharedOperation operation) {
        if (operation.origin() == self || !keys.inVector(operation.origin(), operation.body(), operation.macs())) {
            return false;
        }
        if (operation.epoch() == epoch && phase != Phase.FETCHING) {
            take(operation);
        } else if (operation.epoch() == epoch + 1) {
            future.putIfAbsent(new Dot(operation.origin(), operation.sequence()), operation);
        }
        return true;
    }

    /**
     * Tells who is behind how the epoch ended; sends again what somebody lacks for a while. If as many operations are
     * not the same ones, somebody lied, and it is time to synchronise.
     */
    private void onClocks(int from, Clocks theirs) {
        clocks.put(from, theirs);
        past.proof(theirs.epoch()).ifPresent(proof -> out.send(from, new Decided(proof)));
        if (theirs.epoch() != epoch) {
            return;
        }
        if (theirs.counts().equals(log.counts()) && !theirs.set().equals(log.digest())) {
            stop();
        }
        long has = theirs.counts().get(self);
        if (clocks.lacks(from, has, log.count(self), ticks)) {
            out.repeat(from, ObftCodec.upTo(FRAME_BYTES, log.after(self, has)));
        }
    }

    private void onFetch(int from, Fetch fetch) {
        List<SharedOperation> found = fetch.epoch() == epoch
                ? log.after(fetch.origin(), fetch.after())
                : past.operations(fetch.epoch(), fetch.origin(), fetch.after());
        out.send(from, new Fetched(fetch.epoch(), fetch.origin(), fetch.after(), ObftCodec.upTo(FRAME_BYTES, found)));
    }

    // ---- Synchronisation ----

    private void onTick() {
        ticks++;
        clocks.tick(epoch);
        agreement.tick(out);
        if (fetching != null) {
            fetching.tick(out);
        }
        if (ticks % settings.repeatTicks() == 0) {
            tellClocks();
        }
    }

    private void tellClocks() {
        Clocks mine = new Clocks(epoch, phase != Phase.RUNNING, log.counts(), log.digest());
        clocks.put(self, mine);
        out.sendAll(mine);
    }

    private void enter(Phase next) {
        phase = next;
        out.add(new Effect.Entered(next));
    }

    private void stop() {
        if (phase == Phase.RUNNING) {
            enter(Phase.STOPPED);
            clocks.beginWaiting();
            tellClocks();
        }
    }

    /** Goes on to the next phase if it is time; whether it was. */
    private boolean advance() {
        Phase before = phase;
        Optional<Proof> decision = agreement.decision();
        if (phase != Phase.FETCHING && decision.isPresent()) {
            enter(Phase.FETCHING);
            fetching = new Fetching(settings, decision.get().set(), log, out);
        } else if (phase == Phase.RUNNING && clocks.isTimeToStop(epoch, log)) {
            stop();
        } else if (phase == Phase.STOPPED && clocks.isTimeToReport(epoch, log)) {
            enter(Phase.AGREEING);
            agreement.start(log, clocks.stopped(epoch), out);
        } else if (fetching != null && fetching.done() && decision.isPresent()) {
            install(fetching, decision.get());
        }
        return phase != before;
    }

    /** Makes the agreed set this epoch's operations, and begins the next epoch. */
    private void install(Fetching complete, Proof proof) {
        AgreedSet set = proof.set();
        List<List<SharedOperation>> agreed = complete.operations();
        List<SharedOperation> own = log.after(self, set.cut().get(self));
        int undone = log.without(agreed);
        if (undone > 0 || complete.fetched() > 0 || objects.anyWaiting()) {
            objects.replay(log.base(), set.cut(), agreed);
        } else {
            objects.keep();
        }
        past.put(proof, agreed);
        out.add(new Effect.Synchronised(
                (int) (set.cut().sum() - log.base().sum()), undone, complete.fetched(), proof.round()));
        begin(set.cut());
        own.forEach(again -> out.multicast(execute(again.key(), again.type(), again.operation())));
    }

    private void begin(VersionVector base) {
        epoch++;
        log = new EpochLog(base, settings.mostPerOrigin());
        agreement = new Agreement(settings, keys, epoch, base);
        fetching = null;
        clocks.beginWaiting();
        enter(Phase.RUNNING);
        List<SharedOperation> early = List.copyOf(future.values());
        future.clear();
        early.forEach(this::onOperation);
        if (clocks.anyAfter(epoch)) {
            tellClocks();
        }
    }

    /** The genuine requests of clients that are not answered yet, in the order of their arrival. Not thread-safe. */
    private static final class HeldRequests {
        private static final int MOST = 1 << 16;
        private static final int MOST_CLIENTS = 1 << 13;

        record Held(long connection, Request request) {}

        private final ObftKeys keys;
        private final ObftCodec codec;
        private final ArrayDeque<Held> held = new ArrayDeque<>();
        private final Map<Long, Mac> clients = new BoundedMap<>(MOST_CLIENTS);

        HeldRequests(ObftKeys keys, ObftCodec codec) {
            this.keys = keys;
            this.codec = codec;
        }

        /** Takes a frame; false if it is no genuine request, or too many wait. */
        boolean offer(long connection, byte[] frame) {
            return codec.unsealed(frame) instanceof Decoded.Accepted<ObftMessage> decoded
                    && decoded.value() instanceof Request request
                    && ObftKeys.opened(client(request), frame)
                    && held.size() < MOST
                    && held.add(new Held(connection, request));
        }

        private Mac client(Request request) {
            return clients.computeIfAbsent(request.client(), client -> ObftKeys.mac(keys.clientKey(client)));
        }

        boolean isEmpty() {
            return held.isEmpty();
        }

        Held next() {
            return held.remove();
        }

        Effect answer(Held to, @Nullable Value value) {
            byte[] answer = ObftCodec.encode(new Answer(to.request().number(), value));
            return new Effect.ToClient(to.connection(), ObftKeys.sealed(client(to.request()), answer));
        }
    }

    /** How the last epochs ended, for replicas that have missed it. Not thread-safe. */
    private static final class PastEpochs {
        /** A replica that is further behind stays behind: there is no transfer of states. */
        private static final int KEPT = 64;

        private record Past(Proof proof, List<List<SharedOperation>> operations) {}

        private final Map<Long, Past> epochs = new BoundedMap<>(KEPT);

        void put(Proof proof, List<List<SharedOperation>> operations) {
            epochs.put(proof.set().epoch(), new Past(proof, operations));
        }

        Optional<Proof> proof(long epoch) {
            return Optional.ofNullable(epochs.get(epoch)).map(Past::proof);
        }

        /** The operations of an origin in an epoch, but for its {@code after} first ones since the beginning. */
        List<SharedOperation> operations(long epoch, int origin, long after) {
            return Optional.ofNullable(epochs.get(epoch)).stream()
                    .flatMap(past -> past.operations().get(origin).stream())
                    .filter(operation -> operation.sequence() > after)
                    .toList();
        }
    }

    /** What each replica has said last of its clocks, this one among them, and what follows from it. Not thread-safe. */
    private static final class PeerClocks {
        private record Lack(long has, long since) {}

        private final ObftSettings settings;
        private final Map<Integer, Clocks> known = new TreeMap<>();
        private final Map<Integer, Lack> lacks = new TreeMap<>();
        private int ticksSinceStop;

        PeerClocks(ObftSettings settings) {
            this.settings = settings;
        }

        void put(int replica, Clocks clocks) {
            known.put(replica, clocks);
        }

        /** How many replicas have stopped for an epoch. */
        int stopped(long epoch) {
            return (int) known.values().stream()
                    .filter(clocks -> clocks.stopped() && clocks.epoch() == epoch)
                    .count();
        }

        void tick(long epoch) {
            ticksSinceStop += stopped(epoch) > 0 ? 1 : 0;
        }

        /** This replica stops, or begins another epoch. */
        void beginWaiting() {
            ticksSinceStop = 0;
        }

        private boolean impatient() {
            return ticksSinceStop >= settings.patienceTicks();
        }

        /** One replica that stops alone may be faulty, or the first to have enough: it is believed after a while. */
        boolean isTimeToStop(long epoch, EpochLog log) {
            int stopped = stopped(epoch);
            return log.size() >= settings.interval()
                    || stopped >= settings.oneCorrect()
                    || (stopped > 0 && impatient());
        }

        /** Whether a log has all that each replica had executed itself when it stopped; after a while, whether enough have. */
        boolean isTimeToReport(long epoch, EpochLog log) {
            if (impatient()) {
                return stopped(epoch) >= settings.quorum();
            }
            return stopped(epoch) == settings.replicas()
                    && known.entrySet().stream()
                            .allMatch(each -> log.count(each.getKey())
                                    >= each.getValue().counts().get(each.getKey()));
        }

        boolean anyAfter(long epoch) {
            return known.values().stream().anyMatch(clocks -> clocks.epoch() > epoch);
        }

        /**
         * Whether a replica lacks the same operations for a while already, and not only because they are on their way.
         *
         * @param has how many operations of this replica it has
         * @param now the present tick
         */
        boolean lacks(int replica, long has, long all, long now) {
            Lack before = lacks.get(replica);
            if (has >= all) {
                lacks.remove(replica);
            } else if (before == null || before.has() != has || now - before.since() >= settings.repeatTicks()) {
                lacks.put(replica, new Lack(has, now));
            }
            return before != null && before.has() == has && has < all && now - before.since() >= settings.repeatTicks();
        }
    }
}
