package org.aspas.bftcluster.engine;

import bftsmart.statemanagement.ApplicationState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when a replica asks where the order stands, when it fetches the state, and when it takes part. The replica asks
 * all others for their positions and aims at the (b+1)-th largest: at least one correct replica is that far. It asks each
 * for the state there, and takes the state that b+1 of them sent alike. Every try has a deadline; the next try begins with
 * the positions again.
 *
 * <p>Time is counted in steps, which the caller makes at even intervals. Pure: no thread, clock or library. Not thread-safe.
 */
final class CatchUp {
    /** Steps until a state that did not come is given up. */
    static final int MOST_TRIES = 10;
    /** Steps until a starting replica waits no longer for more than 2b positions. */
    static final int PATIENCE = 5;
    /** Steps between two looks of a running replica at where the others are. */
    static final int LOOK = 5;

    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

    private enum Phase {
        /** The replica has not started; it asks for positions. */
        STARTING,
        /** The replica takes part. */
        FOLLOWING,
        /** The replica waits for a state. */
        FETCHING,
        /** The caller installs the state that was agreed on. */
        INSTALLING
    }

    /** What the caller is to do. */
    sealed interface Action {
        /** Ask all other replicas for their positions. */
        record AskPositions() implements Action {}

        /**
         * Ask all other replicas for the state.
         *
         * @param instance the instance up to which
         * @param first whether the replica has asked nobody for it yet
         */
        record AskState(int instance, boolean first) implements Action {}

        /** Take part from the position where the replica is, then call {@link CatchUp#following}. */
        record TakePart() implements Action {}

        /** The replica must be made anew: b+1 others left it behind in an earlier incarnation of the order. */
        record Stale() implements Action {}
    }

    /**
     * The state that one replica sent.
     *
     * @param state the state, in the library's form
     * @param content the hash of its bytes
     */
    record Reply(ApplicationState state, Hash content, int regency, int leader) {
        boolean agrees(Reply other) {
            return content.equals(other.content) && regency == other.regency && leader == other.leader;
        }
    }

    private final Quorums quorums;
    private final IncarnationCheck incarnation;
    private final Map<Integer, Integer> positions = new TreeMap<>();
    private final Map<Integer, Integer> incarnations = new TreeMap<>();
    private final Map<Integer, Reply> replies = new TreeMap<>();
    private Phase phase = Phase.STARTING;
    private boolean begun;
    private boolean forLeaderChange;
    private int goal;
    private int steps;
    private int tries;
    private int seenPosition = OrderLog.START;

    CatchUp(Quorums quorums) {
        this.quorums = quorums;
        this.incarnation = new IncarnationCheck(quorums.oneCorrectBftserver());
    }

    boolean isFollowing() {
        return phase == Phase.FOLLOWING;
    }

    /** Whether a leader change waits for the state. */
    boolean isForLeaderChange() {
        return forLeaderChange;
    }

    /**
     * A step of time has passed.
     *
     * @param position the last instance that the replica applied
     */
    List<Action> step(int position, int ownIncarnation) {
        steps++;
        return switch (phase) {
            case STARTING -> start(position);
            case FOLLOWING -> steps % LOOK == 0 ? look(position, ownIncarnation) : List.of();
            case FETCHING -> tryAgain();
            case INSTALLING -> List.of();
        };
    }

    private List<Action> start(int position) {
        int known = positions.size();
        if (known < quorums.bftserverQuorum() - 1 || known < quorums.bftservers() - 1 && steps < PATIENCE) {
            return List.of(new Action.AskPositions());
        }
        return target() > position ? fetch(target()) : List.of(new Action.TakePart());
    }

    /** A running replica is behind when it has stood still since the last look while others are further. */
    private List<Action> look(int position, int ownIncarnation) {
        List<Action> actions = new ArrayList<>();
        if (incarnation.isStale(ownIncarnation, incarnations.values())) {
            actions.add(new Action.Stale());
        }
        incarnations.clear();
        boolean stoodStill = position == seenPosition;
        int target = positions.size() < quorums.bftserverQuorum() - 1 ? OrderLog.START : target();
        seenPosition = position;
        positions.clear();
        if (stoodStill && target > position) {
            LOG.info("standing at instance {} while others are at {}: fetching the state", position, target);
            actions.addAll(fetch(target));
        } else {
            actions.add(new Action.AskPositions());
        }
        return actions;
    }

    /** The (b+1)-th largest position of the others: at least one correct replica has got there. */
    private int target() {
        return positions.values().stream()
                .sorted(Comparator.reverseOrder())
                .skip(quorums.b())
                .findFirst()
                .orElse(OrderLog.START);
    }

    private List<Action> fetch(int instance) {
        phase = Phase.FETCHING;
        goal = instance;
        tries = 0;
        replies.clear();
        positions.clear();
        return List.of(new Action.AskState(goal, true));
    }

    private List<Action> tryAgain() {
        tries++;
        return tries <= MOST_TRIES ? List.of(new Action.AskState(goal, false)) : giveUp();
    }

    /** A replica that took part goes on without the state; one that did not begins again. */
    private List<Action> giveUp() {
        LOG.info("no state at instance {} after {} requests", goal, tries);
        steps = 0;
        tries = 0;
        forget();
        if (begun) {
            return List.of(new Action.TakePart());
        }
        phase = Phase.STARTING;
        return List.of();
    }

    private void forget() {
        replies.clear();
        positions.clear();
        forLeaderChange = false;
    }

    void onPosition(int sender, int position, int itsIncarnation) {
        if (phase == Phase.STARTING || phase == Phase.FOLLOWING) {
            positions.put(sender, position);
            incarnations.put(sender, itsIncarnation);
        }
    }

    /** A leader change needs the state up to an instance before it can go on. */
    List<Action> onLeaderChange(int instance) {
        forLeaderChange = true;
        return fetch(instance);
    }

    boolean awaits(int instance) {
        return phase == Phase.FETCHING && instance == goal;
    }

    /**
     * Another replica sends the state up to an instance.
     *
     * @return a reply to which those of b+1 replicas are equal; the caller installs it, then calls {@link #installed}
     */
    Optional<Reply> onState(int sender, int instance, Reply reply) {
        if (!awaits(instance)) {
            return Optional.empty();
        }
        replies.put(sender, reply);
        long equal = replies.values().stream().filter(reply::agrees).count();
        if (equal < quorums.oneCorrectBftserver()) {
            return Optional.empty();
        }
        phase = Phase.INSTALLING;
        return Optional.of(reply);
    }

    void installed() {
        forget();
        following();
    }

    void following() {
        phase = Phase.FOLLOWING;
        begun = true;
    }

    @Override
    public String toString() {
        return phase.toString();
    }
}
