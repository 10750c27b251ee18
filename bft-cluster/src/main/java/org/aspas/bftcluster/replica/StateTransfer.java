package org.aspas.bftcluster.replica;

import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.statemanagement.ApplicationState;
import bftsmart.statemanagement.SMMessage;
import bftsmart.statemanagement.StateManager;
import bftsmart.statemanagement.strategy.StandardSMMessage;
import bftsmart.tom.core.DeliveryThread;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.leaderchange.LCManager;
import bftsmart.tom.util.TOMUtil;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.quorum.Quorums;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a replica learns where the order stands, at its start and whenever it has fallen behind. It takes the place of the
 * library's own state transfer, which needs three equal positions at one moment, compares a snapshot's hash with a single
 * other reply and the commands with none, and waits 80 seconds before it tries again for the same position.
 *
 * <p>The replica asks all others for their positions. What it aims at is the (b+1)-th largest: at least one correct
 * replica is that far. It then asks each for the state there, and installs it when b+1 of them sent the same bytes and
 * the same leader. Every try has a deadline, and the next try begins with the positions again. After the start it keeps
 * asking now and then: a replica that stands still while b+1 others went on fetches the state again, and one that b+1
 * others left behind in an earlier life of the order tells its owner (see {@link LifeWatch}).
 *
 * <p>Thread-safe: the library calls it on its message thread, the owner's timer calls {@link #watch}.
 */
final class StateTransfer implements StateManager {
    private static final Logger LOG = LoggerFactory.getLogger(StateTransfer.class);
    /** Between two steps; in milliseconds. */
    static final long STEP_MILLIS = 200;
    /** Steps until a state that did not come is given up. */
    private static final int MOST_TRIES = 10;
    /** Steps until a starting replica waits no longer for more than 2b positions. */
    private static final int PATIENCE = 5;
    /** Steps between two looks of a running replica at where the others are. */
    private static final int LOOK = 5;

    private enum Phase {
        /** Not started; the positions are being asked for. */
        STARTING,
        /** Taking part. */
        FOLLOWING,
        /** Waiting for a state. */
        FETCHING
    }

    /** What one replica answered to a request for a state. */
    private record Reply(@Nullable ApplicationState state, Hash content, int regency, int leader) {}

    private final OrderLog log;
    private final Quorums quorums;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final CountDownLatch started = new CountDownLatch(1);
    private final Map<Integer, Integer> positions = new TreeMap<>();
    private final Map<Integer, Integer> lives = new TreeMap<>();
    private final Map<Integer, Reply> replies = new TreeMap<>();
    private final LifeWatch life;
    private volatile Phase phase = Phase.STARTING;
    private volatile @Nullable TOMLayer layer;
    private volatile Consumer<TOMLayer> whenMade = made -> {};
    private volatile Consumer<String> whenLeftOver = reason -> {};
    private volatile Consumer<TOMLayer> whenStarting = made -> {};
    private @Nullable DeliveryThread delivery;
    private int goal;
    private int steps;
    private int tries;
    private boolean forLeaderChange;
    private boolean installing;
    private int seenPosition = OrderLog.START;

    StateTransfer(OrderLog log, Quorums quorums) {
        this.log = log;
        this.quorums = quorums;
        this.life = new LifeWatch(quorums.oneCorrectBftserver());
    }

    /** Has someone told, with the reason, when the replica must be made anew because the others began the order anew. */
    void whenLeftOver(Consumer<String> listener) {
        whenLeftOver = listener;
    }

    /** Has the ordering layer shown to someone as soon as it exists, on the thread that makes it. */
    void whenMade(Consumer<TOMLayer> listener) {
        whenMade = listener;
    }

    /** Has the ordering layer shown to someone before the replica asks where the order stands, when all of it is made. */
    void whenStarting(Consumer<TOMLayer> listener) {
        whenStarting = listener;
    }

    @Override
    public void init(TOMLayer tomLayer, DeliveryThread deliveryThread) {
        layer = tomLayer;
        delivery = deliveryThread;
        whenMade.accept(tomLayer);
    }

    /** The ordering layer; null before the replica has made it. */
    @Nullable
    TOMLayer layer() {
        return layer;
    }

    private TOMLayer ordering() {
        TOMLayer known = layer;
        if (known == null) {
            throw new IllegalStateException("the ordering layer calls before it exists");
        }
        return known;
    }

    void cancel() {
        cancelled.countDown();
    }

    /** Waits; true when waiting for anything is given up, also because the thread is interrupted. */
    boolean awaitCancelled(long millis) {
        try {
            return cancelled.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Asks until the replica has a position from which it can take part, or until {@link #cancel}. */
    @Override
    public void askCurrentConsensusId() {
        whenStarting.accept(ordering());
        while (started.getCount() > 0 && cancelled.getCount() > 0) {
            step();
            try {
                started.await(STEP_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Looks after a replica that has started; its owner calls this every {@link #STEP_MILLIS}. */
    void watch() {
        if (started.getCount() == 0) {
            step();
        }
    }

    private void step() {
        boolean resume = false;
        boolean ask = false;
        boolean leftOver = false;
        synchronized (this) {
            if (installing) {
                return;
            }
            steps++;
            switch (phase) {
                case STARTING -> {
                    resume = canBegin();
                    ask = phase == Phase.STARTING && !resume;
                }
                case FOLLOWING -> {
                    if (steps % LOOK == 0) {
                        look();
                        leftOver = life.isLeftOver(log.life(), lives.values());
                        lives.clear();
                        ask = phase == Phase.FOLLOWING;
                    }
                }
                case FETCHING -> {
                    tries++;
                    if (tries <= MOST_TRIES) {
                        request();
                    } else {
                        resume = giveUp();
                    }
                }
            }
        }
        if (leftOver) {
            whenLeftOver.accept("the others have begun the order anew, and it stands at instance " + log.position());
        }
        if (ask) {
            ordering().getCommunication().send(others(), message(0, TOMUtil.SM_ASK_INITIAL, null, 0, 0));
        }
        if (resume) {
            begin();
        }
    }

    /** Whether a starting replica is as far as the others; begins to fetch when it knows that it is not. */
    private boolean canBegin() {
        int known = positions.size();
        if (known < quorums.bftserverQuorum() - 1 || known < quorums.bftservers() - 1 && steps < PATIENCE) {
            return false;
        }
        if (target() > log.position()) {
            fetch(target());
            return false;
        }
        return true;
    }

    /** A running replica is behind when it has stood still since the last look while others are further. */
    private void look() {
        int now = log.position();
        boolean stoodStill = now == seenPosition;
        int target = positions.size() < quorums.bftserverQuorum() - 1 ? OrderLog.START : target();
        seenPosition = now;
        positions.clear();
        if (stoodStill && target > now) {
            LOG.info("standing at instance {} while others are at {}: fetching the state", now, target);
            fetch(target);
        }
    }

    /** Whether the replica is to go on without the state; one that has not started begins again instead. */
    private boolean giveUp() {
        LOG.info("no state at instance {} after {} requests", goal, tries);
        steps = 0;
        tries = 0;
        replies.clear();
        positions.clear();
        forLeaderChange = false;
        boolean running = started.getCount() == 0;
        if (!running) {
            phase = Phase.STARTING;
        }
        return running;
    }

    /** The (b+1)-th largest position of the others: at least one correct replica has got there. */
    private int target() {
        return positions.values().stream()
                .sorted(Comparator.reverseOrder())
                .skip(quorums.b())
                .findFirst()
                .orElse(OrderLog.START);
    }

    private int[] others() {
        return ordering().controller.getCurrentViewOtherAcceptors();
    }

    private StandardSMMessage message(
            int instance, int type, @Nullable ApplicationState state, int regency, int leader) {
        int self = ordering().controller.getStaticConf().getProcessId();
        return new StandardSMMessage(self, instance, type, self, state, null, regency, leader);
    }

    /** In a reply about a position the library has no use for the place of the regency: it holds the life's name. */
    @Override
    public void currentConsensusIdAsked(int sender) {
        ordering()
                .getCommunication()
                .send(new int[] {sender}, message(log.position(), TOMUtil.SM_REPLY_INITIAL, null, sayLife(), 0));
    }

    /** A replica that has not started, or waits for a state, may still get into any life. */
    private int sayLife() {
        return phase == Phase.FOLLOWING ? log.life() : LifeWatch.NONE;
    }

    @Override
    public synchronized void currentConsensusIdReceived(SMMessage reply) {
        if (phase != Phase.FETCHING) {
            positions.put(reply.getSender(), reply.getCID());
            lives.put(reply.getSender(), reply.getRegency());
        }
    }

    /** The replica takes part from where it is. */
    private void begin() {
        DeliveryThread thread = deliveryThread();
        thread.deliverLock();
        try {
            phase = Phase.FOLLOWING;
            ordering().setLastExec(log.position());
            thread.canDeliver();
        } finally {
            thread.deliverUnlock();
        }
        started.countDown();
    }

    private DeliveryThread deliveryThread() {
        DeliveryThread known = delivery;
        if (known == null) {
            throw new IllegalStateException("the ordering layer calls before it exists");
        }
        return known;
    }

    private void fetch(int instance) {
        phase = Phase.FETCHING;
        goal = instance;
        tries = 0;
        replies.clear();
        positions.clear();
        if (ordering().requestsTimer != null) {
            ordering().requestsTimer.clearAll();
        }
        request();
    }

    private void request() {
        for (int other : others()) {
            StandardSMMessage request = new StandardSMMessage(
                    ordering().controller.getStaticConf().getProcessId(),
                    goal,
                    TOMUtil.SM_REQUEST,
                    other,
                    null,
                    null,
                    0,
                    0);
            ordering().getCommunication().send(new int[] {other}, request);
        }
    }

    @Override
    public void SMRequestDeliver(SMMessage request, boolean bft) {
        ApplicationState state = deliveryThread().getRecoverer().getState(request.getCID(), true);
        LCManager leaders = ordering().getSynchronizer().getLCManager();
        ordering()
                .getCommunication()
                .send(
                        new int[] {request.getSender()},
                        message(
                                request.getCID(),
                                TOMUtil.SM_REPLY,
                                state,
                                leaders.getLastReg(),
                                ordering().execManager.getCurrentLeader()));
    }

    @Override
    public void SMReplyDeliver(SMMessage reply, boolean bft) {
        Optional<Reply> agreed;
        synchronized (this) {
            ApplicationState state = reply.getState();
            if (phase != Phase.FETCHING || installing || reply.getCID() != goal || state == null) {
                return;
            }
            byte[] encoded = state.getSerializedState();
            if (encoded == null) {
                return;
            }
            replies.put(
                    reply.getSender(), new Reply(state, Hash.sha256(encoded), reply.getRegency(), reply.getLeader()));
            agreed = agreed();
            installing = agreed.isPresent();
        }
        agreed.ifPresent(this::install);
    }

    /** A reply to which b+1 replicas are equal in all that counts. */
    private Optional<Reply> agreed() {
        return replies.values().stream()
                .filter(one -> replies.values().stream()
                                .filter(other -> other.content().equals(one.content())
                                        && other.regency() == one.regency()
                                        && other.leader() == one.leader())
                                .count()
                        >= quorums.oneCorrectBftserver())
                .findFirst();
    }

    private void install(Reply agreed) {
        TOMLayer ordering = ordering();
        boolean leaderChange = forLeaderChange;
        if (!leaderChange) {
            LCManager leaders = ordering.getSynchronizer().getLCManager();
            leaders.setLastReg(agreed.regency());
            leaders.setNextReg(agreed.regency());
            leaders.setNewLeader(agreed.leader());
            ordering.execManager.setNewLeader(agreed.leader());
            if (agreed.regency() > 0) {
                ordering.getSynchronizer().removeSTOPretransmissions(agreed.regency() - 1);
            }
        }
        DeliveryThread thread = deliveryThread();
        thread.deliverLock();
        try {
            thread.update(agreed.state());
            if (!leaderChange) {
                if (log.position() > OrderLog.START) {
                    LibraryInternals.setDecided(ordering, log.position());
                }
                resumeStopped(ordering);
            }
            synchronized (this) {
                replies.clear();
                positions.clear();
                forLeaderChange = false;
                installing = false;
                phase = Phase.FOLLOWING;
            }
            ordering.processOutOfContext();
            thread.canDeliver();
        } finally {
            thread.deliverUnlock();
        }
        LOG.info("the order was taken over at instance {}, leader {}", log.position(), agreed.leader());
        if (ordering.requestsTimer != null) {
            // What waited here may have been ordered within the state; the other replicas watch what was not.
            ordering.requestsTimer.clearAll();
            if (!leaderChange) {
                ordering.requestsTimer.stopAllSTOPs();
            }
            ordering.requestsTimer.Enabled(true);
            ordering.requestsTimer.startTimer();
        }
        started.countDown();
        if (leaderChange) {
            ordering.getSynchronizer().resumeLC();
        }
    }

    /** Messages that a leader change held back belong after the state, where they count. */
    private void resumeStopped(TOMLayer ordering) {
        if (!ordering.execManager.stopped()) {
            return;
        }
        for (ConsensusMessage message : ordering.execManager.getStoppedMsgs()) {
            if (message.getNumber() > log.position()) {
                ordering.execManager.addOutOfContextMessage(message);
            }
        }
        ordering.execManager.clearStopped();
        ordering.execManager.restart();
    }

    /** A leader change needs the state up to an instance before it can go on. */
    @Override
    public synchronized void requestAppState(int instance) {
        forLeaderChange = true;
        fetch(instance);
    }

    /** Messages beyond what this replica can place: the next {@link #watch} finds out whether it is behind. */
    @Override
    public void analyzeState(int instance) {
        LOG.debug("a message of instance {} at position {}", instance, log.position());
    }

    @Override
    public void stateTimeout() {
        // Deadlines are kept by step().
    }

    @Override
    public boolean isRetrievingState() {
        return phase != Phase.FOLLOWING;
    }

    @Override
    public void setLastCID(int instance) {
        // The log knows it.
    }

    @Override
    public int getLastCID() {
        return log.position();
    }

    @Override
    public String toString() {
        return phase + " at " + log.position();
    }
}
